import { MAX_POST_NUMBER } from '../../model/post.ts'
import { HOUR_MS } from '../../model/time.ts'
import type { Database, Queries } from './database.ts'

/** The smallest known range of numbers that holds every wanted post; it may hold others, too. Bounds are inclusive. */
export interface NumberRange {
  readonly first: number
  readonly last: number
}

interface ChannelRange extends NumberRange {
  readonly channelId: number
}

const CHANNELS_A_STEP = 500
const FOREVER = 2 ** 31 - 1
const EVER = 2 ** 52

/** The range for posts published in [since, until). */
export async function rangeOfTime(
  queries: Queries,
  channelId: number,
  since: number | null,
  until: number | null,
): Promise<NumberRange | undefined> {
  if (since === null && until === null) return { first: 1, last: MAX_POST_NUMBER }
  const row = await queries.get<{ first: number | null; last: number }>(
    BOUNDS,
    channelId,
    hourOf(since, -FOREVER),
    hourOf(until, FOREVER),
  )
  if (!row || row.first === null) return undefined
  return { first: row.first, last: row.last }
}

/** The ranges for posts published since then: of all channels from the id `from` on, ascending, or just of `only`. */
export async function* channelRanges(
  db: Database,
  since: number,
  { only, from = 0 }: { readonly only?: number | undefined; readonly from?: number } = {},
): AsyncGenerator<ChannelRange> {
  const fromHour = hourOf(since, -FOREVER)
  for (let last = Math.max(from, only ?? 0) - 1; ;) {
    const to = only ?? FOREVER
    const rows = await db.slow.all<Row>(RANGES, last, to, CHANNELS_A_STEP, fromHour)
    for (const row of rows) {
      if (row.first !== null)
        yield { channelId: row.id, first: row.first, last: row.last ?? row.first }
    }
    if (rows.length < CHANNELS_A_STEP) return
    last = rows.at(-1)!.id
  }
}

interface Row {
  readonly id: number
  readonly first: number | null
  readonly last: number | null
}

/** A time as a whole number that fits a column. */
export function instant(at: number | null): number {
  return Math.max(-EVER, Math.min(EVER, Math.ceil(at ?? -EVER)))
}

function hourOf(at: number | null, otherwise: number): number {
  if (at === null || !Number.isFinite(at)) return otherwise
  return Math.max(-FOREVER, Math.min(FOREVER, Math.floor(at / HOUR_MS)))
}

const BOUNDS = `select min(first_number) as first, max(last_number) as last from channel_hours
  where channel_id = $1 and hour between $2 and $3`
const RANGES = `select c.id, h.first, h.last
  from (select id from channels where id > $1 and id <= $2 order by id limit $3) c
  cross join lateral (select min(first_number) as first, max(last_number) as last from channel_hours
    where channel_id = c.id and hour >= $4) h order by c.id`
