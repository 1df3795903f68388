/**
 * Whether our clock can be believed, judged by clocks that are not ours: the platform's, which tells its time with every
 * reply, and the database's. Elapsed time is certain, so what was told once is known from then on, and a clock that is set
 * wrong contradicts it at once.
 */
import type { Clock } from './clock.ts'
import { DAY_MS } from './time.ts'

export const WITNESSES = ['platform', 'database'] as const
export type Witness = (typeof WITNESSES)[number]

export interface ClockCheck {
  /** Takes note of the time that somebody has just told. */
  hear(whose: Witness, at: number): void
  /** How far our clock is ahead of another, negative when it is behind; null unless that was told within a day. */
  aheadOf(whose: Witness): number | null
  /** A day or more apart from another clock: then nothing may be written, scheduled or erased. */
  isWrong(): boolean
  /** Somebody has told the same time. Neither right nor wrong is a clock that could not be compared yet: it must not erase. */
  isRight(): boolean
  /** Why nothing is written; null unless the clock is wrong. */
  problem(): string | null
}

interface Told {
  readonly at: number
  readonly since: number
}

export function createClockCheck(clock: Clock): ClockCheck {
  const believed = new Map<Witness, Told>()
  const last = new Map<Witness, Told>()
  const aheadOf = ({ at, since }: Told) => clock.now() - at - (clock.elapsed() - since)
  const fresh = (told: Told | undefined) =>
    told !== undefined && clock.elapsed() - told.since <= DAY_MS ? told : undefined

  /** While there is nothing else, even a single time counts that contradicts ours: to wait for the next one costs little. */
  function aheadMs(whose: Witness): number | null {
    const told = fresh(believed.get(whose)) ?? fresh(last.get(whose))
    return told === undefined ? null : aheadOf(told)
  }

  const wrong = () => WITNESSES.find((whose) => !isNear(aheadMs(whose) ?? 0))

  return {
    hear(whose, at) {
      const told = { at, since: clock.elapsed() }
      const before = last.get(whose)
      last.set(whose, told)
      // A reply may be wrong, so one that contradicts our clock is believed only together with another.
      const isAgreed = before !== undefined && isNear(aheadOf(told) - aheadOf(before))
      if (isNear(aheadOf(told)) || isAgreed) believed.set(whose, told)
    },
    aheadOf: aheadMs,
    isWrong: () => wrong() !== undefined,
    isRight: () => wrong() === undefined && WITNESSES.some((whose) => aheadMs(whose) !== null),
    problem() {
      const whose = wrong()
      if (whose === undefined) return null
      const days = Math.round(aheadMs(whose)! / DAY_MS)
      const apart = `${Math.abs(days)} ${Math.abs(days) === 1 ? 'day' : 'days'} ${days > 0 ? 'ahead of' : 'behind'}`
      return `our clock is ${apart} that of the ${whose}: nothing is written or erased until it is right`
    },
  }
}

function isNear(apartMs: number): boolean {
  return Math.abs(apartMs) < DAY_MS
}
