import {
  FACETS,
  HAS_VALUES,
  SORTS,
  type FacetName,
  type HasValue,
  type QueryNode,
  type SearchFilters,
  type SearchQuery,
  type Sort,
} from '../../model/query.ts'
import { analyze } from '../../text/analyze.ts'
import { WINDOW_MS, type IndexDocument } from '../search-index.ts'

/** Random documents and queries from a seed, with which adapters are compared with the oracle. */

export type Random = () => number

export function createRandom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

const WORDS =
  'flood metro tunnel closed water storm power budget votes running runner runs runway runtime bitcoin falls price измена метро закрыто линия вода 地震 大学生 比特币 大学地震 地震大学生比特币 น้ำท่วม รถไฟ น้ำท่วมรถไฟ รถไฟน้ำท่วมรถไฟ covid-19 covid19 F-16 F16 1299 1.299 1,299 cease-fire ceasefire Нью-Йорк Нью-Йорка Müller Müller-Höger Mueller-Höger naïve l’homme homme زلزله'.split(
    ' ',
  )
const LANGUAGES = ['en', 'ru', 'de', 'fa', 'fr', null]

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)]!
const some = <T>(random: Random, list: readonly T[], share: number) =>
  list.filter(() => random() < share)

/** A post of a few common words; about every third repeats an earlier text, and many share a second. */
export function sampleDocument(random: Random, now: number, texts: string[]): IndexDocument {
  const length = 1 + Math.floor(random() * 12)
  const made = Array.from({ length }, () => pick(random, WORDS)).join(random() < 0.2 ? '\n' : ' ')
  const text = texts.length > 0 && random() < 0.35 ? pick(random, texts) : made
  texts.push(text)
  const language = pick(random, LANGUAGES)
  const { tokens } = analyze(text, language)
  const age = Math.floor(random() * 30 * 24) * 3_600_000
  const channelId = 1 + Math.floor(random() * 6)
  const isForward = random() < 0.2
  return {
    channelId,
    number: 1 + Math.floor(random() * 40),
    revision: 1 + Math.floor(random() * 3),
    publishedAt: Math.floor((now - age) / 1000) * 1000,
    firstCapturedAt: now - Math.floor((random() * age) / 1000) * 1000,
    language,
    toks: tokens.map((token) => token.tok),
    stems: tokens.map((token) => token.stem),
    accented: tokens.filter((token) => token.isAccented).map((token) => token.tok),
    firstLineToks: Math.min(tokens.length, Math.floor(random() * 6)),
    entities: some(random, ['#news', '$btc', '@durov', 'emoji:1f525'], 0.2),
    hashtags: some(random, ['news', 'money', 'sport'], 0.2),
    mentions: some(random, ['durov', 'telegram'], 0.2),
    domains: some(random, ['example.com', 'news.example.com', 'other.org'], 0.2),
    urls: some(random, ['https://example.com/a', 'https://other.org'], 0.1),
    forwardedFrom: isForward ? pick(random, ['durov', 'telegram']) : null,
    isForward,
    isReply: random() < 0.1,
    isEdited: random() < 0.1,
    has: some(random, HAS_VALUES, 0.1),
    views: Math.floor(random() * 6) * 100,
    reactions: Math.floor(random() * 4),
    subscribers: channelId * 1000,
    group: text.length > 12 ? 1 + texts.indexOf(text) : null,
    isCopy: text.length > 12 && random() < 0.4,
  }
}

export function sampleQuery(random: Random, now: number): SearchQuery {
  const sort: Sort = pick(random, SORTS)
  const since = now - Math.floor(random() < 0.7 ? WINDOW_MS : random() * WINDOW_MS)
  return {
    root: random() < 0.9 ? sampleRoot(random) : null,
    filters: random() < 0.4 ? sampleFilters(random) : NO_FILTERS,
    sort,
    match: random() < 0.8 ? 'stem' : 'exact',
    strict: random() < 0.2,
    collapse: random() < 0.4,
    since,
    until: random() < 0.8 ? now + 1 : now - Math.floor(random() * WINDOW_MS * 0.3),
    arrivedSince: random() < 0.1 ? now - Math.floor(random() * WINDOW_MS) : null,
    facets: random() < 0.4 ? some<FacetName>(random, FACETS, 0.5) : [],
    limit: 1 + Math.floor(random() * 12),
    after: null,
  }
}

function sampleRoot(random: Random): QueryNode {
  const nodes = Array.from({ length: 1 + Math.floor(random() * 3) }, () => sampleNode(random, 0))
  if (random() < 0.1) nodes.push({ kind: 'min_views', value: 200, ...AT })
  if (random() < 0.05) nodes.push({ kind: 'not', node: { kind: 'min_views', value: 400, ...AT } })
  return nodes.length > 1 ? { kind: 'and', nodes } : nodes[0]!
}

const AT = { start: 0, end: 0 }

function sampleNode(random: Random, depth: number): QueryNode {
  const chance = random()
  if (chance < 0.55 || depth > 2) return { kind: 'word', text: pick(random, WORDS), ...AT }
  if (chance < 0.6) return { kind: 'exact', text: pick(random, WORDS), ...AT }
  if (chance < 0.65) return { kind: 'prefix', text: pick(random, ['run', 'flo', 'зак']), ...AT }
  if (chance < 0.7) {
    const kind = pick(random, ['phrase', 'quote', 'quote'] as const)
    const words = Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(random, WORDS))
    return { kind, text: words.join(' '), ...AT }
  }
  if (chance < 0.73) return { kind: 'hashtag', value: 'news', ...AT }
  if (chance < 0.75) return { kind: 'has', value: pick<HasValue>(random, HAS_VALUES), ...AT }
  if (chance < 0.77) return { kind: 'channel', value: '3', ...AT }
  if (chance < 0.79) return { kind: 'is', value: 'forward', ...AT }
  if (chance < 0.9) return { kind: 'not', node: sampleNode(random, depth + 1) }
  const nodes = [sampleNode(random, depth + 1), sampleNode(random, depth + 1)]
  return { kind: random() < 0.7 ? 'or' : 'and', nodes }
}

const NONE = { any: [], none: [] }

export const NO_FILTERS: SearchFilters = {
  channel: NONE,
  lang: NONE,
  hashtag: NONE,
  mention: NONE,
  domain: NONE,
  url: NONE,
  forwardedFrom: NONE,
  has: [],
  forwards: 'include',
  replies: 'include',
  edited: 'include',
  minViews: null,
  minReactions: null,
  minSubscribers: null,
}

function sampleFilters(random: Random): SearchFilters {
  const list = <T>(values: readonly T[]) => ({
    any: random() < 0.2 ? some(random, values, 0.6) : [],
    none: random() < 0.1 ? some(random, values, 0.4) : [],
  })
  const inclusion = () =>
    pick(random, ['include', 'include', 'include', 'only', 'exclude'] as const)
  return {
    channel: list([1, 2, 3, -1]),
    lang: list(['en', 'ru', 'xx']),
    hashtag: list(['news', 'money']),
    mention: list(['durov']),
    domain: list(['example.com', 'other.org']),
    url: list(['https://example.com/a']),
    forwardedFrom: list(['durov', 'telegram']),
    has: random() < 0.1 ? ['photo'] : [],
    forwards: inclusion(),
    replies: inclusion(),
    edited: inclusion(),
    minViews: random() < 0.1 ? 200 : null,
    minReactions: random() < 0.1 ? 2 : null,
    minSubscribers: random() < 0.1 ? 3000 : null,
  }
}

/** A plain search of the whole window, except for what `said` overrides. */
export function plainSearch(now: number, said: Partial<SearchQuery>): SearchQuery {
  return {
    root: null,
    filters: NO_FILTERS,
    sort: 'newest',
    match: 'stem',
    strict: false,
    collapse: false,
    since: now - WINDOW_MS,
    until: now + 1,
    arrivedSince: null,
    facets: [],
    limit: 20,
    after: null,
    ...said,
  }
}
