/**
 * The one gate in front of the platform: every request, for a visit or for a caller's live read, waits here for the
 * store's budget. Live reads go first, so that no caller waits behind the crawler.
 */
import type { Clock } from '../model/clock.ts'
import { HOUR_S, MINUTE_MS } from '../model/time.ts'
import { LIVE_SHARE, type Budget } from '../store/budget.ts'
import type { Purpose } from '../telegram/source.ts'
import { abortable } from '../model/abortable.ts'
import { createSemaphore } from '../model/semaphore.ts'

export interface Politeness {
  /** Resolves when one request may be sent; rejects with the signal's reason. */
  permit(purpose: Purpose, signal?: AbortSignal): Promise<void>
  /** The platform complained: everything pauses, longer each time it happens again. */
  backOff(complaint: { readonly retryAfterMs: number | null }): Promise<void>
  /** The least time that a live read would have to wait. */
  liveWaitMs(): Promise<number>
}

interface PolitenessOptions {
  readonly budget: Budget
  readonly ratePerS: number
  readonly clock: Clock
  /** The first pause after a complaint; it doubles up to 64 times its length. */
  readonly pauseMs?: number
  readonly onThrottled?: (pause: { readonly until: number }) => void
}

const PAUSE_MS = 60_000
const MAX_DOUBLINGS = 6
/** After this long without a complaint since the last pause, the next one starts with the first pause again. */
const FORGIVE_MS = 10 * MINUTE_MS
/** A live read that has to wait longer than this lets visits go ahead. */
const PARKED_MS = 5_000

export function createPoliteness(options: PolitenessOptions): Politeness {
  const { budget, ratePerS, clock, pauseMs = PAUSE_MS } = options
  const semaphores = { live: createSemaphore(1), crawl: createSemaphore(1) }
  const live = createQueueSign()
  let doublings = 0
  let pausedSince = -Infinity
  let pausedMs = 0
  /** How long ago the pause ended; negative while it lasts. */
  const overMs = () => clock.elapsed() - pausedSince - pausedMs

  async function take(share: 'live' | 'crawl', signal?: AbortSignal): Promise<void> {
    for (;;) {
      signal?.throwIfAborted()
      if (share === 'crawl') await live.passed(signal)
      const { isTaken, waitMs } = await budget.take({ share, ratePerS })
      if (isTaken && waitMs <= 0) return
      if (share === 'live') live.park(waitMs > PARKED_MS)
      try {
        await clock.sleep(waitMs, signal)
      } finally {
        if (share === 'live') live.park(false)
      }
      // A request granted before a pause is not sent during the pause.
      if (isTaken && overMs() >= 0) return
    }
  }

  return {
    async permit(purpose, signal) {
      const share = purpose === 'live' ? 'live' : 'crawl'
      if (share === 'live') live.add(1)
      try {
        await semaphores[share].run(() => take(share, signal), signal)
      } finally {
        if (share === 'live') live.add(-1)
      }
    },

    async backOff({ retryAfterMs }) {
      const over = overMs()
      // Complaints during a pause are answers to requests sent before it: they do not double the pause again.
      if (over >= 0) doublings = over < FORGIVE_MS ? Math.min(doublings + 1, MAX_DOUBLINGS) : 0
      const forMs = Math.max(retryAfterMs ?? 0, pauseMs * 2 ** doublings)
      pausedMs = Math.max(-over, forMs)
      pausedSince = clock.elapsed()
      const until = clock.now() + forMs
      await budget.backOff(forMs)
      options.onThrottled?.({ until })
    },

    async liveWaitMs() {
      const now = clock.now()
      const state = await budget.state(ratePerS)
      const pauseLeft = Math.max(0, (state.pausedUntil ?? 0) - now)
      const isSpent = state.lastHourLive >= LIVE_SHARE * ratePerS * HOUR_S
      return Math.max(pauseLeft, isSpent ? 60_000 : 0)
    },
  }
}

/** Makes visits wait while live reads are queued, except while the first of these is parked. */
function createQueueSign() {
  let waiting = 0
  let isParked = false
  let waiters: (() => void)[] = []
  const wake = () => {
    if (waiting > 0 && !isParked) return
    const woken = waiters
    waiters = []
    for (const resolve of woken) resolve()
  }
  return {
    add(n: number) {
      waiting += n
      wake()
    },
    park(parked: boolean) {
      isParked = parked
      wake()
    },
    async passed(signal?: AbortSignal) {
      while (waiting > 0 && !isParked) {
        await abortable(new Promise<void>((resolve) => waiters.push(resolve)), signal)
      }
    },
  }
}
