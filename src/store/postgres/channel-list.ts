import type { Channel } from '../../model/channel.ts'
import type { ChannelQuery, Page } from '../archive.ts'
import { askedWords, reachOf, startOf } from '../channel-words.ts'
import { unpackView, type ChannelView } from '../channel-codec.ts'
import { VIEW } from './channel-rows.ts'
import type { Database, Value } from './database.ts'

/** What each order compares; indexes exist for all but relevance. */
const ORDERS = {
  subscribers: { by: 'c.subscribers', direction: 'desc' },
  posts_per_day: { by: 'c.posts_per_day', direction: 'desc' },
  newest_post: { by: 'coalesce(c.last_post_at, -1)', direction: 'desc' },
  added: { by: 'c.added_at', direction: 'desc' },
  username: { by: 'c.name_key', direction: 'asc' },
} as const

type Place = readonly [rank: number, value: number | string, id: number]

interface Row extends ChannelView {
  readonly rank: number
  readonly value: number | string
}

/** One statement: places in the order asked for, then what is shown of each. */
export async function listChannels(
  db: Database,
  query: ChannelQuery,
): Promise<Page<Channel, string>> {
  const values = new Values()
  const words = askedWords(query.words)
  const isByRank = query.sort === 'relevance' && words.length > 0
  const order = query.sort === 'relevance' ? ORDERS.subscribers : ORDERS[query.sort]
  const where = [
    ...filters(query, values),
    ...words.map((word) => mayHold(word, values)),
    ...words.map((word) => isHeld(word, values.add(word))),
  ]
  const rank = isByRank ? rankOf(words, values) : '0'
  const from = words.length > 0 ? 'join channel_words w on w.channel_id = c.id' : ''
  const inner = `select c.id, ${rank} as rank, ${order.by} as value from channels c ${from}
    ${where.length > 0 ? `where ${where.join(' and ')}` : ''}`
  const after = query.after ? `where ${past(JSON.parse(query.after) as Place, order, values)}` : ''
  const sorted = `order by ${isByRank ? 'rank, ' : ''}value ${order.direction}, id`
  const sql = `with page as materialized
      (select * from (${inner}) found ${after} ${sorted} limit ${values.add(query.limit + 1)})
    select v.*, page.rank, page.value from page cross join lateral (${VIEW} where c.id = page.id limit 1) v
    order by ${isByRank ? 'page.rank, ' : ''}page.value ${order.direction}, page.id`
  const queries = isByRank ? db.slow : db
  const rows = await queries.all<Row>(sql, ...values.all)
  const shown = rows.slice(0, query.limit)
  const last = shown.at(-1)
  const isEnd = rows.length <= query.limit || !last
  const next = isEnd ? null : JSON.stringify([last.rank, last.value, last.id])
  return { items: shown.map(unpackView), next }
}

/** Past the last place of the page before; what all that follow have in common is said alone, so that an index seeks to it. */
function past(
  [rank, value, id]: Place,
  { direction }: (typeof ORDERS)[keyof typeof ORDERS],
  values: Values,
): string {
  const is = direction === 'desc' ? '<' : '>'
  const [r, v, i] = [values.add(rank), typed(values, value), values.add(id)]
  const within = `rank = ${r} and value ${is}= ${v} and (value ${is} ${v} or id > ${i})`
  return `(rank > ${r} or (${within}))`
}

function typed(values: Values, value: number | string): string {
  return `${values.add(value)}::${typeof value === 'string' ? 'text' : 'float8'}`
}

function filters(query: ChannelQuery, values: Values): string[] {
  const { lang, status, minSubscribers, maxSubscribers, verified, activeSince } = query
  return [
    ...(lang.length > 0 ? [`c.language = any(${values.add(lang)}::text[])`] : []),
    ...(status.length > 0 ? [`c.status = any(${values.add(status)}::text[])`] : []),
    ...(minSubscribers === null ? [] : [`c.subscribers >= ${values.add(minSubscribers)}`]),
    ...(maxSubscribers === null
      ? []
      : [`c.subscribers between 0 and ${values.add(maxSubscribers)}`]),
    ...(verified === null ? [] : [`c.verified = ${values.add(verified)}`]),
    ...(activeSince === null ? [] : [`c.last_post_at >= ${values.add(activeSince)}`]),
  ]
}

/** The SQL twin of `relevanceClass`. */
function rankOf(words: readonly string[], values: Values): string {
  const marked = words.map((word) => ({ word, mark: values.add(word) }))
  const name = values.add(words.join(''))
  return `case when replace(c.name_key, '_', '') = ${name} then 0
    when ${marked.map(({ mark }) => begins('(w.name || w.title)', mark)).join(' and ')} then 1
    when ${marked.map(({ word, mark }) => isInTitle(word, mark)).join(' and ')} then 2 else 3 end`
}

/** So that an index finds the channels that may have it. No character comes after the last one there is. */
function mayHold(word: string, values: Values): string {
  const start = startOf(word)
  const [from, to] = [values.add(start), values.add(`${start}\u{10ffff}`)]
  return `c.id in (select channel_id from channel_starts where start >= ${from} and start < ${to})`
}

function isHeld(word: string, mark: string): string {
  const { insideAll } = reachOf(word)
  const described = insideAll ? holds('w.description', mark) : begins('w.description', mark)
  return `(${isInTitle(word, mark)} or ${described})`
}

function isInTitle(word: string, mark: string): string {
  const { insideNames, insideAll } = reachOf(word)
  const inside = [
    ...(insideNames ? [holds('w.name', mark)] : []),
    ...(insideAll ? [holds('w.title', mark)] : []),
  ]
  return `(${[begins('(w.name || w.title)', mark), ...inside].join(' or ')})`
}

function begins(text: string, mark: string): string {
  return holds(text, `' ' || ${mark}`)
}

function holds(text: string, word: string): string {
  return `position((${word})::text in ${text}) > 0`
}

/** Values in the order their marks were given out. */
class Values {
  readonly all: Value[] = []

  add(value: Value): string {
    this.all.push(value)
    return `$${this.all.length}`
  }
}
