/**
 * Many posts that vanish at once: their owner may have deleted them, or the platform may be hiding them for a while, even on
 * their own pages. A deletion cannot be undone once texts are redacted, so it is believed only hours later, and until then
 * nothing is changed. When they were first missed is stored in the schedule. If only a few are missing, their deletion is
 * believed as soon as their own pages confirm it, unless the channel shows nothing else either. Pure.
 */
import { DAY_MS, HOUR_MS } from '../model/time.ts'
import type { Schedule } from '../store/frontier.ts'

/** The time between first missing posts and believing their deletion. */
export const VANISHED_MS = 6 * HOUR_MS
/** The same where no other channel is followed that could show whether the platform shows us posts at all. */
export const VANISHED_ALONE_MS = 7 * DAY_MS
/** Authors delete up to this many at once every day. */
const A_FEW = 3
/** Half of a page counts as many, however much is still shown. */
const MANY = 10
/** How many missing posts are remembered, newest first; the others are found missing again later. */
const MAX_REMEMBERED = 200
const PREFIX = 'vanished '

export interface Vanished {
  readonly numbers: readonly number[]
  /** When they were first missed. */
  readonly at: number
}

/** The posts that were missed before and whose deletion waits to be believed. */
export function vanishedOf({ doubt, doubtedAt }: Doubt): Vanished | null {
  if (!doubt?.startsWith(PREFIX)) return null
  return { numbers: doubt.slice(PREFIX.length).split(',').map(Number), at: doubtedAt ?? 0 }
}

type Doubt = Pick<Schedule, 'doubt' | 'doubtedAt'>

/**
 * Which of the missing posts may be believed deleted once their own pages confirm it, and which have to wait. `missing` are
 * archived and not shown, newest first; `shown` is how many archived posts the same visit did see, null if there was no page
 * with posts at all.
 */
export function weighVanished(
  before: Vanished | null,
  missing: readonly number[],
  {
    shown,
    at,
    waitMs,
  }: { readonly shown: number | null; readonly at: number; readonly waitMs: number },
): { readonly believed: readonly number[]; readonly waiting: Vanished | null } {
  const known = new Set(before?.numbers)
  const again = missing.filter((number) => known.has(number))
  const fresh = missing.filter((number) => !known.has(number))
  const isMass =
    shown === null || (fresh.length > A_FEW && (fresh.length >= MANY || fresh.length > shown))
  const quick = isMass ? [] : fresh
  if (before === null || again.length === 0) {
    const waiting =
      isMass && fresh.length > 0 ? { numbers: fresh.slice(0, MAX_REMEMBERED), at } : null
    return { believed: quick, waiting }
  }
  // A clock that was set back must not make them wait longer.
  const since = Math.min(before.at, at)
  const isSure = since + waitMs <= at
  return { believed: isSure ? [...quick, ...again] : quick, waiting: { numbers: again, at: since } }
}

/** The schedule with the waiting posts recorded, and with a visit planned for when the wait is over. */
export function withVanished(schedule: Schedule, waiting: Vanished | null, now: number): Schedule {
  if (waiting === null) {
    return vanishedOf(schedule) ? { ...schedule, doubt: null, doubtedAt: null } : schedule
  }
  const { nextVisitAt } = schedule
  const due = waiting.at + VANISHED_MS
  return {
    ...schedule,
    doubt: PREFIX + waiting.numbers.join(','),
    doubtedAt: waiting.at,
    nextVisitAt: due > now ? Math.min(nextVisitAt, due) : nextVisitAt,
  }
}
