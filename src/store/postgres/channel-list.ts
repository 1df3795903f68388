import type { Channel } from '../../model/channel.ts'
import type { ChannelQuery, Page } from '../archive.ts'
import { ORDERS, wordsSql, type Order } from '../channel-list-sql.ts'
import { foldQueryWords, wordPrefix } from '../channel-words.ts'
import { filtersOf, Values, accessPathsOf } from './channel-filters.ts'
import { channelsById } from './channel-rows.ts'
import type { Database } from './database.ts'

type Place = readonly [rank: number, value: number | string, id: number]

interface Row {
  readonly id: number
  readonly rank: number
  readonly value: number | string
}

/**
 * Two statements: one finds places in the requested order, the other loads what is shown of each. The text of the first depends
 * on what is asked, so it is planned each time and kept short.
 */
export async function listChannels(
  db: Database,
  query: ChannelQuery,
): Promise<Page<Channel, string>> {
  const values = new Values()
  const words = foldQueryWords(query.words)
  const order = query.sort === 'relevance' ? ORDERS.subscribers : ORDERS[query.sort]
  const isByRank = query.sort === 'relevance' && words.length > 0
  const sorted = `order by ${isByRank ? 'rank, ' : ''}value ${order.direction}, id`
  const { lists, places } =
    words.length > 0 ? byWords(query, order, words, values) : byOrder(query, order, values)
  const sql = `with ${[...lists, `page as materialized (${places})`].join(', ')}
    select id, rank, value from page ${sorted} limit ${values.add(query.limit + 1)}`
  // A plain listing follows the index of its order; any other may take longer, and goes to the smaller pool.
  const isPlain = words.length === 0 && lists.length === 0
  const rows = await (isPlain ? db : db.heavy).once<Row>(sql, ...values.all)
  const shown = rows.slice(0, query.limit)
  const last = shown.at(-1)
  const isEnd = rows.length <= query.limit || !last
  const next = isEnd ? null : JSON.stringify([last.rank, last.value, last.id])
  const ids = shown.map(({ id }) => id)
  return { items: await channelsById(db, ids), next }
}

interface Places {
  readonly lists: readonly string[]
  /** Selects id, rank and value of all channels that may be on the page. */
  readonly places: string
}

/** Each way reads no more than a page needs. The limit is a literal, since the planner has to know how short the walk is. */
function byOrder(query: ChannelQuery, { by, type, direction }: Order, values: Values): Places {
  const filters = filtersOf(query, values)
  const { lists, byIds, walk } = accessPathsOf(filters)
  const asked = filters.map(({ condition }) => condition)
  const page = (conditions: readonly string[]) => `(select c.id, 0 as rank, ${by} as value
    from channels c ${where([...asked, ...conditions])} order by value ${direction}, id limit ${query.limit + 1})`
  if (query.after === null) {
    const paths = [...byIds.map((path) => page([path])), page(walk)]
    return { lists, places: paths.join(' union all ') }
  }
  const [, value, id] = JSON.parse(query.after) as Place
  const [v, i] = [`${values.add(value)}::${type}`, values.add(id)]
  // Two queries, since an index can seek to each of these conditions but not to their disjunction.
  const level = `${by} = ${v} and c.id > ${i}`
  const beyond = `${by} ${direction === 'desc' ? '<' : '>'} ${v}`
  const paths = [
    ...byIds.map((way) => page([way, `((${level}) or ${beyond})`])),
    page([...walk, level]),
    page([...walk, beyond]),
  ]
  return { lists, places: paths.join(' union all ') }
}

/** Reads all channels that contain the words: only then is it known which match best. */
function byWords(
  query: ChannelQuery,
  { by, type, direction }: Order,
  words: readonly string[],
  values: Values,
): Places {
  const { conditions, rank } = wordsSql(words, { add: (word) => values.add(word), holds })
  const asked = [
    ...filtersOf(query, values).map(({ condition }) => condition),
    ...words.map((word) => mayHold(word, values)),
    ...conditions,
  ]
  const found = `select c.id, ${query.sort === 'relevance' ? rank() : '0'} as rank, ${by} as value from channels c
    join channel_words w on w.channel_id = c.id ${where(asked)}`
  if (query.after === null) return { lists: [], places: found }
  const place = JSON.parse(query.after) as Place
  const [r, v, i] = [values.add(place[0]), `${values.add(place[1])}::${type}`, values.add(place[2])]
  const beyond = `value ${direction === 'desc' ? '<' : '>'} ${v} or (value = ${v} and id > ${i})`
  const places = `select id, rank, value from (${found}) found
    where rank > ${r}::int or (rank = ${r}::int and (${beyond}))`
  return { lists: [], places }
}

function where(conditions: readonly string[]): string {
  return conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''
}

/** A condition by which an index finds the channels that may contain the word. U+10FFFF sorts after every other character. */
function mayHold(word: string, values: Values): string {
  const start = wordPrefix(word)
  const [from, to] = [values.add(start), values.add(`${start}\u{10ffff}`)]
  return `c.id in (select channel_id from channel_starts where start >= ${from} and start < ${to})`
}

function holds(text: string, piece: string): string {
  return `position((${piece})::text in ${text}) > 0`
}
