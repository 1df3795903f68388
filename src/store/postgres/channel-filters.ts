import type { ChannelQuery } from '../archive.ts'
import type { Value } from './database.ts'

/** Collects the values of a statement; each gets the next placeholder. */
export class Values {
  readonly all: Value[] = []

  add(value: Value): string {
    this.all.push(value)
    return `$${this.all.length}`
  }
}

/** A condition on channels. */
export interface Filter {
  readonly condition: string
  /** Selects the ids that pass, by an index. Null when the index of the requested order finds them, or nearly all pass. */
  readonly ids: string | null
}

/** Up to this many channels that pass a filter are looked up and sorted; with more, a walk in the requested order is short. */
const FEW = 1_000
const SOME = `limit ${FEW + 1}`

export function filtersOf(query: ChannelQuery, values: Values): Filter[] {
  const { lang, status, verified, activeSince, sort } = query
  const filters: Filter[] = []
  if (lang.length > 0) filters.push(isOneOf('language', lang, values))
  if (status.length > 0) filters.push(isOneOf('status', status, values))
  if (verified !== null) {
    const ids = verified ? `select id from channels where verified order by id ${SOME}` : null
    filters.push({ condition: verified ? 'c.verified' : 'not c.verified', ids })
  }
  const sized = sizeOf(query, values)
  if (sized !== null) {
    const ids = `select c.id from channels c where ${sized} order by c.subscribers desc, c.id ${SOME}`
    const isInOrder = sort === 'subscribers' || sort === 'relevance'
    filters.push({ condition: sized, ids: isInOrder ? null : ids })
  }
  if (activeSince !== null) {
    const condition = `coalesce(c.last_post_at, -1) >= ${values.add(activeSince)}`
    const ids = `select c.id from channels c where ${condition}
      order by coalesce(c.last_post_at, -1) desc, c.id ${SOME}`
    filters.push({ condition, ids: sort === 'newest_post' ? null : ids })
  }
  return filters
}

function isOneOf(column: string, wanted: readonly string[], values: Values): Filter {
  const mark = `${values.add([...new Set(wanted)])}::text[]`
  return {
    condition: `c.${column} = any(${mark})`,
    // Not "=": the planner does not know the value, and for a common one would prefer to read the whole table.
    ids: `select x.id from unnest(${mark}) as w (value) cross join lateral (select id from channels
      where ${column} between w.value and w.value order by ${column}, id ${SOME}) x ${SOME}`,
  }
}

function sizeOf({ minSubscribers, maxSubscribers }: ChannelQuery, values: Values): string | null {
  const bounds = [
    ...(minSubscribers === null ? [] : [`c.subscribers >= ${values.add(minSubscribers)}`]),
    ...(maxSubscribers === null
      ? []
      : [`c.subscribers between 0 and ${values.add(maxSubscribers)}`]),
  ]
  return bounds.length > 0 ? bounds.join(' and ') : null
}

/** The ways to find the channels that pass all filters; the database takes the first that is short enough. */
export interface AccessPaths {
  /** CTEs, `a as materialized (…)`; empty when there is only one path. */
  readonly lists: readonly string[]
  /** The conditions of each path; they hold only for the one that is taken. */
  readonly byIds: readonly string[]
  readonly walk: readonly string[]
}

export function accessPathsOf(filters: readonly Filter[]): AccessPaths {
  const lists = filters.flatMap(({ ids }) => ids ?? [])
  const isShort = (i: number) => `(select count(*) from few_${i}) <= ${FEW}`
  const noneBefore = (i: number) => lists.slice(0, i).map((_ids, j) => `not ${isShort(j)}`)
  return {
    lists: lists.map((ids, i) => `few_${i} as materialized (${ids})`),
    // As an array, which the planner takes for a few rows: a join would be planned for many.
    byIds: lists.map((_ids, i) =>
      [`c.id = any(array(select id from few_${i}))`, isShort(i), ...noneBefore(i)].join(' and '),
    ),
    walk: noneBefore(lists.length),
  }
}
