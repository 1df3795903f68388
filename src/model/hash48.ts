import { hash } from 'node:crypto'

/** A 48-bit hash of a text: small enough to be an exact number in JavaScript and in SQL. */
export function hash48(text: string): number {
  return parseInt(hash('sha1', text).slice(0, 12), 16)
}
