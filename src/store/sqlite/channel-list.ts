import { setImmediate as breathe } from 'node:timers/promises'
import type { Channel } from '../../model/channel.ts'
import type { ChannelQuery, Page } from '../archive.ts'
import { channelById } from './channel-rows.ts'
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
/** Relevance is found out channel by channel, so the event loop gets its turn after so many. */
const CHANNELS_A_STEP = 5_000

/** A channel's place in the order asked for. */
interface Place {
  readonly class: number
  readonly value: Value
  readonly id: number
}

export async function listChannels(
  db: Database,
  query: ChannelQuery,
): Promise<Page<Channel, string>> {
  const words = query.words.slice(0, MAX_WORDS)
  const listing = listingOf(query, words)
  let places: Place[] = []
  if (!listing.isByClass) {
    places = await db.read(() => placesIn(db, listing, query.limit + 1))
  } else {
    const { last } = (await db.read(() => db.get<{ last: number }>(LAST_ID)))!
    for (let from = 0; from < last; from += CHANNELS_A_STEP) {
      const range = [from, from + CHANNELS_A_STEP] as const
      const found = await db.read(() => placesIn(db, listing, query.limit + 1, range))
      places = [...places, ...found].toSorted(byRelevance).slice(0, query.limit + 1)
      await breathe()
    }
  }
  const shown = places.slice(0, query.limit)
  const items = await db.read(() => shown.flatMap(({ id }) => channelById(db, id) ?? []))
  const last = shown.at(-1)
  const isEnd = places.length <= query.limit || !last
  return { items, next: isEnd ? null : JSON.stringify([last.class, last.value, last.id]) }
}

interface Listing {
  /** No index has this order: every channel is looked at. */
  readonly isByClass: boolean
  readonly from: string
  readonly where: Conditions
  readonly rank: { readonly sql: string; readonly values: readonly Value[] }
  readonly order: (typeof ORDERS)[keyof typeof ORDERS]
}

function listingOf(query: ChannelQuery, words: readonly string[]): Listing {
  const where = new Conditions()
  filter(where, query)
  for (const word of words) where.add(`instr(${WHOLE}, ?) > 0`, word)
  const isByClass = query.sort === 'relevance' && words.length > 0
  const order = query.sort === 'relevance' ? ORDERS.subscribers : ORDERS[query.sort]
  const rank = isByClass ? classOf(words) : { sql: '0', values: [] }
  if (query.after) {
    const [afterClass, afterValue, afterId] = JSON.parse(query.after) as Value[]
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
  return {
    isByClass,
    from: `channels c ${words.length > 0 ? 'join channel_words w on w.channel_id = c.id' : ''}`,
    where,
    rank,
    order,
  }
}

/** Within a class the largest channel comes first. */
function byRelevance(a: Place, b: Place): number {
  return a.class - b.class || Number(b.value) - Number(a.value) || a.id - b.id
}

function placesIn(
  db: Database,
  { isByClass, from, where, rank, order }: Listing,
  limit: number,
  range?: readonly [after: number, to: number],
): Place[] {
  const ids = range ? 'and c.id > ? and c.id <= ?' : ''
  const sorted = isByClass ? 'class, ' : ''
  return db.all<Place>(
    `select ${rank.sql} as class, ${order.by} as value, c.id as id from ${from} ${where.sql()} ${ids}
      order by ${sorted}${order.by} ${order.direction}, c.id limit ?`,
    ...rank.values,
    ...where.values,
    ...(range ?? []),
    limit,
  )
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

const LAST_ID = 'select coalesce(max(id), 0) as last from channels'
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
