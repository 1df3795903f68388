import { cutText } from './cut-text.ts'

/** Replies do not echo what a caller can make arbitrarily long. */
const MAX_SHOWN = 64

/** What was found where something else was expected, for the end of a sentence. */
export function found(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'string') return JSON.stringify(beginningOf(value))
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}

/** So much of a text as is shown. */
export function beginningOf(text: string): string {
  return cutText(text, MAX_SHOWN)
}
