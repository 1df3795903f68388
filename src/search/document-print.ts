import { hash } from 'node:crypto'
import type { IndexDocument } from './search-index.ts'

/**
 * A number for all that an index holds of a document but what counts on: two of one post with the same print are found by
 * the same queries. 48 bits, so that it is exact in JavaScript.
 */
export function printOf(document: IndexDocument): number {
  const { revision: _, views: __, reactions: ___, subscribers: ____, ...content } = document
  return hash('sha1', JSON.stringify(content), 'buffer').readUIntBE(0, 6)
}
