import { cutText } from './cut-text.ts'

/** Replies echo no more than this of a value, which a caller can make arbitrarily long. */
const MAX_SHOWN = 64

/** Describes an unexpected value for the end of an error message ("…, found 12"). */
export function found(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'string') return JSON.stringify(beginningOf(value))
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}

/** As much of a text as an error message shows. */
export function beginningOf(text: string): string {
  return cutText(text, MAX_SHOWN)
}
