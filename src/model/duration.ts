import { DAY_S, HOUR_S } from './time.ts'

/** As a clock shows it: `1:02`, `1:00:05`. */
export function duration(seconds: number): string {
  const s = Math.round(seconds)
  const h = Math.floor(s / HOUR_S)
  const tail = `${String(Math.floor(s / 60) % 60).padStart(h > 0 ? 2 : 1, '0')}:${String(s % 60).padStart(2, '0')}`
  return h > 0 ? `${h}:${tail}` : tail
}

/** In words: `40 s`, `12 min`, `5 h`, `3 days`. */
export function span(seconds: number, round = Math.round): string {
  if (seconds < 90) return `${seconds} s`
  if (seconds < 1.5 * HOUR_S) return `${round(seconds / 60)} min`
  if (seconds < 1.5 * DAY_S) return `${round(seconds / HOUR_S)} h`
  return `${round(seconds / DAY_S)} days`
}
