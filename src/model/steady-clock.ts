/**
 * A clock that does not believe every leap. If somebody set the system clock a year ahead for ten seconds, everything would
 * otherwise be dated, scheduled and erased by that wrong time. Elapsed time is certain, and the platform tells its own time
 * with every response. So a leap of more than a day is believed when the platform agrees, or when it has lasted an hour and
 * the platform has said nothing meanwhile.
 */
import type { Clock } from './clock.ts'
import { DAY_MS, HOUR_MS } from './time.ts'

/**
 * `leapt`: the system clock disagrees with elapsed time. The leap is ignored, so `now()` is still right.
 * `contradicted`: the platform tells another time, so nothing should be written or erased by this clock.
 */
interface ClockFault {
  readonly kind: 'leapt' | 'contradicted'
  /** How far the clock is ahead of the believed time; negative when it is behind. */
  readonly aheadMs: number
}

export interface SteadyClock extends Clock {
  /** Takes note of the platform's time, from a response that has just arrived. */
  observe(at: number): void
  /** Null when nothing contradicts the clock. */
  fault(): ClockFault | null
  /** How far our time is ahead of the platform's, by its latest response; null before the first. */
  aheadMs(): number | null
  /** Does the platform tell another time? */
  isContradicted(): boolean
  /** Has the platform told the same time within the last day? */
  isConfirmed(): boolean
}

interface Told {
  readonly at: number
  readonly since: number
}

export function createSteadyClock(base: Clock): SteadyClock {
  let believed: Told = { at: base.now(), since: base.elapsed() }
  let heard: Told | undefined
  let leaptSince: number | undefined

  /** Whole milliseconds, as instants are everywhere; what elapses is measured more finely. */
  const later = ({ at, since }: Told) => Math.round(at + (base.elapsed() - since))

  /** Whether to believe what the system clock shows although it disagrees with elapsed time. */
  function isLeapBelieved(shown: number): boolean {
    leaptSince ??= base.elapsed()
    if (heard && isNear(shown, later(heard))) return true
    const isContradicted = heard !== undefined && heard.since >= leaptSince
    return !isContradicted && base.elapsed() - leaptSince >= HOUR_MS
  }

  function now(): number {
    const shown = base.now()
    const expected = later(believed)
    if (!isNear(shown, expected) && !isLeapBelieved(shown)) return expected
    leaptSince = undefined
    believed = { at: shown, since: base.elapsed() }
    return shown
  }

  function fault(): ClockFault | null {
    const at = now()
    if (heard && !isNear(at, later(heard)))
      return { kind: 'contradicted', aheadMs: at - later(heard) }
    return leaptSince === undefined ? null : { kind: 'leapt', aheadMs: base.now() - at }
  }

  return {
    now,
    elapsed: () => base.elapsed(),
    sleep: (ms, signal) => base.sleep(ms, signal),
    observe(at) {
      heard = { at, since: base.elapsed() }
    },
    fault,
    aheadMs: () => (heard ? now() - later(heard) : null),
    isContradicted: () => fault()?.kind === 'contradicted',
    isConfirmed() {
      if (!heard || base.elapsed() - heard.since > DAY_MS) return false
      return isNear(now(), later(heard))
    },
  }
}

function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) <= DAY_MS
}
