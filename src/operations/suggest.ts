import { z } from 'zod'
import type { ArchivedPost } from '../model/post.ts'
import type { FacetName, QueryNode, SearchResult } from '../model/query.ts'
import { ALL_CHANNELS } from '../store/archive.ts'
import { analyze } from '../text/analyze.ts'
import { HAS_UNSPACED } from '../text/characters.ts'
import { foldTag } from '../text/scan-entity.ts'
import { searchableText } from '../text/searchable-text.ts'
import { eachSegment } from '../text/segment.ts'
import type { Context } from './context.ts'
import { mapInTurns } from '../model/turns.ts'
import { defineOperation } from './operation.ts'
import * as p from './parameters.ts'
import { counted, line } from './render/markdown-words.ts'
import { readSearch } from './search-query.ts'
import { CONTENT_ORIGIN, contentOrigin } from './views/common.ts'
import { servedLine } from './views/served-text.ts'

const MAX_CHARS = 100
const EACH = 5
/** A one-letter prefix stands for half the dictionary. */
const LEAST_LETTERS = 2
/**
 * How many of the newest posts with such a word are read: enough to see what is written about, few enough to read at every
 * keystroke.
 */
const SAMPLE = 60
/** How many hashtags are searched at once: posts made for it hold thousands of words that begin so. */
const MAX_TAGS = 200

const suggestionView = z
  .strictObject({
    kind: z.enum(['channel', 'hashtag', 'word']),
    value: z.string().meta({ description: 'A username, a hashtag without `#`, a word.' }),
    title: z.string().optional().meta({ description: 'Of a channel.' }),
    posts: z
      .int()
      .optional()
      .meta({
        description: `Of a word or hashtag: how many of the newest ${SAMPLE} posts that begin so hold it.`,
      }),
  })
  .meta({ id: 'Suggestion' })
type Suggestion = z.output<typeof suggestionView>

export const suggest = defineOperation({
  name: 'suggest',
  path: '/suggest',
  summary: 'Completions: indexed words, hashtags and channels that begin so',
  description:
    'Completes the last word of `q`, in any script, given the words before it. Start it with `@` for channels only, with `#` for hashtags.',
  input: z.strictObject({
    q: p.text('What has been typed so far.', MAX_CHARS),
    limit: p.integer('How many of each kind.', { min: 1, max: 20, fallback: EACH }).optional(),
  }),
  output: z.array(suggestionView),
  meta: z.strictObject({ content_origin: contentOrigin }),
  errors: ['missing_parameter'],
  formats: ['json', 'md'],
  markdown: ({ data }) =>
    data.length === 0 ? '# No suggestions' : ['# Suggestions\n', ...data.map(rowOf)].join('\n'),
  policies: ['burst', 'daily'],
  examples: [{ summary: 'Completions of a beginning', input: { q: 'elec' } }],
  async run(ctx, { q, limit = EACH }, { signal }) {
    const begun = readBeginning(q)
    const { words, parts, last, sign } = begun
    const [channels, posts] = await Promise.all([
      parts.length === 0 || sign === '#' || words.length > 0
        ? []
        : ctx.store.archive
            .channels({ ...ALL_CHANNELS, words: parts, sort: 'relevance', limit })
            .then(({ items }) => items),
      begun.sought.length === 0 || sign === '@' ? [] : newestPosts(ctx, begun, signal),
    ])
    const tags = await commonest(posts, tagsOf, last, limit)
    const whole = sign === '#' ? [] : await commonest(posts, wordsOf, last, limit)
    const data: Suggestion[] = [
      ...channels.map(({ username, title }) => ({
        kind: 'channel' as const,
        value: username,
        title: servedLine(title),
      })),
      ...tags.map((found) => ({ kind: 'hashtag' as const, ...found })),
      ...whole.map((found) => ({ kind: 'word' as const, ...found })),
    ]
    return { data, meta: { content_origin: CONTENT_ORIGIN }, warnings: [] }
  },
})

function rowOf({ kind, value, title, posts }: Suggestion): string {
  if (kind === 'channel') return `- @${value} ${line(title ?? '')}`
  return `- ${kind === 'hashtag' ? '\\#' : ''}${line(value)}: ${counted(posts ?? 0, 'post')}`
}

interface Beginning {
  /** The words before the last. */
  readonly words: readonly string[]
  /** What the last word is made of: hashtags and names are found by the words in them. */
  readonly parts: readonly string[]
  /** The parts to search posts by: one letter behind an underscore is left out, since those before it find the hashtag. */
  readonly sought: readonly string[]
  /** How a completion has to begin. */
  readonly last: string
  readonly sign: string
}

function readBeginning(q: string): Beginning {
  const [, before = '', sign = '', typed = ''] =
    /^(.*?\s)?([@#]?)(\S*)$/su.exec(q.trimStart()) ?? []
  const words = analyze(before, null).tokens.map(({ tok }) => tok)
  // Its tokens would be single characters, so the text is looked for as typed.
  const parts = HAS_UNSPACED.test(typed)
    ? [typed.toLowerCase()]
    : analyze(typed, null).tokens.map(({ tok }) => tok)
  const last = typed.includes('_') ? foldTag(typed) : (parts.at(-1) ?? '')
  const isLong = (text: string) => [...text].length >= LEAST_LETTERS
  const sought = isLong(last) ? parts.slice(0, parts.findLastIndex(isLong) + 1) : []
  return { words, parts, sought, last, sign }
}

async function newestPosts(
  ctx: Context,
  { words, sought, last, sign }: Beginning,
  signal: AbortSignal,
): Promise<readonly ArchivedPost[]> {
  const { query } = await readSearch(ctx, { since: '30d', sort: 'newest', limit: SAMPLE })
  const text = sought.at(-1)!
  const begun: QueryNode = { kind: HAS_UNSPACED.test(text) ? 'word' : 'prefix', text, ...PLACE }
  const before = [...words, ...sought.slice(0, -1)]
  const find = (node: QueryNode, facets: readonly FacetName[] = []) =>
    ctx.index.search({ ...query, root: allOf(before, node), facets }, signal)
  const read = async (found: SearchResult) =>
    (await ctx.store.archive.posts(found.hits)).filter((post) => post !== undefined)
  const found = await find(begun, sign === '#' ? ['hashtag'] : [])
  const posts = await read(found)
  if (sign !== '#' || found.hits.length < SAMPLE) return posts
  // The newest posts with a common word need not hold the hashtag that begins like it. It may be among the commonest
  // hashtags of all posts with the word, or be that word.
  const written = await mapInTurns(posts, wordsOf)
  const tags = [
    ...(found.facets.hashtag ?? []).map(({ value }) => value),
    ...posts.flatMap((post) => [...tagsOf(post).keys()]),
    ...written.flatMap((words) => [...words.keys()]),
  ].filter((tag) => tag.startsWith(last))
  const nodes = [...new Set(tags)]
    .slice(0, MAX_TAGS)
    .map((value) => ({ kind: 'hashtag' as const, value, ...PLACE }))
  if (nodes.length === 0) return []
  return read(await find(nodes.length === 1 ? nodes[0]! : { kind: 'or', nodes }))
}

const PLACE = { start: 0, end: 0 }

function allOf(words: readonly string[], last: QueryNode): QueryNode {
  if (words.length === 0) return last
  const before = words.map((text) => ({ kind: 'word' as const, text, ...PLACE }))
  return { kind: 'and', nodes: [...before, last] }
}

/** How a post writes the words that start like this, keyed by their folded form. */
type Read = (post: ArchivedPost) => ReadonlyMap<string, string>

/** Words of scripts without spaces, each alone and joined with the next: word boundaries are uncertain there. */
function unspacedWords(text: string): Map<string, string> {
  const found: { readonly word: string; readonly start: number; readonly end: number }[] = []
  eachSegment(text, 0, text.length, (start, end) => {
    const word = text.slice(start, end).toLowerCase()
    if (HAS_UNSPACED.test(word)) found.push({ word, start, end })
  })
  const joined = found.flatMap(({ word, end }, i) => {
    const next = found[i + 1]
    return next?.start === end ? [word, word + next.word] : [word]
  })
  return new Map(joined.map((word) => [word, word]))
}

function wordsOf(post: ArchivedPost): Map<string, string> {
  const text = searchableText(post)
  const unspaced = HAS_UNSPACED.test(text) ? unspacedWords(text) : []
  const tags = tagsOf(post)
  const spaced = analyze(text, post.language)
    .tokens.filter(({ tok }) => !tags.has(tok) && !HAS_UNSPACED.test(tok))
    .map(({ tok, start, end }) => [tok, text.slice(start, end).toLowerCase()] as const)
  return new Map([...unspaced, ...spaced])
}

function tagsOf({ entities, text }: ArchivedPost): Map<string, string> {
  const tags = entities.filter(({ type }) => type === 'hashtag')
  return new Map(
    tags.map(({ offset, length }) => {
      const tag = text.slice(offset, offset + length).replace(/^[#＃]/u, '')
      return [foldTag(tag), tag.toLowerCase()]
    }),
  )
}

async function commonest(
  posts: readonly ArchivedPost[],
  read: Read,
  beginning: string,
  limit: number,
) {
  const counts = new Map<string, { value: string; posts: number }>()
  for (const written of await mapInTurns(posts, read)) {
    for (const [folded, value] of written) {
      if (!folded.startsWith(beginning)) continue
      const known = counts.get(folded) ?? { value: servedLine(value), posts: 0 }
      known.posts++
      counts.set(folded, known)
    }
  }
  return [...counts.values()]
    .toSorted((a, b) => b.posts - a.posts || (a.value < b.value ? -1 : 1))
    .slice(0, limit)
}
