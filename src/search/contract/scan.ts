/**
 * The oracle: compares every post with the parsed query, with no plan, no terms and no limits. It shares nothing with the
 * engines, so that a filter which one of them forgets shows up.
 */
import type { Clock } from '../../model/clock.ts'
import type { PostRef } from '../../model/post.ts'
import type {
  FacetName,
  FacetValue,
  Inclusion,
  ListFilter,
  QueryNode,
  SearchFilters,
  SearchQuery,
} from '../../model/query.ts'
import { joinedWords, type JoinedWords } from '../../text/joined-words.ts'
import { domainTerms } from '../../text/urls.ts'
import { WINDOW_MS, type IndexBatch, type IndexDocument } from '../search-index.ts'
import { holdsEntity, testOfEntity, testOfPrefix, testOfWords, type Test } from './scan-words.ts'

/** What an index has to answer. */
export interface Expected {
  /** All matches, in the order asked for; in order of time for relevance. */
  readonly matches: readonly IndexDocument[]
  /** The matches that are shown: only the earliest of each group when the search collapses. */
  readonly shown: readonly IndexDocument[]
  /** All values, most frequent first, then by code points; days and hours in time order. */
  readonly facets: Partial<Record<FacetName, readonly FacetValue[]>>
}

export type Scan = ReturnType<typeof createScan>

type Holds = (post: IndexDocument, value: string) => boolean

export const refKey = ({ channelId, number }: PostRef) => `${channelId}/${number}`
const secOf = (instant: number) => Math.floor(instant / 1000)

export function createScan(clock: Clock) {
  const posts = new Map<string, IndexDocument>()
  const subscribers = new Map<number, number>()

  function put(document: IndexDocument): void {
    const held = posts.get(refKey(document))
    if (!held || held.revision <= document.revision) {
      posts.set(refKey(document), document)
      subscribers.set(document.channelId, document.subscribers)
    }
  }

  function apply(batch: IndexBatch): void {
    batch.puts?.forEach(put)
    for (const ref of batch.removals ?? []) posts.delete(refKey(ref))
    for (const { views, reactions, ...ref } of batch.counters ?? []) {
      const held = posts.get(refKey(ref))
      if (held) posts.set(refKey(ref), { ...held, views, reactions })
    }
    for (const each of batch.channels ?? []) subscribers.set(each.channelId, each.subscribers)
    for (const [key, { channelId }] of posts) {
      if (batch.removedChannels?.includes(channelId)) posts.delete(key)
    }
  }

  const inWindow = (post: IndexDocument) => post.publishedAt >= clock.now() - WINDOW_MS

  function search(query: SearchQuery): Expected {
    const minSubscribers = query.filters.minSubscribers ?? 0
    const tests: Test[] = [
      inWindow,
      (post) => post.publishedAt >= query.since && post.publishedAt < query.until,
      (post) => secOf(post.firstCapturedAt) >= secOf(query.arrivedSince ?? 0),
      (post) => (subscribers.get(post.channelId) ?? 0) >= minSubscribers,
      ...testsOf(query.filters),
      (query.root && testOf(query.root, query.match === 'stem')) ?? (() => true),
    ]
    const matches = [...posts.values()]
      .filter((post) => tests.every((test) => test(post)))
      .sort(ORDERS[query.sort])
    const shown = query.collapse ? collapsed(matches) : matches
    const facets = query.facets.map((name) => [name, facetOf(name, matches)])
    return { matches, shown, facets: Object.fromEntries(facets) }
  }

  /** The members of the post's group within the window, earliest first. */
  function members(ref: PostRef): IndexDocument[] {
    const group = posts.get(refKey(ref))?.group ?? null
    const all = group === null ? [] : [...posts.values()].filter((post) => post.group === group)
    return all.filter(inWindow).sort(earliest)
  }

  return { apply, search, members, posts: posts as ReadonlyMap<string, IndexDocument> }
}

type Compare = (a: IndexDocument, b: IndexDocument) => number

const newest: Compare = (a, b) =>
  secOf(b.publishedAt) - secOf(a.publishedAt) || a.channelId - b.channelId || b.number - a.number
/** Within one second, the post with the lower channel and number counts as earlier. */
const earliest: Compare = (a, b) =>
  secOf(a.publishedAt) - secOf(b.publishedAt) || a.channelId - b.channelId || a.number - b.number
const ORDERS: Readonly<Record<SearchQuery['sort'], Compare>> = {
  newest,
  relevance: newest,
  oldest: (a, b) => newest(b, a),
  views: (a, b) => b.views - a.views || newest(a, b),
}

function collapsed(matches: readonly IndexDocument[]): IndexDocument[] {
  const groups = Map.groupBy(matches.toSorted(earliest), (post) => post.group)
  return matches.filter((post) => post.group === null || groups.get(post.group)![0] === post)
}

function testsOf(filters: SearchFilters): Test[] {
  return [
    listed(filters.channel, HOLDS.channel),
    listed(filters.lang, HOLDS.lang),
    listed(filters.hashtag, (post, tag) => holdsEntity(post, `#${tag}`)),
    listed(filters.mention, (post, name) => holdsEntity(post, `@${name}`)),
    listed(filters.domain, HOLDS.domain),
    listed(filters.url, HOLDS.url),
    listed(filters.forwardedFrom, (post, name) => post.forwardedFrom === name),
    (post) => filters.has.every((value) => post.has.includes(value)),
    included(filters.forwards, (post) => post.isForward),
    included(filters.replies, (post) => post.isReply),
    included(filters.edited, (post) => post.isEdited),
    (post) => post.views >= (filters.minViews ?? 0),
    (post) => post.reactions >= (filters.minReactions ?? 0),
  ]
}

function listed<T extends string | number>({ any, none }: ListFilter<T>, holds: Holds): Test {
  const isOneOf = (post: IndexDocument, values: readonly T[]) =>
    values.some((value) => holds(post, String(value)))
  return (post) => (any.length === 0 || isOneOf(post, any)) && !isOneOf(post, none)
}

function included(inclusion: Inclusion, test: Test): Test {
  return (post) => inclusion === 'include' || test(post) === (inclusion === 'only')
}

const HOLDS: Readonly<Record<'channel' | 'lang' | 'domain' | 'url' | 'has' | 'is', Holds>> = {
  channel: (post, id) => String(post.channelId) === id,
  lang: (post, code) => post.language === code,
  domain: (post, domain) => post.domains.some((host) => domainTerms(host).includes(domain)),
  url: (post, url) => post.urls.includes(url),
  has: (post, value) => post.has.some((each) => each === value),
  is: ({ isForward: forward, isReply: reply, isEdited: edited }, value) =>
    Object.entries({ forward, reply, edited }).some(([name, is]) => is && name === value),
}

const MARKS = { hashtag: '#', mention: '@', cashtag: '$' }

/** Undefined if there is nothing to search for: such a part is left out. */
function testOf(
  node: QueryNode,
  stems: boolean,
  besides: JoinedWords = new Map(),
): Test | undefined {
  switch (node.kind) {
    case 'and':
    case 'or': {
      const joined = joinedWords(node.kind === 'and' ? node.nodes : [])
      const tests = node.nodes.flatMap((each) => testOf(each, stems, joined) ?? [])
      if (tests.length === 0) return undefined
      const all = node.kind === 'and'
      return (post) => (all ? tests.every((test) => test(post)) : tests.some((test) => test(post)))
    }
    case 'not': {
      const test = testOf(node.node, stems)
      return test && ((post) => !test(post))
    }
    case 'word':
      return testOfWords(node.text, stems, besides.get(node.text))
    case 'exact':
    case 'phrase':
    case 'quote':
      return testOfWords(node.text, false)
    case 'prefix':
      return testOfPrefix(node.text)
    case 'hashtag':
    case 'mention':
    case 'cashtag':
      return testOfEntity(MARKS[node.kind] + node.value)
    case 'channel':
    case 'lang':
    case 'domain':
    case 'url':
    case 'has':
    case 'is':
      return (post) => HOLDS[node.kind](post, node.value)
    case 'after':
      return (post) => post.publishedAt >= node.at
    case 'before':
      return (post) => post.publishedAt < node.at
    case 'min_views':
      return (post) => post.views >= node.value
  }
}

function facetOf(name: FacetName, matches: readonly IndexDocument[]): FacetValue[] {
  const groups = Map.groupBy(matches.flatMap(VALUES[name]), (value) => value)
  const values = [...groups].map(([value, all]) => ({ value, count: all.length }))
  const byCount = name === 'day' || name === 'hour' ? 0 : 1
  const bytes = ({ value }: FacetValue) => Buffer.from(value)
  return values.sort((a, b) => byCount * (b.count - a.count) || Buffer.compare(bytes(a), bytes(b)))
}

const VALUES: Readonly<Record<FacetName, (post: IndexDocument) => readonly string[]>> = {
  day: (post) => [new Date(post.publishedAt).toISOString().slice(0, 10)],
  hour: (post) => [`${new Date(post.publishedAt).toISOString().slice(0, 13)}:00:00Z`],
  channel: (post) => [String(post.channelId)],
  lang: (post) => (post.language === null ? [] : [post.language]),
  domain: (post) => post.domains,
  hashtag: (post) => post.hashtags,
  has: (post) => post.has,
}
