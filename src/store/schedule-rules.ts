import { DAY_MS, HOUR_MS } from '../model/time.ts'

/** Recognises leases and plans that no correct clock can have made. Pure, so that every adapter decides the same. */

/** Leases are short and renewed every few seconds; nobody takes one for this long. */
export const LONGEST_LEASE_MS = HOUR_MS
/** Further ahead than any policy plans: a visit planned for later is due. */
export const FARTHEST_PLAN_MS = 100 * DAY_MS

/** Whether a lease has not run out and was not granted by a clock that was ahead. */
export function isLeaseValid(until: number, now: number): boolean {
  return until > now && until <= now + LONGEST_LEASE_MS
}
