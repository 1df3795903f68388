import type { Channel } from '../../model/channel.ts'
import type { ChannelQuery, Page } from '../archive.ts'
import { channelsWhere } from './channel-rows.ts'
import type { Database } from './database.ts'

type Value = number | string

/** What each order compares; indexes exist for all but relevance. */
const ORDERS = {
  subscribers: { by: 'c.subscribers', direction: 'desc' },
  posts_per_day: { by: 'c.posts_per_day', direction: 'desc' },
  newest_post: { by: 'coalesce(c.last_post_at, -1)', direction: 'desc' },
  added: { by: 'c.added_at', direction: 'desc' },
  username: { by: 'c.name_key', direction: 'asc' },
} as const

const MAX_WORDS = 8

export function listChannels(db: Database, query: ChannelQuery): Page<Channel, readonly Value[]> {
  const words = query.words.slice(0, MAX_WORDS)
  const where = new Conditions()
  filter(where, query)
  for (const word of words) where.add(`instr(${WHOLE}, ?) > 0`, word)
  const isByClass = query.sort === 'relevance' && words.length > 0
  const order = isByClass || query.sort === 'relevance' ? ORDERS.subscribers : ORDERS[query.sort]
  const rank = isByClass ? classOf(words) : { sql: '0', values: [] }

  const after = query.after ? [...query.after] : undefined
  const [afterClass, afterValue, afterId] = after ?? []
  if (after) {
    const isPast = order.direction === 'desc' ? '<' : '>'
    where.add(
      `(${rank.sql} > ? or (${rank.sql} = ? and ${order.by} ${isPast}= ? and (${order.by} ${isPast} ? or c.id > ?)))`,
      ...rank.values,
      afterClass!,
      ...rank.values,
      afterClass!,
      afterValue!,
      afterValue!,
      afterId!,
    )
    // Stated alone too, so that the index seeks to it.
    if (!isByClass) where.add(`${order.by} ${isPast}= ?`, afterValue!)
  }
  const from = words.length > 0 ? 'join channel_words w on w.channel_id = c.id' : ''
  const sorted = isByClass ? `${rank.sql}, ` : ''
  const tail = `${from} ${where.sql()} order by ${sorted}${order.by} ${order.direction}, c.id limit ?`
  const values = [...where.values, ...(isByClass ? rank.values : []), query.limit + 1]
  const found = channelsWhere(db, tail, values)
  const items = found.slice(0, query.limit)
  const last = items.at(-1)
  if (found.length <= query.limit || !last) return { items, next: null }
  const sql = `select ${rank.sql} as class, ${order.by} as value from channels c ${from} where c.id = ?`
  const at = db.get<{ class: number; value: Value }>(sql, ...rank.values, last.id)!
  return { items, next: [at.class, at.value, last.id] }
}

function filter(where: Conditions, query: ChannelQuery): void {
  if (query.lang.length > 0) where.addList('c.language', query.lang)
  if (query.status.length > 0) where.addList('c.status', query.status)
  if (query.minSubscribers !== null) where.add('c.subscribers >= ?', query.minSubscribers)
  if (query.maxSubscribers !== null) {
    where.add('c.subscribers between 0 and ?', query.maxSubscribers)
  }
  if (query.verified !== null) where.add('c.verified = ?', query.verified ? 1 : 0)
  if (query.activeSince !== null) where.add('c.last_post_at >= ?', query.activeSince)
}

/** The SQL twin of `relevanceClass`. */
function classOf(words: readonly string[]): { readonly sql: string; readonly values: Value[] } {
  const all = (text: string) => words.map(() => text).join(' and ')
  const sql = `case when replace(c.name_key, '_', '') = ? then 0
    when ${all(`instr(${TITLE}, ' ' || ?) > 0`)} then 1
    when ${all(`instr(${TITLE}, ?) > 0`)} then 2 else 3 end`
  return { sql, values: [words.join(''), ...words, ...words] }
}

const TITLE = '(w.name || w.title)'
const WHOLE = '(w.name || w.title || w.description)'

class Conditions {
  readonly #parts: string[] = []
  readonly values: Value[] = []

  add(sql: string, ...values: Value[]): void {
    this.#parts.push(sql)
    this.values.push(...values)
  }

  addList(column: string, list: readonly string[]): void {
    this.add(`${column} in (select value from json_each(?))`, JSON.stringify(list))
  }

  sql(): string {
    return this.#parts.length === 0 ? '' : `where ${this.#parts.join(' and ')}`
  }
}
