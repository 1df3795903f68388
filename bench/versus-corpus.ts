/** Posts and queries for `versus`: real ones from files, recombined if more are wanted, or simulated ones. */
import { readFileSync } from 'node:fs'
import { makePost } from '../src/store/contract/make-post.ts'
import { generateQueries } from '../test/simulated/bulk-queries.ts'
import { bulkData, bulkOptions, type DataSource } from './data-folder.ts'
import { createRandom } from '../src/search/contract/sample.ts'
import { createRecombiner, guessLanguage, readPosts } from './real-posts.ts'
import { mixedQueries, questions, wordQuery, type VersusQuery } from './versus-queries.ts'

export interface VersusCorpus extends DataSource {
  /** Half of them are for warming up. */
  readonly queries: readonly VersusQuery[]
}

export function simulatedCorpus(count: number, asked: number): VersusCorpus {
  const queries: VersusQuery[] = []
  for (const { q } of generateQueries({ ...bulkOptions(count), queries: asked * 2 })) {
    // Only words: filters have other names in other engines.
    if (!q.includes(':')) queries.push(wordQuery(q))
  }
  return { ...bulkData(count), name: `${count} simulated posts`, queries: queries.slice(0, asked) }
}

/**
 * `posts` is a file as `readPosts` reads it; `queries` is a file of lines with language, tab, query. Asked are what people
 * ask (`mixed`), or words of these lines alone (`questions`), of which few are in any post.
 */
export async function corpusOfFiles(
  posts: string,
  queries: string,
  options: {
    readonly size: number | undefined
    readonly asked: number
    readonly mix: 'mixed' | 'questions'
  },
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
  const source: DataSource = {
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
  }
  const lines = readFileSync(queries, 'utf8').split('\n')
  const given = lines.flatMap((line) => line.split('\t')[1] ?? [])
  const asked =
    options.mix === 'mixed'
      ? mixedQueries(source, given, { asked: options.asked, until, days })
      : questions(given, options.asked)
  return { ...source, queries: asked }
}
