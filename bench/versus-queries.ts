/** Queries for `versus`, in a form that each engine can be asked in its own way. */
import { createRandom, type Random } from '../src/search/contract/sample.ts'
import type { DataSource } from './data-folder.ts'
import { wordsOf } from './search-rivals.ts'

export interface VersusQuery {
  /** As typed. */
  readonly q: string
  /** Folded, without filters. */
  readonly words: readonly string[]
  readonly isPhrase: boolean
  readonly filter:
    | { readonly kind: 'from'; readonly channel: string; readonly channelId: number }
    | { readonly kind: 'lang'; readonly language: string }
    | { readonly kind: 'after'; readonly at: number }
    | null
}

export function wordQuery(q: string): VersusQuery {
  return { q, words: wordsOf(q), isPhrase: false, filter: null }
}

/**
 * What people and agents ask, in the shares of the simulated queries: one to six words of a post, a tenth phrases, a fifth
 * one to three words with a filter, a tenth whole questions as given.
 */
export function mixedQueries(
  source: DataSource,
  given: readonly string[],
  options: { readonly asked: number; readonly until: number; readonly days: number },
): VersusQuery[] {
  const { asked, until, days } = options
  const random = createRandom(3)
  const every = Math.floor(source.count / asked)
  const found: VersusQuery[] = []
  let i = 0
  for (const { channel, post } of source.posts()) {
    if (i++ % every !== 0 || found.length === asked) continue
    const draw = random()
    const words = post.text.match(/[\p{L}\p{M}\p{N}]{2,}/gu) ?? []
    const question = given[Math.floor(random() * given.length)]!
    if (draw < 0.1 || words.length === 0) found.push(wordQuery(question))
    else if (draw < 0.2) {
      const start = Math.floor(random() * Math.max(1, words.length - 2))
      const some = wordQuery(words.slice(start, start + 2 + Math.floor(random() * 2)).join(' '))
      found.push({ ...some, q: `"${some.q}"`, isPhrase: true })
    } else if (draw < 0.4) {
      const some = wordQuery(draws(random, words, 3))
      const day = new Date(until - random() * days * 86_400_000).toISOString().slice(0, 10)
      const filters = [
        [
          `from:${channel.username}`,
          { kind: 'from', channel: channel.username, channelId: channel.index + 1 },
        ],
        [`lang:${channel.language}`, { kind: 'lang', language: channel.language }],
        [`after:${day}`, { kind: 'after', at: Date.parse(day) }],
      ] as const
      const [text, filter] = filters[Math.floor(random() * filters.length)]!
      found.push({ ...some, q: `${some.q} ${text}`, filter })
    } else found.push(wordQuery(draws(random, words, 6)))
  }
  return found
}

/** One to `most` different words of a post, in any order. */
function draws(random: Random, words: readonly string[], most: number): string {
  const count = 1 + Math.floor(random() * most)
  const chosen = new Set<string>()
  for (let i = 0; i < count * 3 && chosen.size < count; i++)
    chosen.add(words[Math.floor(random() * words.length)]!.toLowerCase())
  return [...chosen].join(' ')
}

/** A third are whole questions as given; of the others one to three words are taken. */
export function questions(given: readonly string[], asked: number): VersusQuery[] {
  const random = createRandom(2)
  const found = new Set<string>()
  for (let i = 0; i < asked; i++) {
    const q = given[Math.floor((i * given.length) / asked)]!
    const words = q.match(/[\p{L}\p{N}]{4,}/gu) ?? []
    const start = Math.floor(random() * words.length)
    const some = words.slice(start, start + 1 + Math.floor(random() * 3)).join(' ')
    found.add(i % 3 === 0 || some === '' ? q : some)
  }
  return [...found].map(wordQuery)
}
