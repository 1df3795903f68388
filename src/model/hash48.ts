import { hash } from 'node:crypto'

/** A number for a text, of 48 bits, so that it is exact in JavaScript and SQL. */
export function hash48(text: string): number {
  return parseInt(hash('sha1', text).slice(0, 12), 16)
}
