import { hash48 } from '../model/hash48.ts'
import type { IndexDocument } from './search-index.ts'

/** What may change while the post stays the same. `undefined` makes JSON leave a field out. */
const MOVING = {
  revision: undefined,
  views: undefined,
  reactions: undefined,
  subscribers: undefined,
  group: undefined,
  isCopy: undefined,
}

/** A hash of everything else in a document: versions of a post with the same fingerprint are found by the same queries. */
export function fingerprintOf(document: IndexDocument): number {
  return hash48(JSON.stringify({ ...document, ...MOVING }))
}
