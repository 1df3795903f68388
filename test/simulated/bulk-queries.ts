import { type BulkOptions, type BulkPost, createBulk } from './bulk-posts.ts'
import { lexiconOf } from '../../src/simulator/lexicon.ts'
import { Random, hash32, seedOf } from '../../src/simulator/random.ts'
import { fill } from '../../src/simulator/texts/language-text.ts'
import { languageText } from '../../src/simulator/texts/languages.ts'

export interface BulkQuery {
  readonly q: string
  readonly kind: 'words' | 'phrase' | 'filter' | 'question'
  /** The post of the same bulk that the query was drawn from; all but questions match it strictly. */
  readonly source: BulkPost
}

interface BulkQueryOptions extends BulkOptions {
  /** How many queries to make; `count` is the number of posts. */
  readonly queries: number
}

/**
 * Queries as people and agents ask them: one to six words, a tenth phrases, a fifth with filters, a tenth whole
 * questions, each drawn from a post that `generatePosts` yields for the same options.
 */
export function* generateQueries(options: BulkQueryOptions): Generator<BulkQuery> {
  const bulk = createBulk(options)
  const seed = seedOf(options.seed)
  for (let i = 0; i < options.queries; i++) {
    const random = new Random(hash32(seed, 21, i))
    const source = bulk.post(random.int(options.count))
    const draw = random.next()
    if (draw < 0.1) yield { q: phrase(source, random), kind: 'phrase', source }
    else if (draw < 0.3) yield { q: filtered(source, random), kind: 'filter', source }
    else if (draw < 0.4) yield { q: question(source, random), kind: 'question', source }
    else yield { q: some(source, random, random.between(1, 6)).join(' '), kind: 'words', source }
  }
}

function wordsOf({ channel, post }: BulkPost): string[] {
  const first = post.entities[0]
  const text = first ? post.text.slice(0, first.offset) : post.text
  const isSpaced = languageText(channel.language).space !== ''
  const pieces = text.match(/[\p{L}\p{M}\p{N}’\u200c]+/gu) ?? []
  if (isSpaced) return pieces.filter((word) => word.length > 1)
  // In scripts without spaces people type a few characters that belong together.
  return pieces.flatMap((piece) => piece.match(/.{2,3}/gu) ?? [])
}

/** Distinct words of the post, in any order. */
function some(source: BulkPost, random: Random, count: number): string[] {
  const words = wordsOf(source)
  const chosen = new Set<string>()
  for (let i = 0; i < count * 3 && chosen.size < count && words.length > 0; i++) {
    chosen.add(random.pick(words).toLowerCase())
  }
  return chosen.size > 0 ? [...chosen] : [source.channel.username]
}

function phrase(source: BulkPost, random: Random): string {
  const { post } = source
  const end = post.entities[0]?.offset ?? post.text.length
  const runs = post.text
    .slice(0, end)
    .split(/[^\p{L}\p{M}\p{N}’\u200c ]+/u)
    .map((run) => run.trim())
  const run = random.pick(runs.filter((each) => each.length > 5))
  if (run === undefined) return `"${some(source, random, 1).join(' ')}"`
  if (!run.includes(' ')) return `"${run.slice(0, 6)}"`
  const words = run.split(/ +/)
  const from = random.int(Math.max(1, words.length - 1))
  return `"${words.slice(from, from + random.between(2, 3)).join(' ')}"`
}

function filtered(source: BulkPost, random: Random): string {
  const { channel, post } = source
  const words = some(source, random, random.between(1, 3)).join(' ')
  const filters = [
    `lang:${channel.language}`,
    `from:${channel.username}`,
    `after:${day(post.publishedAt)}`,
  ]
  if (post.media.length > 0) filters.push('has:photo')
  if (post.forwardedFrom) filters.push('is:forward')
  if (post.entities[0]?.type === 'link') filters.push('has:link')
  return `${words} ${random.pick(filters)}`
}

function day(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

function question(source: BulkPost, random: Random): string {
  const language = languageText(source.channel.language)
  const asked = fill(language, random.pick(language.questions), random, (r) =>
    lexiconOf(language).name(r),
  )
  const about = some(source, random, random.between(3, 6)).join(language.space)
  return `${about}${language.space}${asked}`
}
