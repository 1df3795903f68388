import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { AppError } from '../model/errors.ts'
import { createAdaptiveLimit, FEWEST } from './adaptive-limit.ts'

export interface ShedLimits {
  /** Requests worked on at a time at most; how many really is learnt. */
  readonly maxInFlight: number
  /** Live reads wait for the platform and need hardly anything else: they have a bound of their own. */
  readonly maxLive: number
  /** When the event loop is later than this, an eighth is let in, but never fewer than a dozen. */
  readonly maxLoopDelayMs: number
}

export const DEFAULT_SHED_LIMITS: ShedLimits = {
  maxInFlight: 64,
  maxLive: 2048,
  maxLoopDelayMs: 100,
}

/** Turns requests away while there is more to do than can be done: at once, so that those let in stay fast. */
export interface Shedder extends Disposable {
  /** Lets a request in, or throws `overloaded`. The function given back ends it. */
  enter(kind: 'live' | 'other'): () => void
  readonly inFlight: number
}

const SAMPLE_MS = 10
const WINDOW_MS = 100

export function createShedder(limits: ShedLimits): Shedder {
  const delay = monitorEventLoopDelay({ resolution: SAMPLE_MS })
  delay.enable()
  const count = { live: 0, other: 0 }
  const adaptive = createAdaptiveLimit(limits.maxInFlight)
  let readAt = performance.now()
  let lateMs = 0

  /** The loop's median lateness over the last tenth of a second: one pause of the collector is no overload. */
  function loopDelayMs(): number {
    const now = performance.now()
    if (now - readAt >= WINDOW_MS) {
      lateMs = delay.count === 0 ? 0 : delay.percentile(50) / 1e6 - SAMPLE_MS
      delay.reset()
      readAt = now
    }
    return lateMs
  }

  return {
    enter(kind) {
      const bound = kind === 'live' ? limits.maxLive : adaptive.limit
      // Never none: a late loop with nothing to do is the machine's trouble, not ours to add to.
      const isLate = loopDelayMs() > limits.maxLoopDelayMs
      if (count[kind] >= (isLate ? Math.min(bound, Math.max(FEWEST, bound / 8)) : bound)) {
        throw new AppError('overloaded', 'the service is busy, ask again in a moment', {
          retryAfterS: 1,
        })
      }
      count[kind]++
      if (kind === 'live') return () => void count.live--
      const startedAt = performance.now()
      adaptive.entered(count.other, startedAt)
      return () => {
        const now = performance.now()
        count.other--
        adaptive.left(now - startedAt, now)
      }
    },
    get inFlight() {
      return count.live + count.other
    },
    [Symbol.dispose]() {
      delay.disable()
    },
  }
}
