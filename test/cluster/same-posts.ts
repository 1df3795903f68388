import { createReadStream, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import type { Post } from '../../src/model/post.ts'
import { WINDOW_MS } from '../../src/search/search-index.ts'
import { makePost } from '../../src/store/contract/make-post.ts'
import { createBulk } from '../simulated/bulk-posts.ts'
import { generateQueries } from '../simulated/bulk-queries.ts'
import { drawQueries } from './drawn-queries.ts'

/** Posts for two archives that must give the same answers, and the queries for them. */
export interface SamePosts {
  /** The posts of each channel, ascending. */
  readonly channels: ReadonlyMap<string, readonly Post[]>
  readonly given: readonly string[]
  readonly drawn: readonly string[]
}

export const NOW = Date.UTC(2026, 5, 1, 12)

const DRAWN = 400

/** How much to take from the files, evenly distributed. */
export interface Share {
  readonly posts: number
  readonly queries: number
}

export function simulatedPosts(count: number, queries: number): SamePosts {
  const options = { seed: 'same', count, channels: 300, until: NOW, days: 29.9 }
  const bulk = createBulk(options)
  const posts = Array.from({ length: count }, (_, i) => bulk.post(i))
  const given = [...generateQueries({ ...options, queries })].map(({ q }) => q)
  return together(
    posts.map(({ channel, post }) => ({ channel: channel.username, post })),
    given,
  )
}

/**
 * `posts`: NDJSON, gzipped or not, one `{channel, id, date, text, views}` per line. `queries`: language, tab, query. Dates
 * are spread evenly over the searchable days.
 */
export async function postsOfFiles(
  posts: string,
  queries: string,
  most: Share,
): Promise<SamePosts> {
  const stream = createReadStream(posts)
  const input = posts.endsWith('.gz') ? stream.pipe(createGunzip()) : stream
  const lines: string[] = []
  for await (const line of createInterface({ input })) if (line.trim() !== '') lines.push(line)
  const read = some(lines, most.posts).map((line) => JSON.parse(line) as Told)
  read.sort((a, b) => (a.date < b.date ? -1 : 1))
  const step = (WINDOW_MS * 0.99) / read.length
  const made = read.map(({ channel, text, views }, i) => {
    const publishedAt = Math.floor((NOW - (read.length - i) * step) / 1000) * 1000
    const shown = views ?? 0
    const count = { value: shown, approx: false, raw: String(shown), asOf: NOW }
    return { channel, post: makePost({ number: i + 1, publishedAt, text, views: count }) }
  })
  const asked = readFileSync(queries, 'utf8').split('\n')
  const given = asked.filter((line) => line.includes('\t')).map((line) => line.split('\t')[1]!)
  return together(made, some(given, most.queries))
}

interface Told {
  readonly channel: string
  readonly date: string
  readonly text: string
  readonly views: number | null
}

function some<T>(list: readonly T[], most: number): T[] {
  const step = Math.max(1, list.length / most)
  return Array.from({ length: Math.min(most, list.length) }, (_, i) => list[Math.floor(i * step)]!)
}

function together(
  posts: readonly { readonly channel: string; readonly post: Post }[],
  given: readonly string[],
): SamePosts {
  const channels = new Map<string, Post[]>()
  for (const { channel, post } of posts) {
    const list = channels.get(channel) ?? []
    channels.set(channel, list)
    list.push(post)
  }
  const texts = posts.map(({ post }) => post.text)
  return { channels, given, drawn: drawQueries(texts, Math.min(DRAWN, given.length)) }
}
