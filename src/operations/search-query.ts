import { errorOf } from '../model/errors.ts'
import { nameKey } from '../model/channel-name.ts'
import { hinted } from '../model/hint.ts'
import type { QueryNode, SearchQuery, Sort } from '../model/query.ts'
import { leavesOf, mapLeaves, partsOf } from '../model/query-tree.ts'
import { WINDOW_MS } from '../search/search-index.ts'
import { parseQuery, type ParseQueryOptions } from '../text/query/parse-query.ts'
import { readQuery, type QueryReading } from '../text/query/read-query.ts'
import type { Context } from './context.ts'
import { checkChannels, lookUpChannels } from './asked-channels.ts'
import { readingWarnings } from './reading-warnings.ts'
import type { Warning } from './warnings.ts'
import { DEFAULT_LIMIT, resolve } from './parameters.ts'
import { hasFilter, type SearchInput } from './search-input.ts'
import { CLOCK_SKEW_MS, windowWarning } from './window-warning.ts'

/** The caller's input, understood: times resolved, names looked up, defaults filled in. */
export interface ReadSearch {
  readonly query: SearchQuery
  /** The query string as it was read: what was typed, unless it had to be repaired. */
  readonly q: string
  /** As typed, for highlights and for showing how the query was read. */
  readonly root: QueryNode | null
  readonly reading: QueryReading['kind']
  /** The window that the parameters or the query ask for; null where it is open. */
  readonly asked: { readonly since: number | null; readonly until: number | null }
  /** What the cursor is bound to. */
  readonly bound: unknown
  /** Names in the query that are not indexed here but could be. */
  readonly notIndexed: readonly string[]
  /** The channels it names, wanted or not, that are not in the archive: once one is added, it has to be read again. */
  readonly unknown: readonly string[]
  readonly warnings: readonly Warning[]
}

/** Matches no post: a filter on unknown names must find nothing, not everything. */
const NOBODY = -1

export async function readSearch(
  ctx: Pick<Context, 'store' | 'clock' | 'cursors'>,
  input: SearchInput,
): Promise<ReadSearch> {
  const now = ctx.clock.now()
  const { limit = DEFAULT_LIMIT, cursor, detail: _detail, ...rest } = input
  const bound = ['search_posts', rest]
  const position = cursor === undefined ? null : ctx.cursors.decode(cursor, bound)

  const isFiltered = hasFilter(input)
  if (input.q === undefined && !isFiltered) {
    const detail = 'expected words to search for (`q`) or at least one filter'
    throw errorOf({ parameter: 'q', code: 'missing_parameter', detail })
  }
  const reading =
    input.q === undefined
      ? NO_WORDS
      : read(input.q, { now, zone: input.tz, hasFilters: isFiltered }, input.strict ?? false)
  const { root } = reading
  const inQuery = { all: namesIn(root, 'all'), asked: namesIn(root, 'asked') }
  const everyName = [...(input.channel ?? []), ...(input.exclude_channel ?? []), ...inQuery.all]
  const names = await lookUpChannels(ctx, everyName)
  const idOf = (name: string) => names.get(nameKey(name))?.id ?? NOBODY
  const { since, until, asked, arrivedSince, warnings } = windowOf(input, root, now, position)

  const query: SearchQuery = {
    root: root && resolveLeaves(root, idOf, since),
    filters: {
      channel: {
        any: (input.channel ?? []).map(idOf),
        none: (input.exclude_channel ?? []).map(idOf),
      },
      lang: lists(input.lang, input.exclude_lang),
      hashtag: lists(input.hashtag, input.exclude_hashtag),
      mention: lists(input.mention?.map(nameKey), input.exclude_mention?.map(nameKey)),
      domain: lists(input.domain, input.exclude_domain),
      url: lists(input.url, input.exclude_url),
      forwardedFrom: lists(
        input.forwarded_from?.map(nameKey),
        input.exclude_forwarded_from?.map(nameKey),
      ),
      has: input.has ?? [],
      forwards: input.forwards ?? 'include',
      replies: input.replies ?? 'include',
      edited: input.edited ?? 'include',
      minViews: input.min_views ?? null,
      minReactions: input.min_reactions ?? null,
      minSubscribers: input.min_subscribers ?? null,
    },
    sort: input.sort ?? defaultSort(root),
    match: input.match ?? 'stem',
    strict: input.strict ?? false,
    collapse: input.collapse === 'duplicates',
    since,
    until,
    arrivedSince,
    facets: input.facets ?? [],
    limit,
    after: position === null ? null : position.slice(3),
  }
  const judged = await checkChannels(ctx, names, {
    reach: asked.since === null && asked.until === null ? null : since,
    wanted: { channel: input.channel, q: inQuery.asked },
    unwanted: {
      exclude_channel: input.exclude_channel,
      q: inQuery.all.filter((name) => !inQuery.asked.includes(name)),
    },
  })
  return {
    query,
    q: reading.repair?.read ?? input.q ?? '',
    root,
    reading: reading.kind,
    asked,
    bound,
    notIndexed: judged.notIndexed,
    unknown: everyName.map(nameKey).filter((name) => !names.has(name)),
    warnings: [...readingWarnings(reading), ...warnings, ...judged.warnings],
  }
}

const NO_WORDS = { root: null, kind: 'operators', repair: null } as const

/** A strict query is parsed as operators, without any repair or guess. */
function read(q: string, options: ParseQueryOptions, strict: boolean): QueryReading {
  if (!strict) return readQuery(q, options)
  return { root: parseQuery(q, options), kind: 'operators', repair: null }
}

/** The year 2255; engines that count in seconds can still represent it. */
const FOR_EVER = 9_000_000_000_000

/** The query for judging posts one by one, old or future: the window as asked for, open where it was left open. */
export function withOpenWindow({ query, asked }: Pick<ReadSearch, 'query' | 'asked'>): SearchQuery {
  return { ...query, since: asked.since ?? 0, until: asked.until ?? FOR_EVER }
}

/** The cursor of the next page carries the window of the first, so that relative times do not move during a walk. */
export function nextCursorOf(
  ctx: Context,
  { bound, query }: ReadSearch,
  next: readonly (number | string)[] | null,
): string | null {
  if (next === null) return null
  return ctx.cursors.encode(bound, [query.since, query.until, query.arrivedSince ?? '', ...next])
}

function windowOf(
  input: SearchInput,
  root: QueryNode | null,
  now: number,
  position: readonly (number | string)[] | null,
) {
  const edge = now - WINDOW_MS
  const bounds = boundsIn(root)
  const since = Math.max(resolve(input.since, now, input.tz) ?? -Infinity, bounds.after)
  const until = Math.min(resolve(input.until, now, input.tz) ?? Infinity, bounds.before)
  if (position !== null) {
    const [first, last, arrived] = position as [number, number, number | '']
    // What was left open on the first page is open on all, although the cursor has a time for it.
    const asked = {
      since: since === -Infinity ? null : first,
      until: until === Infinity ? null : last,
    }
    const arrivedSince = arrived === '' ? null : arrived
    return { since: first, until: last, asked, arrivedSince, warnings: [] }
  }
  const parameter = input.since !== undefined ? 'since' : input.until !== undefined ? 'until' : 'q'
  const warnings = windowWarning(since, until, now, parameter)
  if ((since > -Infinity && since < edge) || until <= edge) {
    warnings.push({
      code: 'window_clipped',
      parameter,
      ...hinted('search reaches back 30 days', {
        operation: 'list_channel_posts',
        input: {},
        does: 'has older posts',
      }),
    })
  }
  return {
    since: Math.max(since, edge),
    asked: { since: finite(since), until: finite(until) },
    until: until === Infinity ? now + CLOCK_SKEW_MS : until,
    arrivedSince: resolve(input.arrived_since, now, input.tz),
    warnings,
  }
}

function finite(at: number): number | null {
  return Number.isFinite(at) ? at : null
}

/** The narrowest `after:` and `before:` of the query; they occur at its top level only. */
function boundsIn(root: QueryNode | null): { after: number; before: number } {
  let after = -Infinity
  let before = Infinity
  for (const part of partsOf(root)) {
    if (part.kind === 'after') after = Math.max(after, part.at)
    if (part.kind === 'before') before = Math.min(before, part.at)
  }
  return { after, before }
}

function defaultSort(root: QueryNode | null): Sort {
  return leavesOf(root, 'asked').some(({ kind }) => WORDS.has(kind)) ? 'relevance' : 'newest'
}

const WORDS: ReadonlySet<string> = new Set(['word', 'exact', 'prefix', 'phrase', 'quote'])

function namesIn(root: QueryNode | null, which: 'all' | 'asked'): string[] {
  return leavesOf(root, which).flatMap((leaf) => (leaf.kind === 'channel' ? [leaf.value] : []))
}

/**
 * An index knows channels by id only, so `from:` leaves get the id as their value. An age in `after:` counts back from now, and
 * so from later on each page: it must not narrow the window of the first.
 */
function resolveLeaves(root: QueryNode, idOf: (name: string) => number, since: number): QueryNode {
  return mapLeaves(root, (leaf) => {
    if (leaf.kind === 'channel') return { ...leaf, value: String(idOf(leaf.value)) }
    return leaf.kind === 'after' ? { ...leaf, at: Math.min(leaf.at, since) } : leaf
  })
}

function lists(any: readonly string[] | undefined, none: readonly string[] | undefined) {
  return { any: any ?? [], none: none ?? [] }
}
