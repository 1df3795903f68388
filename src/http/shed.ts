import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { AppError } from '../model/errors.ts'
import { silentEvents, type HttpEvents } from './events.ts'

export interface ShedLimits {
  /** Requests that can be worked on at once: by the threads that search and the one that does the rest. */
  readonly threads: number
  /** Live reads wait for the platform and need hardly anything else: they have a bound of their own. */
  readonly maxLive: number
}

/** For an index that searches with so many threads; one more serves. */
export function shedLimits(searchThreads: number): ShedLimits {
  return { threads: searchThreads + 1, maxLive: 2048 }
}

type Kind = 'live' | 'file' | 'other'

/** What is asked for, by its address as it was sent: one that leads elsewhere, as `/media/../v1/search`, is no file. */
export function kindOf(url: string): Kind {
  if (/^\/(?:media|assets)\/[\w/-]+(?:\.\w+)?(?:\?|$)/.test(url)) return 'file'
  return /^[^?#]*\/live\/?(?:\?|$)/.test(url) ? 'live' : 'other'
}

/** Turns requests away while there is more to do than can be done: at once, so that those let in stay fast. */
export interface Shedder extends Disposable {
  /** Lets a request in, or throws `overloaded`. The function given back ends it. */
  enter(kind: Kind): () => void
  /** Whether somebody was turned away of late and one more of the kind `other` would be, after those who wait. */
  isFull(waiting: number): boolean
  /** One was turned away before he could enter. */
  refused(kind: Kind): void
  readonly inFlight: number
}

/** For each thread so many are let in while there is room for everybody: several things asked at once are no crowd. */
const ROOM = 8
/** Once somebody had to be turned away, each thread gets one at a time: more would only wait longer for the same answers. */
const CROWDED = 1
/** Until nobody had to be for so long, */
const CALM_MS = 500
/** or for so long in all: one who asks again and again must not keep the room from everybody. A new crowd has to fill it. */
const CROWD_MS = 10_000
/** A page asks for all its pictures at once, and each takes next to nothing. */
export const MAX_FILES = 128
/** With a later event loop an eighth of the live reads is let in. */
const MAX_LOOP_DELAY_MS = 100
const SAMPLE_MS = 10
const WINDOW_MS = 100

export function createShedder(
  limits: ShedLimits,
  events: Pick<HttpEvents, 'requestShed'> = silentEvents,
): Shedder {
  const count = { live: 0, file: 0, other: 0 }
  const loopDelayMs = watchLoop()
  let crowdedAt = -Infinity
  let refusedAt = -Infinity

  function isCrowded(now: number): boolean {
    return now - refusedAt < CALM_MS && now - crowdedAt < CROWD_MS
  }

  function bound(kind: Kind, now: number): number {
    if (kind === 'live') {
      return loopDelayMs(now) > MAX_LOOP_DELAY_MS ? limits.maxLive / 8 : limits.maxLive
    }
    if (kind === 'file') return MAX_FILES
    return limits.threads * (isCrowded(now) ? CROWDED : ROOM)
  }

  function refused(kind: Kind): void {
    if (kind === 'other') {
      const now = performance.now()
      if (!isCrowded(now)) crowdedAt = now
      refusedAt = now
    }
    events.requestShed()
  }

  return {
    refused,
    enter(kind) {
      if (count[kind] >= bound(kind, performance.now())) {
        refused(kind)
        throw new AppError('overloaded', 'the service is busy, ask again in a moment', {
          retryAfterS: 1,
        })
      }
      count[kind]++
      return () => void count[kind]--
    },
    isFull(waiting) {
      const now = performance.now()
      return isCrowded(now) && count.other + waiting >= bound('other', now)
    },
    get inFlight() {
      return count.live + count.file + count.other
    },
    [Symbol.dispose]() {
      loopDelayMs.stop()
    },
  }
}

/** The loop's median lateness over the last tenth of a second: one pause of the collector is no overload. */
function watchLoop() {
  const delay = monitorEventLoopDelay({ resolution: SAMPLE_MS })
  delay.enable()
  let readAt = performance.now()
  let lateMs = 0
  const read = (now: number): number => {
    if (now - readAt >= WINDOW_MS) {
      lateMs = delay.count === 0 ? 0 : delay.percentile(50) / 1e6 - SAMPLE_MS
      delay.reset()
      readAt = now
    }
    return lateMs
  }
  return Object.assign(read, { stop: () => delay.disable() })
}
