/**
 * Two things are believed because a second look hours later shows the same: that a name shows another channel, and that many
 * posts are gone, since a deletion cannot be undone once texts are redacted. Until then nothing is changed; what was seen
 * first is kept in the schedule. Nothing else that contradicts the archive is ever believed. Pure.
 */
import { DAY_MS, HOUR_MS } from '../model/time.ts'
import type { Schedule } from '../store/frontier.ts'

/** The time between the first look and the one that is believed. */
export const SECOND_LOOK_MS = 6 * HOUR_MS
/** The same where no other channel is followed that could show whether the platform, or our parser, is at fault. */
export const SECOND_LOOK_ALONE_MS = 7 * DAY_MS
/** Authors delete up to this many at once every day. Their deletion is believed as soon as their own pages confirm it. */
const A_FEW = 3
/** How many missing posts are remembered, newest first; the others are found missing again later. */
const MAX_REMEMBERED = 200
const VANISHED = 'vanished '

export type Doubt = Pick<Schedule, 'doubt' | 'doubtedAt'>

/** Whether the name has shown this channel for `waitMs`; null: it cannot be believed now. */
export function weighOther(
  before: Doubt,
  platformId: number,
  { at, waitMs }: { readonly at: number; readonly waitMs: number | null },
): Doubt & { readonly isSure: boolean } {
  const doubt = `channel ${platformId}`
  // A clock that was set back must not make it wait longer.
  const doubtedAt = before.doubt === doubt ? Math.min(before.doubtedAt ?? at, at) : at
  return { doubt, doubtedAt, isSure: waitMs !== null && doubtedAt + waitMs <= at }
}

export interface Vanished {
  readonly numbers: readonly number[]
  /** When they were first missed. */
  readonly at: number
}

/** The posts that were missed before and whose deletion waits to be believed. */
export function vanishedOf({ doubt, doubtedAt }: Doubt): Vanished | null {
  if (!doubt?.startsWith(VANISHED)) return null
  return { numbers: doubt.slice(VANISHED.length).split(',').map(Number), at: doubtedAt ?? 0 }
}

/**
 * Which of the missing posts may be believed deleted once their own pages confirm it, and which have to wait. `missing` are
 * archived and not shown, newest first; all of them wait if the channel shows no other posts either.
 */
export function weighVanished(
  before: Vanished | null,
  missing: readonly number[],
  {
    isAnyShown,
    at,
    waitMs,
  }: { readonly isAnyShown: boolean; readonly at: number; readonly waitMs: number },
): { readonly believed: readonly number[]; readonly waiting: Vanished | null } {
  const known = new Set(before?.numbers)
  const again = missing.filter((number) => known.has(number))
  const fresh = missing.filter((number) => !known.has(number))
  const isMass = !isAnyShown || fresh.length > A_FEW
  const quick = isMass ? [] : fresh
  if (before === null || again.length === 0) {
    const waiting =
      isMass && fresh.length > 0 ? { numbers: fresh.slice(0, MAX_REMEMBERED), at } : null
    return { believed: quick, waiting }
  }
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
  const due = waiting.at + SECOND_LOOK_MS
  return {
    ...schedule,
    doubt: VANISHED + waiting.numbers.join(','),
    doubtedAt: waiting.at,
    nextVisitAt: due > now ? Math.min(nextVisitAt, due) : nextVisitAt,
  }
}
