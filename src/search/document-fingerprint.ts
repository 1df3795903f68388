import { hash48 } from '../model/hash48.ts'
import type { IndexDocument } from './search-index.ts'

/** What moves while a post stays as it is; JSON leaves out what is undefined. */
const MOVING = {
  revision: undefined,
  views: undefined,
  reactions: undefined,
  subscribers: undefined,
  group: undefined,
  isCopy: undefined,
}

/**
 * A number for all else that an index holds of a document: two of one post with the same fingerprint are found by the same
 * queries.
 */
export function fingerprintOf(document: IndexDocument): number {
  return hash48(JSON.stringify({ ...document, ...MOVING }))
}
