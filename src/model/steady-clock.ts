/**
 * A clock that does not believe every leap. Somebody who sets the clock a year ahead for ten seconds would else have
 * everything dated, planned and thrown away by a time that never was. What elapses is known for sure, and the platform
 * tells its own time with every answer: a leap of more than a day is believed when the platform says the same, or when
 * it has stood for an hour and nobody was there to ask.
 */
import type { Clock } from './clock.ts'
import { DAY_MS, HOUR_MS } from './time.ts'

/**
 * `leapt`: the clock shows another time than what has passed allows; time goes on as if it had not, so nothing is wrong.
 * `contradicted`: the platform tells another time; nothing should be written or erased by this one.
 */
interface ClockFault {
  readonly kind: 'leapt' | 'contradicted'
  /** How far the clock is ahead of what is believed; negative where it is behind. */
  readonly aheadMs: number
}

export interface SteadyClock extends Clock {
  /** The platform's own time, as an answer just told it. */
  hear(at: number): void
  /** Null when nothing speaks against the clock. */
  fault(): ClockFault | null
  /** How far our time is ahead of the platform's, as it last told it; null where it has told none. */
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

  /** Is what the clock shows now, against what has passed, to be believed all the same? */
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
    hear(at) {
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
