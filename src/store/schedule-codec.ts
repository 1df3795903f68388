import type { Gap, Schedule } from './frontier.ts'
import type { ScheduleRow } from './plan/rows.ts'

/** Converts schedules and gaps to rows and back, for every database. */

/** The columns of a schedule and the field that each holds. */
const SCHEDULE = {
  next_visit_at: 'nextVisitAt',
  earliest_visit_at: 'earliestVisitAt',
  last_visit_at: 'lastVisitAt',
  seen: 'seen',
  exposure_days: 'exposureDays',
  seen_fast: 'seenFast',
  exposure_fast_days: 'exposureFastDays',
  fails: 'fails',
  last_failure: 'lastFailure',
  demand: 'demand',
  newest_number: 'newestNumber',
  walked_to: 'walkedTo',
  refreshed_at: 'refreshedAt',
  doubt: 'doubt',
  doubted_at: 'doubtedAt',
} as const satisfies Record<string, keyof Schedule>

/** All columns, including those that only the store uses. */
const ROW = {
  ...SCHEDULE,
  channel_id: 'channelId',
  fresh_demand: 'freshDemand',
  hastened_at: 'madeDueAt',
  lease_owner: 'owner',
  lease_token: 'token',
  lease_until: 'until',
} as const satisfies Record<string, keyof ScheduleRow>

export type StoredSchedule = {
  readonly [C in keyof typeof ROW]: ScheduleRow[(typeof ROW)[C]]
}

export const SCHEDULE_COLUMNS = Object.keys(ROW) as (keyof StoredSchedule)[]

/** Reads all given columns; its type makes the compiler demand a column for each field. */
function read<M extends Record<string, keyof ScheduleRow>>(columns: M, row: StoredSchedule) {
  const named = Object.entries(columns) as [keyof StoredSchedule, M[keyof M]][]
  const fields = named.map(([column, field]) => [field, row[column]])
  return Object.fromEntries(fields) as { readonly [F in M[keyof M]]: ScheduleRow[F] }
}

export function unpackSchedule(row: StoredSchedule): Schedule {
  return { ...read(SCHEDULE, row), demand: row.demand + row.fresh_demand }
}

/** A schedule with its channel's subscribers, -1 where they are unknown. */
export type SampledSchedule = StoredSchedule & { readonly subscribers: number }

export function unpackSampled(row: SampledSchedule) {
  return { ...unpackSchedule(row), subscribers: row.subscribers < 0 ? null : row.subscribers }
}

export function unpackScheduleRow(row: StoredSchedule): ScheduleRow {
  return read(ROW, row)
}

export function packSchedule(row: ScheduleRow): StoredSchedule {
  const values = SCHEDULE_COLUMNS.map((column) => [column, row[ROW[column]]])
  return Object.fromEntries(values) as StoredSchedule
}

export interface StoredGap {
  readonly id: number
  readonly channel_id: number
  readonly kind: Gap['kind']
  readonly before_number: number
  readonly down_to: number
  readonly until: number | null
}

export function unpackGap(row: StoredGap): Gap {
  return {
    id: row.id,
    channelId: row.channel_id,
    kind: row.kind,
    before: row.before_number,
    downTo: row.down_to,
    until: row.until,
  }
}
