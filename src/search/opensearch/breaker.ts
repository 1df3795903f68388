/**
 * Keeps requests from a node that does not answer. Five failures within ten seconds open it; five seconds later one request
 * is let through, and its outcome decides.
 */
export interface Breaker {
  /** Whether a request may be sent now. Whoever is told so must tell how it went. */
  tryAcquire(): boolean
  succeeded(): void
  failed(): void
  /** The caller gave up, or left it too little time: nothing is known of the node. */
  unknown(): void
}

const FAILURES = 5
const WITHIN_MS = 10_000
const OPEN_MS = 5_000

/** `elapsed` in milliseconds, as of a clock nobody sets. */
export function createBreaker(elapsed: () => number): Breaker {
  let failures: number[] = []
  let openSince: number | undefined
  let isProbing = false

  return {
    tryAcquire() {
      if (openSince === undefined) return true
      if (isProbing || elapsed() - openSince < OPEN_MS) return false
      isProbing = true
      return true
    },
    succeeded() {
      // A success that began before the breaker opened says nothing of now.
      if (openSince !== undefined && !isProbing) return
      failures = []
      openSince = undefined
      isProbing = false
    },
    failed() {
      const now = elapsed()
      if (openSince !== undefined) {
        if (isProbing) openSince = now
        isProbing = false
        return
      }
      failures = [...failures.filter((at) => now - at < WITHIN_MS), now]
      if (failures.length >= FAILURES) openSince = now
    },
    unknown() {
      isProbing = false
    },
  }
}
