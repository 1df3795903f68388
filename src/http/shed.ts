import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { AppError } from '../model/errors.ts'
import { isLiveRead } from '../operations/deadlines.ts'
import { silentEvents, type HttpEvents } from './events.ts'

export interface ShedLimits {
  /** How many requests can be worked on at once: by the search threads and the main thread. */
  readonly threads: number
  /** Live reads mostly wait for the platform and need hardly anything else, so they have a limit of their own. */
  readonly maxLive: number
}

/** The limits for an index with this many search threads; one more thread serves requests. */
export function shedLimits(searchThreads: number): ShedLimits {
  return { threads: searchThreads + 1, maxLive: 2048 }
}

type Kind = 'live' | 'file' | 'other'

/**
 * The kind of a request, by its address as sent. An address that leads elsewhere, such as `/media/../v1/search`, is not a
 * file.
 */
export function kindOf(url: string): Kind {
  if (/^\/(?:media|assets)\/[\w/-]+(?:\.\w+)?(?:\?|$)/.test(url)) return 'file'
  return isLiveRead(url) ? 'live' : 'other'
}

/** Load shedding: refuses requests at once while there is more to do than can be done, so that those admitted stay fast. */
export interface Shedder extends Disposable {
  /** Admits a request, or throws `overloaded`. The returned function ends it. */
  enter(kind: Kind): () => void
  /** Whether a request was refused lately and one more of the kind `other`, after those waiting, would be refused too. */
  isFull(waiting: number): boolean
  /** Reports a request that was refused before it could enter. */
  refused(kind: Kind): void
  readonly inFlight: number
}

export const BUSY = new AppError('overloaded', 'the service is busy, ask again in a moment', {
  retryAfterS: 1,
})
/** Requests admitted per thread in calm times: a burst of several requests is not an overload. */
const ROOM = 8
/** Requests per thread once somebody had to be refused: with more, all would only wait longer for the same replies. */
const CROWDED = 1
/** An overload ends when nobody has been refused for this long. */
const CALM_MS = 500
/**
 * It also ends after this long in total: a caller that retries constantly must not keep the limit low for everybody. A new
 * overload has to fill the larger limit first.
 */
const CROWD_MS = 10_000
/** A page requests all its pictures at once, and each costs next to nothing. */
export const MAX_FILES = 128
/** While the event loop is later than this, only an eighth of the live reads is admitted. */
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
        throw BUSY
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

/**
 * The event loop's median delay over the last tenth of a second; a single pause of the garbage collector is not an overload.
 */
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
