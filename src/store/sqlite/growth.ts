import type { ChannelDay } from '../../model/channel.ts'
import { DAY_MS } from '../../model/time.ts'
import { firstGrowthDay, lastThinnedDay } from '../growth-rules.ts'
import type { GrowthRow, Writes } from '../plan/rows.ts'
import type { Database } from './database.ts'

export function recentGrowth(db: Database, channelId: number, now: number): ChannelDay[] {
  const rows = db.all<ChannelDay>(RECENT, channelId, firstGrowthDay(now), Math.floor(now / DAY_MS))
  return rows.map(({ day, subscribers, views }) => ({ day, subscribers, views }))
}

export function loadGrowth(db: Database, channelId: number): GrowthRow[] {
  return db.all<GrowthRow>(ALL, channelId)
}

/** Called before channels are forgotten. */
export function moveGrowth(db: Database, { growthMoved }: Writes): void {
  for (const { from, to } of growthMoved) db.run(MOVE, to, from)
}

export function writeGrowth(db: Database, { growth }: Writes): void {
  for (const { channelId, day, subscribers, views } of growth) {
    db.run(SAVE, channelId, day, subscribers, views)
    db.run(THIN, channelId, lastThinnedDay(day))
  }
}

const RECENT = `select day, subscribers, views from channel_days
  where channel_id = ? and day between ? and ? order by day`
const ALL = `select channel_id as channelId, day, subscribers, views from channel_days
  where channel_id = ? order by day`
const MOVE = `insert or ignore into channel_days
  select ?, day, subscribers, views from channel_days where channel_id = ?`
const SAVE = `insert into channel_days values (?, ?, ?, ?) on conflict do update set
  subscribers = coalesce(excluded.subscribers, subscribers), views = coalesce(excluded.views, views)`
// Deletes each day for which a later one exists in the same week; weeks begin on Monday.
const THIN = `delete from channel_days where channel_id = ?1 and day <= ?2 and exists (
  select 1 from channel_days l where l.channel_id = ?1 and l.day > channel_days.day and l.day <= ?2
    and (l.day + 3) / 7 = (channel_days.day + 3) / 7)`
