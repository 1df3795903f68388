import type { Gap, Schedule } from './frontier.ts'
import type { ScheduleRow } from './plan/rows.ts'

/** Schedules and gaps ⇄ rows, whichever database has them. */

export interface StoredSchedule {
  readonly channel_id: number
  readonly next_visit_at: number
  readonly earliest_visit_at: number
  readonly last_visit_at: number | null
  readonly seen: number
  readonly exposure_days: number
  readonly seen_fast: number
  readonly exposure_fast_days: number
  readonly fails: number
  readonly last_failure: string | null
  readonly demand: number
  readonly newest_number: number | null
  readonly walked_to: number | null
  readonly refreshed_at: number | null
  readonly doubt: string | null
  readonly doubted_at: number | null
  readonly planned_at: number | null
  readonly fresh_demand: number
  readonly hastened_at: number | null
  readonly lease_owner: string | null
  readonly lease_token: number
  readonly lease_until: number
}

export function unpackSchedule(row: StoredSchedule): Schedule {
  return {
    nextVisitAt: row.next_visit_at,
    earliestVisitAt: row.earliest_visit_at,
    lastVisitAt: row.last_visit_at,
    seen: row.seen,
    exposureDays: row.exposure_days,
    seenFast: row.seen_fast,
    exposureFastDays: row.exposure_fast_days,
    fails: row.fails,
    lastFailure: row.last_failure,
    demand: row.demand + row.fresh_demand,
    newestNumber: row.newest_number,
    walkedTo: row.walked_to,
    refreshedAt: row.refreshed_at,
    doubt: row.doubt,
    doubtedAt: row.doubted_at,
    plannedAt: row.planned_at,
  }
}

export function unpackScheduleRow(row: StoredSchedule): ScheduleRow {
  return {
    ...unpackSchedule(row),
    channelId: row.channel_id,
    demand: row.demand,
    freshDemand: row.fresh_demand,
    madeDueAt: row.hastened_at,
    owner: row.lease_owner,
    token: row.lease_token,
    until: row.lease_until,
  }
}

export function packSchedule(row: ScheduleRow): StoredSchedule {
  return {
    channel_id: row.channelId,
    next_visit_at: row.nextVisitAt,
    earliest_visit_at: row.earliestVisitAt,
    last_visit_at: row.lastVisitAt,
    seen: row.seen,
    exposure_days: row.exposureDays,
    seen_fast: row.seenFast,
    exposure_fast_days: row.exposureFastDays,
    fails: row.fails,
    last_failure: row.lastFailure,
    demand: row.demand,
    newest_number: row.newestNumber,
    walked_to: row.walkedTo,
    refreshed_at: row.refreshedAt,
    doubt: row.doubt,
    doubted_at: row.doubtedAt,
    planned_at: row.plannedAt,
    fresh_demand: row.freshDemand,
    hastened_at: row.madeDueAt,
    lease_owner: row.owner,
    lease_token: row.token,
    lease_until: row.until,
  }
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
