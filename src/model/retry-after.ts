import { DAY_MS } from './time.ts'

/** Whoever asks for more is mistaken, or attacks our patience. */
export const LONGEST_WAIT_MS = DAY_MS

/** How long a `Retry-After` asks to wait: seconds, or a date; undefined where it says neither. */
export function readRetryAfter(value: string, now: number): number | undefined {
  const text = value.trim()
  if (text === '') return undefined
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), LONGEST_WAIT_MS)
}
