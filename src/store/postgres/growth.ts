import type { ChannelDay } from '../../model/channel.ts'
import { DAY_MS } from '../../model/time.ts'
import { firstGrowthDay, lastThinnedDay } from '../growth-rules.ts'
import type { GrowthRow, Writes } from '../plan/rows.ts'
import type { Queries } from './database.ts'
import { rowSet } from './row-set.ts'

export function recentGrowth(
  queries: Queries,
  channelId: number,
  now: number,
): Promise<ChannelDay[]> {
  return queries.all<ChannelDay>(RECENT, channelId, firstGrowthDay(now), Math.floor(now / DAY_MS))
}

export function loadGrowth(tx: Queries, channelIds: readonly number[]): Promise<GrowthRow[]> {
  return tx.all<GrowthRow>(ALL, channelIds)
}

/** Called before channels are forgotten. */
export async function moveGrowth(tx: Queries, { growthMoved }: Writes): Promise<void> {
  await Promise.all(growthMoved.map(({ from, to }) => tx.run(MOVE, to, from)))
}

export async function writeGrowth(tx: Queries, { growth }: Writes): Promise<void> {
  await tx.run(SAVE, ...DAYS.values(growth))
  const ids = [...new Set(growth.map((row) => row.channelId))].toSorted((a, b) => a - b)
  const newest = ids.map((id) =>
    Math.max(...growth.filter((row) => row.channelId === id).map(({ day }) => day)),
  )
  await tx.run(THIN, ids, newest.map(lastThinnedDay))
}

const DAYS = rowSet('channel_id int, day int, subscribers bigint, views bigint')
const RECENT = `select day, subscribers, views from channel_days
  where channel_id = $1 and day between $2 and $3 order by day`
const ALL = `select channel_id as "channelId", day, subscribers, views from channel_days
  where channel_id = any($1::int[]) order by channel_id, day`
const MOVE = `insert into channel_days (${DAYS.columns})
  select $1::int, day, subscribers, views from channel_days where channel_id = $2 on conflict do nothing`
const SAVE = `insert into channel_days as d (${DAYS.columns}) select * from ${DAYS.from()} order by 1, 2
  on conflict (channel_id, day) do update set
    subscribers = coalesce(excluded.subscribers, d.subscribers), views = coalesce(excluded.views, d.views)`
// Deletes each day for which a later one exists in the same week; weeks begin on Monday.
const THIN = `delete from channel_days d using unnest($1::int[], $2::int[]) as t (id, last)
  where d.channel_id = t.id and d.day <= t.last and exists (
    select from channel_days l where l.channel_id = t.id and l.day > d.day and l.day <= t.last
      and (l.day + 3) / 7 = (d.day + 3) / 7)`
