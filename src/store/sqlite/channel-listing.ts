import type { ChannelQuery } from '../archive.ts'
import { reachOf } from '../channel-words.ts'
import type { Database } from './database.ts'

/** The filters and the order of a listing of channels, as SQL. */

export type Value = number | string

/** The expression each order sorts by. Each has an index; relevance has none and is not listed here. */
const ORDERS = {
  subscribers: { by: 'c.subscribers', direction: 'desc' },
  posts_per_day: { by: 'c.posts_per_day', direction: 'desc' },
  newest_post: { by: 'coalesce(c.last_post_at, -1)', direction: 'desc' },
  added: { by: 'c.added_at', direction: 'desc' },
  username: { by: 'c.name_key', direction: 'asc' },
} as const

/** A channel's place in the requested order. */
export interface Place {
  readonly class: number
  readonly value: Value
  readonly id: number
}

export interface TestedPlace extends Place {
  /** Null when a filter tests a column that is null. */
  readonly passes: 0 | 1 | null
}

interface Sql {
  readonly sql: string
  readonly values: readonly Value[]
}

export class Listing {
  /** True for relevance: how well a channel matches the words comes first, and no index has that order. */
  readonly isByClass: boolean
  readonly #order: (typeof ORDERS)[keyof typeof ORDERS]
  readonly #from: string
  readonly #class: Sql
  readonly #test: Sql

  constructor(query: ChannelQuery, words: readonly string[]) {
    this.isByClass = query.sort === 'relevance' && words.length > 0
    this.#order = query.sort === 'relevance' ? ORDERS.subscribers : ORDERS[query.sort]
    this.#from = words.length > 0 ? 'join channel_words w on w.channel_id = c.id' : ''
    this.#class = this.isByClass ? classOf(words) : { sql: '0', values: [] }
    this.#test = all([
      ...filtersOf(query),
      ...words.map((word) => any(isInTitle(word), isDescribed(word))),
    ])
  }

  compare(a: Place, b: Place): number {
    const byValue = a.value < b.value ? -1 : a.value > b.value ? 1 : 0
    const sign = this.#order.direction === 'desc' ? -1 : 1
    return a.class - b.class || sign * byValue || a.id - b.id
  }

  /** Those of the given channels that pass the filters. */
  among(db: Database, ids: readonly number[]): Place[] {
    return db.all<Place>(
      `select ${this.#class.sql} as class, ${this.#order.by} as value, c.id as id from channels c ${this.#from}
        where c.id in (select value from json_each(?)) and ${this.#test.sql}`,
      ...this.#class.values,
      JSON.stringify(ids),
      ...this.#test.values,
    )
  }

  /** The next channels along the index of the order, whether they pass the filters or not. */
  next(db: Database, after: Place | null, limit: number): TestedPlace[] {
    const { by, direction } = this.#order
    const isPast = direction === 'desc' ? '<' : '>'
    const from = after ? `where ${by} ${isPast}= ? and (${by} ${isPast} ? or c.id > ?)` : ''
    return db.all(
      `select 0 as class, ${by} as value, c.id as id, ${this.#test.sql} as passes from channels c ${this.#from} ${from}
        order by ${by} ${direction}, c.id limit ?`,
      ...this.#test.values,
      ...(after ? [after.value, after.value, after.id] : []),
      limit,
    )
  }
}

function filtersOf(query: ChannelQuery): Sql[] {
  const filters: Sql[] = []
  const add = (sql: string, value: Value) => filters.push({ sql, values: [value] })
  const addList = (column: string, list: readonly string[]) => {
    if (list.length > 0) add(`${column} in (select value from json_each(?))`, JSON.stringify(list))
  }
  addList('c.language', query.lang)
  addList('c.status', query.status)
  if (query.minSubscribers !== null) add('c.subscribers >= ?', query.minSubscribers)
  if (query.maxSubscribers !== null) add('c.subscribers between 0 and ?', query.maxSubscribers)
  if (query.verified !== null) add('c.verified = ?', query.verified ? 1 : 0)
  if (query.activeSince !== null) add('c.last_post_at >= ?', query.activeSince)
  return filters
}

/** `relevanceClass` in SQL. */
function classOf(words: readonly string[]): Sql {
  const begun = all(words.map(begins))
  const titled = all(words.map(isInTitle))
  return {
    sql: `case when replace(c.name_key, '_', '') = ? then 0 when ${begun.sql} then 1 when ${titled.sql} then 2 else 3 end`,
    values: [words.join(''), ...begun.values, ...titled.values],
  }
}

function begins(word: string): Sql {
  return holds('(w.name || w.title)', ` ${word}`)
}

function isInTitle(word: string): Sql {
  const { insideNames, insideAll } = reachOf(word)
  return any(
    begins(word),
    ...(insideNames ? [holds('w.name', word)] : []),
    ...(insideAll ? [holds('w.title', word)] : []),
  )
}

function isDescribed(word: string): Sql {
  return holds('w.description', reachOf(word).insideAll ? word : ` ${word}`)
}

function holds(text: string, piece: string): Sql {
  return { sql: `instr(${text}, ?) > 0`, values: [piece] }
}

function any(...parts: readonly Sql[]): Sql {
  return {
    sql: `(${parts.map(({ sql }) => sql).join(' or ')})`,
    values: parts.flatMap(({ values }) => values),
  }
}

function all(parts: readonly Sql[]): Sql {
  return {
    sql: parts.length === 0 ? '1' : `(${parts.map(({ sql }) => sql).join(' and ')})`,
    values: parts.flatMap(({ values }) => values),
  }
}
