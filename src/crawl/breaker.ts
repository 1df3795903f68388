/**
 * Stops visits when the platform fails as a whole: most visits unreachable, or most pages of a layout we do not know.
 * Then one visit at a time tries whether it is over, after a pause that doubles.
 */
export interface Breaker {
  /** Until when nothing should be tried; 0 when closed. */
  openUntil(): number
  isHalfOpen(): boolean
  note(now: number, isFailure: boolean): void
}

const WINDOW = 20
const OPENS_AT = 0.5
const CONSECUTIVE = 8
const FIRST_PAUSE_MS = 30_000
const LONGEST_PAUSE_MS = 600_000

export function createBreaker(onOpen: (until: number) => void): Breaker {
  let recent: boolean[] = []
  let until = 0
  let pauseMs = FIRST_PAUSE_MS
  let isHalfOpen = false
  const open = (now: number) => {
    until = now + pauseMs
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
    isHalfOpen = true
    recent = []
    onOpen(until)
  }
  return {
    openUntil: () => until,
    isHalfOpen: () => isHalfOpen,
    note(now, isFailure) {
      if (now < until) return
      if (isHalfOpen) {
        if (isFailure) return open(now)
        isHalfOpen = false
        pauseMs = FIRST_PAUSE_MS
      }
      recent = [...recent.slice(1 - WINDOW), isFailure]
      const failures = recent.filter(Boolean).length
      const isFull = recent.length >= WINDOW && failures >= OPENS_AT * WINDOW
      if (isFull || (recent.length >= CONSECUTIVE && recent.slice(-CONSECUTIVE).every(Boolean))) {
        open(now)
      }
    },
  }
}
