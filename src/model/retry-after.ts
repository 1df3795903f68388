import { DAY_MS } from './time.ts'

/** A longer `Retry-After` is a mistake, or an attempt to keep us away. */
export const LONGEST_WAIT_MS = DAY_MS

/** The wait that a `Retry-After` asks for, in milliseconds; undefined when it is neither seconds nor a date. */
export function readRetryAfter(value: string, now: number): number | undefined {
  const text = value.trim()
  if (text === '') return undefined
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), LONGEST_WAIT_MS)
}
