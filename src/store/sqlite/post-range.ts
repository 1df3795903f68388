import { HOUR_MS } from '../../model/time.ts'
import type { Database } from './database.ts'
import { KEY_SPAN, POST_COLUMNS, keyOf } from './post-codec.ts'

/** A channel's posts as a range of keys. Bounds are inclusive. */
export interface KeyRange {
  readonly from: number
  readonly to: number
}

export function rangeOfChannel(channelId: number): KeyRange {
  return { from: channelId * KEY_SPAN + 1, to: (channelId + 1) * KEY_SPAN - 1 }
}

/** The part of a channel's range from one number to another, clipped to it; empty when `from` exceeds `to`. */
export function rangeOfNumbers(channelId: number, first: number, last: number): KeyRange {
  const { from, to } = rangeOfChannel(channelId)
  const base = keyOf(channelId, 0)
  return { from: Math.max(from, base + first), to: Math.min(to, base + last) }
}

/** The smallest known range that holds every post published in [since, until); it may hold others, too. */
export function rangeOfTime(
  db: Database,
  channelId: number,
  since: number | null,
  until: number | null,
): KeyRange | undefined {
  if (since === null && until === null) return rangeOfChannel(channelId)
  const fromHour = since === null ? -(2 ** 40) : Math.floor(since / HOUR_MS)
  const toHour = until === null ? 2 ** 40 : Math.floor(until / HOUR_MS)
  const row = db.get<{ first: number | null; last: number }>(BOUNDS, channelId, fromHour, toHour)
  if (!row || row.first === null) return undefined
  return { from: keyOf(channelId, row.first), to: keyOf(channelId, row.last) }
}

const BOUNDS = `select min(first_number) as first, max(last_number) as last from channel_hours
  where channel_id = ? and hour between ? and ?`
export const BATCH = `select ${POST_COLUMNS} from posts p join post_bodies b on b.key = p.key
  where p.key between ? and ? order by p.key limit ?`
