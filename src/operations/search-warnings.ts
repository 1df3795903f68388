import { AppError } from '../model/errors.ts'
import { hinted } from '../model/hint.ts'
import { parsePostRef } from '../model/post-ref.ts'
import type { Correction, QueryNode, SearchResult } from '../model/query.ts'
import { leavesOf, partsOf } from '../model/query-tree.ts'
import type { SearchIndex } from '../search/search-index.ts'
import { withFinalLetters } from '../text/fold.ts'
import { lookUpChannels } from './asked-channels.ts'
import type { Context } from './context.ts'
import { searchAsMeant } from './search-as-meant.ts'
import type { ReadSearch } from './search-query.ts'
import type { HitView } from './views/hit.ts'
import type { Warning } from './warnings.ts'

/** What a search warns of once it has found its posts, or none. */

/**
 * Whoever searches for nothing but a post's link or a channel's name may want that post or channel itself, which a search for
 * what links to it or mentions it does not find.
 */
export async function nameWarning(
  ctx: Pick<Context, 'store'>,
  q: string,
  root: QueryNode | null,
): Promise<Warning[]> {
  // A `t.me` link as it is read: without the punctuation around it and without what comments and albums add to it.
  const post = parsePostRef(root?.kind === 'url' ? root.value.replace(/\?.*$/u, '') : q)
  const name = root?.kind === 'mention' ? root.value : post?.username
  if (name === undefined) return []
  const [channel] = (await lookUpChannels(ctx, [name])).values()
  if (!channel) return []
  const { id, username } = channel
  const [code, parameter] = ['query_is_name', 'q'] as const
  if (post) {
    if (!(await ctx.store.archive.post(id, post.number))) return []
    const finds = root?.kind === 'url' ? 'posts that link to it' : 'posts with these words'
    const input = { username, slug: String(post.number) }
    const hint = { operation: 'get_post', input, does: 'shows the post itself' } as const
    return [{ code, parameter, ...hinted(`this finds ${finds}`, hint) }]
  }
  const suggestion = `from:${username}`
  const sentence = `this finds posts that mention ${name}, and ${suggestion} its own`
  const hint = {
    operation: 'get_channel',
    input: { username },
    does: 'describes the channel',
  } as const
  return [{ code, parameter, ...hinted(sentence, hint), suggestion }]
}

/** A word that no post holds may be a typing mistake; suggests the query as it may have been meant. */
export function correctionWarning(
  q: string,
  folded: readonly Correction[],
  found: 'shown' | 'later' | 'none',
): Warning[] {
  if (folded.length === 0) return []
  const corrections = folded.map((each) => ({
    ...each,
    nearest: withFinalLetters(each.nearest, each.word),
  }))
  let suggestion = q
  // From the end, so that earlier positions stay valid.
  for (const { word, nearest, start, end } of corrections.toReversed()) {
    const typed = suggestion.slice(start, end)
    const meant = typed.replace(word, () => nearest)
    suggestion = suggestion.slice(0, start) + meant + suggestion.slice(end)
  }
  const listed = (part: 'word' | 'nearest') =>
    [...new Set(corrections.map((each) => `\`${each[part]}\``))].join(' and ')
  const those =
    new Set(corrections.map(({ nearest }) => nearest)).size > 1 ? 'those words' : 'that word'
  const detail = `no post contains ${listed('word')}; did you mean ${listed('nearest')}?${FOLLOWS[found](those)}`
  return [{ code: 'word_not_held', parameter: 'q', detail, suggestion }]
}

const FOLLOWS = {
  shown: (words: string) => ` Posts with ${words} are shown.`,
  later: (words: string) => ` Posts with ${words} follow those found as typed.`,
  none: () => '',
}

/**
 * Whoever asks for an order may not know that only the best posts may lack words, and takes an empty answer for silence. A
 * search by relevance tells whether the words emptied the answer, or a filter.
 */
export async function allWordsWarning(
  index: SearchIndex,
  { query, root }: Pick<ReadSearch, 'query' | 'root'>,
  { hits, total, complete }: Pick<SearchResult, 'hits' | 'total' | 'complete'>,
  signal: AbortSignal | undefined,
): Promise<Warning[]> {
  const mayLack = query.match === 'stem' && !query.strict
  if (query.sort === 'relevance' || !mayLack || query.after !== null) return []
  if (hits.length > 0 || total.value > 0 || !complete) return []
  if (partsOf(root).filter(({ kind }) => kind === 'word').length < 2) return []
  const best = { ...query, sort: 'relevance', limit: 1, facets: [] } as const
  const found = await searchAsMeant(index, best, signal).catch((error: unknown) => {
    // The answer itself has been found, so it is not refused for want of a hint.
    if (error instanceof AppError) return { hits: [] }
    throw error
  })
  if (found.hits.length === 0) return []
  const [parameter, suggestion] = ['sort', 'relevance'] as const
  const sentence = `no post has all the words, and the order ${query.sort} requires them all`
  const hint = { parameter, value: suggestion, does: 'also finds posts with some' }
  return [{ code: 'all_words_required', parameter, ...hinted(sentence, hint), suggestion }]
}

/** With fewer hits it is no surprise that they come from one channel. */
const MIN_HITS = 5

/**
 * Readers of one page take it for everything. If all of its posts come from one channel that the query did not name, the
 * warning says how to see others.
 */
export function oneChannelWarning(
  { query, root }: Pick<ReadSearch, 'query' | 'root'>,
  excluded: readonly string[],
  { hits, next }: Pick<SearchResult, 'hits' | 'next'>,
  [shown]: readonly HitView[],
): Warning[] {
  const isFirst = query.sort === 'relevance' && query.after === null
  if (!isFirst || next === null || hits.length < MIN_HITS || !shown) return []
  const isNamed =
    query.filters.channel.any.length > 0 ||
    leavesOf(root, 'asked').some(({ kind }) => kind === 'channel')
  if (isNamed || new Set(hits.map(({ channelId }) => channelId)).size > 1) return []
  const [username] = shown.id.split('/')
  const parameter = 'exclude_channel'
  const sentence = `all ${hits.length} posts of this page are of ${username}`
  const hint = { parameter, does: 'shows those of others' }
  const suggestion = [...excluded, username].join(',')
  return [{ code: 'one_channel', parameter, ...hinted(sentence, hint), suggestion }]
}
