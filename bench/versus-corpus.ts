/** Posts and queries for `versus`: real ones from files, recombined if more are wanted, or simulated ones. */
import { readFileSync } from 'node:fs'
import { makePost } from '../src/model/post.ts'
import { generateQueries } from '../test/simulated/bulk-queries.ts'
import { bulkData, bulkOptions, type DataSource } from './data-folder.ts'
import { createRandom } from '../src/search/contract/sample.ts'
import { createRecombiner, guessLanguage, readPosts } from './real-posts.ts'

export interface VersusCorpus extends DataSource {
  /** Half of them are for warming up. */
  readonly queries: readonly string[]
}

export function simulatedCorpus(count: number, asked: number): VersusCorpus {
  const queries: string[] = []
  for (const { q } of generateQueries({ ...bulkOptions(count), queries: asked * 2 })) {
    // Only words: filters have other names in other engines.
    if (!q.includes(':')) queries.push(q)
  }
  return { ...bulkData(count), name: `${count} simulated posts`, queries: queries.slice(0, asked) }
}

/** `posts` is a file as `readPosts` reads it; `queries` is a file of lines with language, tab, query. */
export async function corpusOfFiles(
  posts: string,
  queries: string,
  options: { readonly size: number | undefined; readonly asked: number },
): Promise<VersusCorpus> {
  const read = await readPosts(posts)
  const count = options.size ?? read.length
  const names = [...new Set(read.map(({ channel }) => channel))]
  const byName = Map.groupBy(read, ({ channel }) => channel)
  const channels = names.map((username, index) => ({
    index,
    platformId: index + 1,
    username: /^[a-z]\w{4,31}$/i.test(username) ? username : `channel_${index}`,
    title: username,
    description: '',
    subscribers: 1_000 * (1 + (index % 50)),
    language: guessLanguage(byName.get(username)![0]!.text),
  }))
  const indexOf = new Map(names.map((name, index) => [name, index]))
  const recombine = createRecombiner(read)
  const { until, days } = bulkOptions(count)
  const step = (days * 86_400_000) / count
  return {
    name: `${count} posts of ${posts.split('/').at(-1)}`,
    count,
    channels,
    *posts() {
      const random = createRandom(1)
      for (let i = 0; i < count; i++) {
        const line = count === read.length ? read[i]! : recombine(random)
        const publishedAt = Math.floor((until - (count - i) * step) / 1000) * 1000
        const value = line.views ?? 0
        const views = { value, approx: false, raw: String(value), asOf: publishedAt }
        const post = makePost({ number: i + 1, publishedAt, text: line.text, views })
        yield { channel: channels[indexOf.get(line.channel)!]!, post }
      }
    },
    queries: mixedQueries(queries, options.asked),
  }
}

/** A third are whole questions as they are; of the others one to three words are taken. */
function mixedQueries(path: string, asked: number): string[] {
  const lines = readFileSync(path, 'utf8').split('\n')
  const all = lines.flatMap((line) => line.split('\t')[1] ?? [])
  const random = createRandom(2)
  const found = new Set<string>()
  for (let i = 0; i < asked; i++) {
    const q = all[Math.floor((i * all.length) / asked)]!
    const words = q.match(/[\p{L}\p{N}]{4,}/gu) ?? []
    const start = Math.floor(random() * words.length)
    const some = words.slice(start, start + 1 + Math.floor(random() * 3)).join(' ')
    found.add(i % 3 === 0 || some === '' ? q : some)
  }
  return [...found]
}
