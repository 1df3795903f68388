import { DAY_MS, HOUR_MS, MINUTE_MS } from '../model/time.ts'
import type { Schedule } from './frontier.ts'

/** Recognises plans and leases that no correct clock can have made. Pure, so that every adapter decides the same. */

/** The clocks of two hosts may differ by this much. */
export const CLOCK_SLACK_MS = 5 * MINUTE_MS
/** Further ahead than any policy plans. Recognises wrong plans that do not record when they were made. */
export const FARTHEST_PLAN_MS = 100 * DAY_MS
/** Leases are short and renewed every few seconds; nobody takes one for this long. */
export const LONGEST_LEASE_MS = HOUR_MS

/** Whether a lease has not run out and was not granted by a clock that was ahead. */
export function isLeaseValid(until: number, now: number): boolean {
  return until > now && until <= now + LONGEST_LEASE_MS
}

export function isMisplanned(
  schedule: Pick<Schedule, 'plannedAt' | 'lastVisitAt' | 'nextVisitAt'>,
  now: number,
): boolean {
  const latest = now + CLOCK_SLACK_MS
  return (
    (schedule.plannedAt ?? 0) > latest ||
    (schedule.lastVisitAt ?? 0) > latest ||
    schedule.nextVisitAt > now + FARTHEST_PLAN_MS
  )
}

/** The schedule made due now, with no other time in it left in the future. */
export function replanned(schedule: Schedule, now: number): Schedule {
  const past = (at: number | null) => (at === null ? null : Math.min(at, now))
  return {
    ...schedule,
    nextVisitAt: Math.min(schedule.nextVisitAt, now),
    earliestVisitAt: Math.min(schedule.earliestVisitAt, now),
    lastVisitAt: past(schedule.lastVisitAt),
    refreshedAt: past(schedule.refreshedAt),
    doubtedAt: past(schedule.doubtedAt),
    plannedAt: now,
  }
}
