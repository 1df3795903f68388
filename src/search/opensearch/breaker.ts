/**
 * A circuit breaker, which keeps requests from a node that does not answer. Five failures within ten seconds open it;
 * five seconds later one request is let through, and its outcome decides.
 */
export interface Breaker {
  /** Whether a request may be sent now. If so, the caller must report its outcome. */
  tryAcquire(): boolean
  succeeded(): void
  failed(): void
  /** The caller gave up or had too little time left: nothing is known about the node. */
  unknown(): void
}

const FAILURES = 5
const WITHIN_MS = 10_000
const OPEN_MS = 5_000

/** `elapsed` is in milliseconds, from a monotonic clock. */
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
      // A success that began before the breaker opened says nothing about the present.
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
