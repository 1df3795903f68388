/** Posts and queries for the search benchmark: made by the simulator, or real ones from files. */
import { readFileSync } from 'node:fs'
import { deriveDocument, detectPost } from '../src/indexing/document.ts'
import type { Channel } from '../src/model/channel.ts'
import type { ArchivedPost, Post } from '../src/model/post.ts'
import type { SearchQuery, Sort } from '../src/model/query.ts'
import { WINDOW_MS, type IndexDocument } from '../src/search/search-index.ts'
import { makePost } from '../src/store/contract/make-post.ts'
import { createBulk } from '../test/simulated/bulk-posts.ts'
import { generateQueries } from '../test/simulated/bulk-queries.ts'
import type { LanguageDetector } from '../src/text/language.ts'
import { NOW } from './search-clock.ts'
import { parseQuery } from '../src/text/query/parse-query.ts'
import { createRandom, NO_FILTERS } from '../src/search/contract/sample.ts'
import { createRecombiner, guessLanguage, readPosts } from './real-posts.ts'

export { NOW }

export interface Corpus {
  readonly name: string
  readonly count: number
  /** Oldest first. */
  documents(): AsyncIterable<{ readonly document: IndexDocument; readonly text: string }>
  readonly queries: readonly CorpusQuery[]
  /** As many queries of the same kind, for warming up. */
  readonly others: readonly CorpusQuery[]
  /** The store's id of a channel, by name. */
  channelId(name: string): number
}

export interface CorpusQuery {
  readonly q: string
  readonly kind: string
  /** The language it is written in. The index is not told. */
  readonly language: string
}

/** Languages are known here: the cost of detecting them is measured with the indexer. */
const KNOWN: LanguageDetector = {
  detect: () => ({ code: null, score: 0, letters: 0 }),
  detectObvious: () => undefined,
}

export function simulated(count: number, queries: number): Corpus {
  const options = { seed: 'bench', count, channels: 3000, until: NOW, days: 29.9 }
  const bulk = createBulk(options)
  const ids = new Map(
    bulk.channels.map((channel) => [channel.username.toLowerCase(), channel.index + 1]),
  )
  const asked = [...generateQueries({ ...options, queries: queries * 2 })].map(
    ({ q, kind, source }) => ({ q, kind, language: source.channel.language }),
  )
  return {
    name: `${count} simulated posts`,
    count,
    async *documents() {
      for (let i = 0; i < count; i++) {
        const { channel, post } = bulk.post(i)
        const home = channelOf(
          channel.index + 1,
          channel.username,
          channel.language,
          channel.subscribers,
        )
        yield { document: documentOf(post, home), text: post.text }
      }
    },
    queries: asked.slice(0, queries),
    others: asked.slice(queries),
    channelId: (name) => ids.get(name.toLowerCase()) ?? -1,
  }
}

/**
 * `posts` is a file as `readPosts` reads it; if `size` exceeds its posts, each post is combined from the sentences of
 * two. `queries` is a file of lines with language, tab, query.
 */
export async function fromFiles(
  posts: string,
  queries: string,
  options: { readonly most: number; readonly size?: number | undefined },
): Promise<Corpus> {
  const read = await readPosts(posts)
  const { most, size: count = read.length } = options
  const ids = new Map<string, number>()
  for (const { channel } of read) if (!ids.has(channel)) ids.set(channel, ids.size + 1)
  const asked = readFileSync(queries, 'utf8')
    .split('\n')
    .filter((line) => line.includes('\t'))
  const sampled = sample(asked, most * 2).map((line) => {
    const [language = '', q = ''] = line.split('\t')
    return { q, kind: q.split(/\s+/).length > 3 ? 'question' : 'words', language }
  })
  const step = (WINDOW_MS * 0.99) / count
  const recombine = createRecombiner(read)
  return {
    name: `${count} posts of ${posts.split('/').at(-1)}`,
    count,
    async *documents() {
      const random = createRandom(1)
      for (let i = 0; i < count; i++) {
        const each = count === read.length ? read[i]! : recombine(random)
        const publishedAt = Math.floor((NOW - (count - i) * step) / 1000) * 1000
        const post = plainPost(i + 1, publishedAt, each.text, each.views ?? 0)
        const home = channelOf(
          ids.get(each.channel)!,
          each.channel,
          guessLanguage(each.text),
          10_000,
        )
        yield { document: documentOf(post, home), text: each.text }
      }
    },
    queries: sampled.filter((_, i) => i % 2 === 0),
    others: sampled.filter((_, i) => i % 2 === 1),
    channelId: (name) => ids.get(name) ?? -1,
  }
}

function sample<T>(list: readonly T[], most: number): T[] {
  const step = Math.max(1, list.length / most)
  return Array.from({ length: Math.min(most, list.length) }, (_, i) => list[Math.floor(i * step)]!)
}

export function queryOf(corpus: Corpus, q: string, sort: Sort, limit = 20): SearchQuery {
  const query = plainQuery(q, sort, NOW, limit)
  const root = JSON.parse(
    JSON.stringify(query.root),
    (_, value: { kind?: string; value?: string }) =>
      value?.kind === 'channel'
        ? { ...value, value: String(corpus.channelId(value.value!)) }
        : value,
  )
  return { ...query, root }
}

/** Without channel names, which an index knows as numbers. */
export function plainQuery(q: string, sort: Sort, now: number, limit = 20): SearchQuery {
  return {
    root: parseQuery(q, { now }),
    filters: NO_FILTERS,
    sort,
    match: 'stem',
    strict: false,
    collapse: false,
    since: now - WINDOW_MS,
    until: now + 3_600_000,
    arrivedSince: null,
    facets: [],
    limit,
    after: null,
  }
}

function channelOf(id: number, username: string, language: string, subscribers: number): Channel {
  return {
    id,
    username,
    language,
    subscribers: { value: subscribers, approx: false, raw: String(subscribers), asOf: NOW },
  } as unknown as Channel
}

function documentOf(post: Post, channel: Channel): IndexDocument {
  const archived = {
    ...post,
    channelId: channel.id,
    revision: 1,
    firstCapturedAt: post.publishedAt,
  }
  const read = detectPost(archived as unknown as ArchivedPost, KNOWN)
  const { document } = deriveDocument(read, channel, KNOWN)
  return { ...document, group: null, isCopy: false }
}

function plainPost(number: number, publishedAt: number, text: string, views: number): Post {
  const count = { value: views, approx: false, raw: String(views), asOf: publishedAt }
  return makePost({ number, publishedAt, text, views: count })
}
