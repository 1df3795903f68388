import type { Channel } from '../../model/channel.ts'
import { inBatches } from '../../model/in-batches.ts'
import type { ChannelQuery, Page } from '../archive.ts'
import { foldQueryWords, wordPrefix } from '../channel-words.ts'
import { Listing, type TestedPlace, type Place, type Value } from './channel-listing.ts'
import { channelById } from './channel-rows.ts'
import type { Database } from './database.ts'

/**
 * Lists channels without reading all of a million: through an index entry with few channels, or by a walk in the requested
 * order. After each step of a few milliseconds the event loop gets a turn.
 */

/** Up to this many channels found by an index are checked one by one. */
const MAX_CANDIDATES = 8_000
/** After looking at this many channels, a walk returns what it has found with a cursor. */
const MAX_LOOKED = 20_000
/** When a walk has not filled its page after this many channels, an index is tried, which may be faster. */
const PATIENCE = 1_000
const STEP = 500

interface Found {
  readonly places: readonly Place[]
  /** Where to continue when there are fewer places than wanted; null when there are no more. */
  readonly rest: Place | null
}

export async function listChannels(
  db: Database,
  query: ChannelQuery,
): Promise<Page<Channel, string>> {
  const words = foldQueryWords(query.words)
  const listing = new Listing(query, words)
  const after = query.after === null ? null : placeOf(JSON.parse(query.after) as Value[])
  const wanted = query.limit + 1
  const { places, rest } = await find(db, { query, listing, words, after, wanted })
  const shown = places.slice(0, query.limit)
  const items = await db.read(() => shown.flatMap(({ id }) => channelById(db, id) ?? []))
  const next = places.length > query.limit ? shown.at(-1)! : rest
  return { items, next: next && JSON.stringify([next.class, next.value, next.id]) }
}

interface Search {
  readonly query: ChannelQuery
  readonly listing: Listing
  readonly words: readonly string[]
  readonly after: Place | null
  readonly wanted: number
}

async function find(db: Database, search: Search): Promise<Found> {
  const { listing, after } = search
  if (listing.isByClass) {
    const candidates = await candidatesOf(db, search)
    // For words that very many channels contain, only the largest channels are searched.
    return best(db, search, candidates ? inBatches(candidates, STEP) : largest(db, listing))
  }
  const begun = await walk(db, search, { places: [], rest: after }, PATIENCE)
  if (begun.rest === null) return begun
  const candidates = await candidatesOf(db, search)
  if (candidates) return best(db, search, inBatches(candidates, STEP))
  return walk(db, search, begun, MAX_LOOKED)
}

/** Continues in the requested order until the page is full, no channel is left, or `most` channels were looked at. */
async function walk(db: Database, search: Search, begun: Found, most: number): Promise<Found> {
  const places = [...begun.places]
  let position = begun.rest
  for (let looked = 0; looked < most;) {
    const from = position
    const step = looked === 0 && places.length === 0 ? Math.min(search.wanted, STEP) : STEP
    const rows = await db.read(() => search.listing.next(db, from, step))
    places.push(...rows.filter(({ passes }) => passes === 1))
    if (rows.length < step || places.length >= search.wanted) return { places, rest: null }
    looked += step
    position = rows.at(-1)!
  }
  return { places, rest: position }
}

/** The first channels in the requested order among the given ones, all of which are read. */
async function best(
  db: Database,
  { listing, after, wanted }: Search,
  steps: Iterable<readonly number[]> | AsyncIterable<readonly number[]>,
): Promise<Found> {
  let places: Place[] = []
  for await (const ids of steps) {
    const found = await db.read(() => listing.among(db, ids))
    places.push(...found.filter((place) => !after || listing.compare(place, after) > 0))
    places = places.toSorted((a, b) => listing.compare(a, b)).slice(0, wanted)
  }
  return { places, rest: null }
}

async function* largest(db: Database, listing: Listing): AsyncGenerator<number[]> {
  let position: Place | null = null
  for (let looked = 0; looked < MAX_LOOKED; looked += STEP) {
    const from: Place | null = position
    const rows: TestedPlace[] = await db.read(() => listing.next(db, from, STEP))
    yield rows.filter(({ passes }) => passes === 1).map(({ id }) => id)
    if (rows.length < STEP) return
    position = rows.at(-1)!
  }
}

/** A superset of the channels that match, from the index with the fewest; undefined when none has few enough. */
async function candidatesOf(
  db: Database,
  { query, words }: Search,
): Promise<readonly number[] | undefined> {
  const sources: { readonly sql: string; readonly value: string }[] = []
  for (const word of words) sources.push({ sql: BY_START, value: wordPrefix(word) })
  if (query.lang.length > 0) sources.push({ sql: BY_LANGUAGE, value: JSON.stringify(query.lang) })
  if (query.status.length > 0) sources.push({ sql: BY_STATUS, value: JSON.stringify(query.status) })
  let fewest: { readonly sql: string; readonly value: string } | undefined
  let count = MAX_CANDIDATES + 1
  for (const source of sources) {
    const counted = await db.read(() =>
      db.get<{ count: number }>(
        `select count(*) as count from (${source.sql} limit ?2)`,
        source.value,
        count,
      ),
    )
    if (counted!.count < count) [fewest, count] = [source, counted!.count]
  }
  if (!fewest) return undefined
  const { sql, value } = fewest
  const rows = await db.read(() => db.all<{ id: number }>(sql, value))
  return [...new Set(rows.map(({ id }) => id))]
}

function placeOf([rank, value, id]: readonly Value[]): Place {
  return { class: Number(rank), value: value!, id: Number(id) }
}

const BY_START = `select channel_id as id from channel_starts where start >= ?1 and start < ?1 || char(1114111)`
const BY_LANGUAGE = 'select id from channels where language in (select value from json_each(?1))'
const BY_STATUS = 'select id from channels where status in (select value from json_each(?1))'
