/** What a visit that read nothing means for its channel: status, reason, and the next visit. Pure. */
import type { ChannelStatus } from '../model/channel.ts'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../model/time.ts'
import type { LeasedVisit, Schedule, VisitResult } from '../store/frontier.ts'
import type { NoPage } from '../telegram/source.ts'
import { POLICY } from './policy.ts'
import { openGaps } from './gaps.ts'
import { SECOND_LOOK_MS } from './second-look.ts'

/** The reason of a channel whose pages are not understood, or contradict what is archived. */
export const PARSER_MISMATCH = 'parser_mismatch'

interface Verdict {
  readonly schedule: Schedule
  readonly status: ChannelStatus
  readonly reason: string | null
}

/** How often, days apart, the platform must say that nobody has a name before a channel that was read before is given up. */
const NOBODY_TIMES = 3

export function judgeFailure(
  { channel, schedule }: Pick<LeasedVisit, 'channel' | 'schedule'>,
  outcome: NoPage,
  { at, random }: { readonly at: number; readonly random: number },
): Verdict {
  const name = failureName(outcome)
  // Earlier failures of another kind do not count towards this one.
  const s = schedule.lastFailure === name ? schedule : { ...schedule, fails: 0 }
  const same = { status: channel.status, reason: channel.reason }
  const retry = (kind: Failure) => planRetry(s, { kind, name, at }, random)
  switch (outcome.kind) {
    case 'unavailable':
      return {
        // A page that lost its posts for a moment must not keep a channel away for a day.
        schedule: retry(schedule.newestNumber === null ? 'unavailable' : 'withdrawn'),
        status: 'unavailable',
        reason: outcome.detail ?? outcome.reason,
      }
    case 'nobody': {
      const isOver = schedule.newestNumber === null || s.fails + 1 >= NOBODY_TIMES
      return {
        schedule: retry('nobody'),
        ...(isOver ? { status: 'gone', reason: 'nobody' } : same),
      }
    }
    case 'throttled': {
      // Not the channel's fault: its history stays as it is. `Politeness` pauses all requests.
      const next = at + MINUTE_MS * (1 + random)
      const waiting = { nextVisitAt: next, earliestVisitAt: next, lastFailure: name }
      return { schedule: { ...schedule, ...waiting }, ...same }
    }
    case 'broken': {
      if (outcome.what === 'truncated') return { schedule: retry('passing'), ...same }
      const mismatch = { status: 'unavailable', reason: PARSER_MISMATCH } as const
      if (outcome.what === 'layout_unknown') return { schedule: retry('passing'), ...mismatch }
      const next = at + SECOND_LOOK_MS
      const again = { nextVisitAt: next, earliestVisitAt: next, lastFailure: name }
      return { schedule: { ...s, ...again, fails: s.fails + 1 }, ...mismatch }
    }
    case 'empty':
      // A channel that was never read may really have no posts; it is then visited less and less often.
      return schedule.newestNumber === null
        ? { schedule: { ...retry('passing'), lastVisitAt: at }, status: 'active', reason: null }
        : { schedule: retry('passing'), ...same }
    case 'unreachable':
      return { schedule: retry('passing'), ...same }
  }
}

/** The result of a visit that threw: nothing changes, and the channel is retried later. */
export function afterCrash(
  leased: LeasedVisit,
  { at, random }: { readonly at: number; readonly random: number },
): VisitResult {
  const { status, reason } = leased.channel
  const schedule = planRetry(leased.schedule, { kind: 'passing', name: 'crashed', at }, random)
  return { reading: null, schedule, status, reason, gaps: openGaps(leased), walked: [] }
}

export function failureName(outcome: NoPage): string {
  switch (outcome.kind) {
    case 'unavailable':
      return outcome.reason
    case 'broken':
      return outcome.what
    case 'unreachable':
      return `unreachable_${outcome.what}`
    default:
      return outcome.kind
  }
}

/**
 * How a failed visit is retried, each time after twice the wait: soon for passing failures, after days for lasting states,
 * and in between for a lasting state of a channel that was readable before.
 */
type Failure = 'passing' | 'withdrawn' | 'unavailable' | 'nobody'

const FIRST_WAIT_MS: Readonly<Record<Failure, number>> = {
  passing: 30 * SECOND_MS,
  withdrawn: 10 * MINUTE_MS,
  unavailable: DAY_MS,
  nobody: DAY_MS,
}

export function planRetry(
  s: Schedule,
  failure: { readonly kind: Failure; readonly name: string; readonly at: number },
  random: number,
): Schedule {
  const fails = s.fails + 1
  const doubled = 2 ** Math.min(s.fails, 16)
  const ceiling = FIRST_WAIT_MS[failure.kind] * doubled
  const wait =
    failure.kind === 'passing'
      ? Math.min(ceiling, POLICY.maxIntervalMs) * (0.5 + 0.5 * random)
      : Math.min(ceiling, 30 * DAY_MS) * (0.9 + 0.1 * random)
  const next = failure.at + wait
  return { ...s, fails, lastFailure: failure.name, nextVisitAt: next, earliestVisitAt: next }
}
