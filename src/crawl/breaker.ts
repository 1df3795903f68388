/**
 * A circuit breaker. It stops visits when the platform fails as a whole: most visits cannot reach it, or most pages have an
 * unknown layout. Then single visits probe whether it is over, after pauses that double.
 */
import type { Clock } from '../model/clock.ts'

export interface Breaker {
  /** No visit should be tried. */
  isOpen(): boolean
  isHalfOpen(): boolean
  note(isFailure: boolean): void
}

const WINDOW = 20
const OPENS_AT = 0.5
const CONSECUTIVE = 8
const FIRST_PAUSE_MS = 30_000
const LONGEST_PAUSE_MS = 600_000

export function createBreaker(clock: Clock, onOpen: (until: number) => void): Breaker {
  let recent: boolean[] = []
  let halfOpenSince = -Infinity
  let pauseMs = FIRST_PAUSE_MS
  let isHalfOpen = false
  const isOpen = () => clock.elapsed() < halfOpenSince
  const open = () => {
    const until = clock.now() + pauseMs
    halfOpenSince = clock.elapsed() + pauseMs
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
    isHalfOpen = true
    recent = []
    onOpen(until)
  }
  return {
    isOpen,
    isHalfOpen: () => isHalfOpen,
    note(isFailure) {
      if (isOpen()) return
      if (isHalfOpen) {
        if (isFailure) return open()
        isHalfOpen = false
        pauseMs = FIRST_PAUSE_MS
      }
      recent = [...recent.slice(1 - WINDOW), isFailure]
      const failures = recent.filter(Boolean).length
      const isFull = recent.length >= WINDOW && failures >= OPENS_AT * WINDOW
      if (isFull || (recent.length >= CONSECUTIVE && recent.slice(-CONSECUTIVE).every(Boolean))) {
        open()
      }
    },
  }
}
