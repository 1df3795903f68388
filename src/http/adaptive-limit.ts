/**
 * How many requests at a time are worth letting in. More than the machine can work on only makes each wait longer, and how
 * many that is depends on the machine and on what is asked; so it is learnt: while requests take not much longer than
 * when few are there, one more is let in; when they do, fewer.
 */
export interface AdaptiveLimit {
  readonly limit: number
  /** A request was let in, making so many. */
  entered(inFlight: number, now: number): void
  left(tookMs: number, now: number): void
}

/**
 * Never fewer: a page that asks for several things at once is no crowd, however slow they are. So many also show what
 * things take without one.
 */
export const FEWEST = 12
const WINDOW_MS = 100
const ENOUGH = 10
const TOLERANCE = 1.3
/** Differences below this are noise. */
const SLACK_MS = 2
/** How long a baseline is believed. */
const EPOCH_MS = 3_000

export function createAdaptiveLimit(most: number): AdaptiveLimit {
  let limit = most
  let baselineMs = Infinity
  /** The best window of the running epoch, and whether the limit was met in it. */
  let epoch = { startedAt: 0, bestMs: Infinity, wasFull: false }
  let window = { startedAt: 0, sumMs: 0, count: 0, peak: 0 }
  /** Looking at how fast things are with few: the limit to go back to, once those let in before are gone. */
  let probe: { readonly limit: number; isClear: boolean } | null = null

  function close(now: number): void {
    const meanMs = window.sumMs / window.count
    const isFull = window.peak >= limit
    if (probe !== null && !probe.isClear) {
      probe.isClear = true
      window = { startedAt: now, sumMs: 0, count: 0, peak: 0 }
      return
    }
    if (probe !== null) {
      baselineMs = meanMs
      limit = probe.limit
      probe = null
    } else if (meanMs > TOLERANCE * baselineMs + SLACK_MS) {
      limit = Math.max(FEWEST, Math.floor(Math.min(limit, window.peak) * 0.9))
    } else if (isFull) {
      limit = Math.min(most, limit + 1)
    }
    baselineMs = Math.min(baselineMs, meanMs)
    epoch.bestMs = Math.min(epoch.bestMs, meanMs)
    epoch.wasFull ||= isFull
    window = { startedAt: now, sumMs: 0, count: 0, peak: 0 }
    if (now - epoch.startedAt >= EPOCH_MS) turn(now)
  }

  /** What is asked changes, and with it what is fast: under load by a moment with few, else by the best just seen. */
  function turn(now: number): void {
    if (epoch.wasFull) {
      probe = { limit, isClear: false }
      limit = FEWEST
    } else {
      baselineMs = epoch.bestMs
    }
    epoch = { startedAt: now, bestMs: Infinity, wasFull: false }
  }

  return {
    get limit() {
      return limit
    },
    entered(inFlight, now) {
      window.peak = Math.max(window.peak, inFlight)
      if (window.count === 0 && window.startedAt === 0) window.startedAt = epoch.startedAt = now
    },
    left(tookMs, now) {
      window.sumMs += tookMs
      window.count++
      if (now - window.startedAt >= WINDOW_MS && window.count >= ENOUGH) close(now)
    },
  }
}
