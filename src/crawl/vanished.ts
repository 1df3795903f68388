/**
 * Posts that vanish many at once: an owner may have deleted them, or the platform may be hiding them for a while, their
 * own pages included. Deletions cannot be undone where texts are redacted, so they are believed hours later, and until
 * then nothing is touched. The first sight is kept with the schedule. A few are believed as soon as their pages agree. Pure.
 */
import { HOUR_MS } from '../model/time.ts'
import type { Schedule } from '../store/frontier.ts'

/** Between the first sight and the look that is believed. */
const VANISHED_MS = 6 * HOUR_MS
/** Up to this many are what authors do every day. */
const A_FEW = 3
/** Half of a page is many, however much is still shown. */
const MANY = 10
/** Remembered at once, newest first; the others are found missing again later. */
const MAX_REMEMBERED = 200
const PREFIX = 'vanished '

export interface Vanished {
  readonly numbers: readonly number[]
  /** When they were first missed. */
  readonly at: number
}

/** What was missed before and waits to be believed. */
export function vanishedOf({ doubt, doubtedAt }: Doubt): Vanished | null {
  if (!doubt?.startsWith(PREFIX)) return null
  return { numbers: doubt.slice(PREFIX.length).split(',').map(Number), at: doubtedAt ?? 0 }
}

type Doubt = Pick<Schedule, 'doubt' | 'doubtedAt'>

/**
 * Which of the posts missing now may be believed deleted once their own pages agree, and what has to wait. `missing`: archived
 * and not shown, newest first. `shown`: how many archived posts the same visit did see.
 */
export function weighVanished(
  before: Vanished | null,
  missing: readonly number[],
  { shown, at }: { readonly shown: number; readonly at: number },
): { readonly believed: readonly number[]; readonly waiting: Vanished | null } {
  const known = new Set(before?.numbers)
  const again = missing.filter((number) => known.has(number))
  const fresh = missing.filter((number) => !known.has(number))
  const isMass = fresh.length > A_FEW && (fresh.length >= MANY || fresh.length > shown)
  const quick = isMass ? [] : fresh
  if (before === null || again.length === 0) {
    const waiting = isMass ? { numbers: fresh.slice(0, MAX_REMEMBERED), at } : null
    return { believed: quick, waiting }
  }
  // A clock that was set back does not make them wait for longer.
  const since = Math.min(before.at, at)
  const isSure = since + VANISHED_MS <= at
  return { believed: isSure ? [...quick, ...again] : quick, waiting: { numbers: again, at: since } }
}

/** The schedule with what waits in it, and a visit when the wait is over. */
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
