import { setImmediate as breathe } from 'node:timers/promises'
import type { Channel } from '../../model/channel.ts'
import { inParts } from '../../model/in-parts.ts'
import type { ChannelQuery, Page } from '../archive.ts'
import { askedWords, startOf } from '../channel-words.ts'
import { Listing, type Looked, type Place, type Value } from './channel-listing.ts'
import { channelById } from './channel-rows.ts'
import type { Database } from './database.ts'
import { isRecounted } from './recount.ts'

/**
 * Listings of channels, never all of a million at once: an index that few channels stand in, or a walk in the order asked for.
 * The event loop gets its turn after each step of some milliseconds.
 */

/** Channels that an index finds are looked at one by one, unless there are more. */
const MAX_CANDIDATES = 8_000
/** A walk that has looked at so many gives what it has found, and where to go on. */
const MAX_LOOKED = 20_000
/** Where a walk has not filled its page after so many, an index may be quicker. */
const PATIENCE = 1_000
const STEP = 500

interface Found {
  readonly places: readonly Place[]
  /** Where to go on where there are fewer places than wanted. */
  readonly rest: Place | null
}

export async function listChannels(
  db: Database,
  query: ChannelQuery,
): Promise<Page<Channel, string>> {
  const words = askedWords(query.words)
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
    // Of words that very many channels have the largest are looked through.
    return best(db, search, candidates ? inParts(candidates, STEP) : largest(db, listing))
  }
  const begun = await walk(db, search, { places: [], rest: after }, PATIENCE)
  if (begun.rest === null) return begun
  const candidates = await candidatesOf(db, search)
  if (candidates) return best(db, search, inParts(candidates, STEP))
  return walk(db, search, begun, MAX_LOOKED)
}

/** Goes on in the order asked for until the page is full, nothing is left, or enough was looked at. */
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
    await breathe()
  }
  return { places, rest: position }
}

/** The best of some channels, all of which are looked at. */
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
    await breathe()
  }
  return { places, rest: null }
}

async function* largest(db: Database, listing: Listing): AsyncGenerator<number[]> {
  let position: Place | null = null
  for (let looked = 0; looked < MAX_LOOKED; looked += STEP) {
    const from: Place | null = position
    const rows: Looked[] = await db.read(() => listing.next(db, from, STEP))
    yield rows.filter(({ passes }) => passes === 1).map(({ id }) => id)
    if (rows.length < STEP) return
    position = rows.at(-1)!
  }
}

/** The channels among which all that are asked for are, where an index knows few enough. */
async function candidatesOf(
  db: Database,
  { query, words }: Search,
): Promise<readonly number[] | undefined> {
  const sources: { readonly sql: string; readonly value: string }[] = []
  if (words.length > 0 && (await db.read(() => isRecounted(db)))) {
    for (const word of words) sources.push({ sql: BY_START, value: startOf(word) })
  }
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
    await breathe()
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
