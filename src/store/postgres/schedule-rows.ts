import type { ScheduleRow, Writes } from '../plan/rows.ts'
import { packSchedule } from '../schedule-codec.ts'
import type { Queries } from './database.ts'
import { rowSet } from './row-set.ts'

export async function writeSchedules(tx: Queries, writes: Writes): Promise<void> {
  const dropped = [...writes.gapsDropped, ...writes.forgotten]
  const added = writes.gaps.flatMap(({ channelId, token, gaps }) =>
    gaps.map((gap) => ({ ...gap, channelId, beforeNumber: gap.before, leaseToken: token })),
  )
  await Promise.all([
    tx.run(UNSCHEDULE, writes.unscheduled),
    saveSchedules(tx, writes.schedules),
    ...writes.gapsMoved.map(({ from, to }) => tx.run(MOVE_GAPS, to, from)),
    tx.run(DROP_GAPS, dropped),
    ...writes.gaps.map(({ channelId, token }) => tx.run(REPLACE_GAPS, channelId, token)),
    tx.run(ADD_GAPS, ...GAPS.values(added)),
  ])
}

export function saveSchedules(queries: Queries, rows: readonly ScheduleRow[]): Promise<number> {
  return queries.run(SAVE, ...SCHEDULES.values(rows.map(packSchedule)))
}

export const SCHEDULES = rowSet(
  `channel_id int, next_visit_at bigint, earliest_visit_at bigint, last_visit_at bigint, seen float8,
  exposure_days float8, seen_fast float8, exposure_fast_days float8, fails int, last_failure text,
  demand float8, newest_number int, walked_to int, refreshed_at bigint, doubt text, doubted_at bigint,
  fresh_demand float8, hastened_at bigint, lease_owner text, lease_token int,
  lease_until bigint`,
  ['channel_id'],
)
const GAPS = rowSet(
  'channel_id int, kind text, before_number int, down_to int, until bigint, lease_token int',
)
export const GAP = 'id, channel_id, kind, before_number, down_to, until'
const SAVE = SCHEDULES.upsert('schedules')
const UNSCHEDULE = 'delete from schedules where channel_id = any($1::int[])'
const MOVE_GAPS = 'update gaps set channel_id = $1 where channel_id = $2'
const DROP_GAPS = 'delete from gaps where channel_id = any($1::int[])'
const REPLACE_GAPS = 'delete from gaps where channel_id = $1 and lease_token = $2'
const ADD_GAPS = `insert into gaps (${GAPS.columns}) select * from ${GAPS.from()}`
