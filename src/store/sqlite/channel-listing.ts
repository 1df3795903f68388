import type { ChannelQuery } from '../archive.ts'
import { ORDERS, wordsSql, type Order } from '../channel-list-sql.ts'
import type { Database } from './database.ts'

/** The filters and the order of a listing of channels, as SQL. */

export type Value = number | string

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

export class Listing {
  /** True for relevance: how well a channel matches the words comes first, and no index has that order. */
  readonly isByClass: boolean
  readonly #order: Order
  readonly #from: string
  readonly #class: string
  readonly #test: string
  /** Those of the filters, of the words and of the class, whether a statement tells the class or not. */
  readonly #values: Value[] = []

  constructor(query: ChannelQuery, words: readonly string[]) {
    const add = (value: Value) => `?${this.#values.push(value)}`
    const holds = (text: string, piece: string) => `instr(${text}, ${piece}) > 0`
    const { conditions, rank } = wordsSql(words, { add, holds })
    this.isByClass = query.sort === 'relevance' && words.length > 0
    this.#order = query.sort === 'relevance' ? ORDERS.subscribers : ORDERS[query.sort]
    this.#from = words.length > 0 ? 'join channel_words w on w.channel_id = c.id' : ''
    this.#class = this.isByClass ? rank() : '0'
    this.#test = [...filtersOf(query, add), ...conditions].join(' and ') || '1'
  }

  compare(a: Place, b: Place): number {
    const byValue = a.value < b.value ? -1 : a.value > b.value ? 1 : 0
    const sign = this.#order.direction === 'desc' ? -1 : 1
    return a.class - b.class || sign * byValue || a.id - b.id
  }

  /** Those of the given channels that pass the filters. */
  among(db: Database, ids: readonly number[]): Place[] {
    return db.all<Place>(
      `select ${this.#class} as class, ${this.#order.by} as value, c.id as id from channels c ${this.#from}
        where c.id in (select value from json_each(?${this.#values.length + 1})) and ${this.#test}`,
      ...this.#values,
      JSON.stringify(ids),
    )
  }

  /** The next channels along the index of the order, whether they pass the filters or not. */
  next(db: Database, after: Place | null, limit: number): TestedPlace[] {
    const { by, direction } = this.#order
    const isPast = direction === 'desc' ? '<' : '>'
    const [most, value, id] = [1, 2, 3].map((i) => `?${this.#values.length + i}`)
    const from = after
      ? `where ${by} ${isPast}= ${value} and (${by} ${isPast} ${value} or c.id > ${id})`
      : ''
    return db.all(
      `select 0 as class, ${by} as value, c.id as id, ${this.#test} as passes from channels c ${this.#from} ${from}
        order by ${by} ${direction}, c.id limit ${most}`,
      ...this.#values,
      limit,
      ...(after ? [after.value, after.id] : []),
    )
  }
}

function filtersOf(query: ChannelQuery, add: (value: Value) => string): string[] {
  const { lang, status, minSubscribers, maxSubscribers, verified, activeSince } = query
  const isOneOf = (column: string, list: readonly string[]) =>
    list.length === 0
      ? []
      : [`${column} in (select value from json_each(${add(JSON.stringify(list))}))`]
  const passes = (test: string, value: Value | null) => (value === null ? [] : [test + add(value)])
  return [
    ...isOneOf('c.language', lang),
    ...isOneOf('c.status', status),
    ...passes('c.subscribers >= ', minSubscribers),
    ...passes('c.subscribers between 0 and ', maxSubscribers),
    ...passes('c.verified = ', verified === null ? null : Number(verified)),
    ...passes('c.last_post_at >= ', activeSince),
  ]
}
