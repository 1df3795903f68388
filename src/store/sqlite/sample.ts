import type { Frontier } from '../frontier.ts'
import { unpackSampled, type SampledSchedule } from '../schedule-codec.ts'
import type { Database } from './database.ts'

/** Up to this many times the wanted number, all ids are shuffled: drawing would hit the same ones again and again. */
const SHUFFLED = 4
const DRAWN_A_STEP = 250

/**
 * Draws random ids and takes the schedule at or after each. A channel after a gap in the ids is drawn slightly more often,
 * which matters little: ids are consecutive, and few channels are ever erased.
 */
export const createSample =
  (db: Database): Frontier['sample'] =>
  async (limit) => {
    const { total, last } = (await db.read(() => db.get<{ total: number; last: number }>(BOUNDS)))!
    const rows =
      total <= limit * SHUFFLED
        ? await db.read(() => db.all<SampledSchedule>(SHUFFLE, limit))
        : await draw(db, limit, last)
    return { total, schedules: rows.map(unpackSampled) }
  }

async function draw(db: Database, limit: number, last: number): Promise<SampledSchedule[]> {
  const drawn = new Map<number, SampledSchedule>()
  for (let step = 0; step < (2 * limit) / DRAWN_A_STEP && drawn.size < limit; step++) {
    const wanted = Math.min(DRAWN_A_STEP, limit - drawn.size)
    const ids = Array.from({ length: wanted }, () => 1 + Math.floor(Math.random() * last))
    const rows = await db.read(() => ids.flatMap((id) => db.get<SampledSchedule>(AT, id) ?? []))
    for (const row of rows) drawn.set(row.channel_id, row)
  }
  return [...drawn.values()]
}

const BOUNDS = `select value as total, (select coalesce(max(channel_id), 0) from schedules) as last
  from totals where name = 'schedules'`
// Shuffles ids only: otherwise all columns and the channel would be loaded even for rows that are not drawn.
const SHUFFLE = `select s.*, c.subscribers
  from (select channel_id as id from schedules order by random() limit ?) drawn
  join schedules s on s.channel_id = drawn.id join channels c on c.id = drawn.id`
const AT = `select s.*, c.subscribers from (select * from schedules where channel_id >= ? order by channel_id limit 1) s
  join channels c on c.id = s.channel_id`
