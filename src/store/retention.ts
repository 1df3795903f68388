import { DAY_MS } from '../model/time.ts'

/** What the operator has decided to keep. */
export interface Retention {
  /** `redact`: a deleted post loses its content. `keep`: it keeps it. */
  readonly deleted: 'redact' | 'keep'
  /** `hash`: earlier versions keep only their date and hash. */
  readonly versions: 'keep' | 'hash'
  /** How many days after its publication a post is kept; for ever when null or absent. */
  readonly days?: number | null
  /** Whether the pictures of posts are to be fetched and kept, from now on. */
  readonly pictures?: boolean
}

/** Posts published before this are not archived, and `Archive.prune` may erase them. */
export function keptSince({ days }: Retention, now: number): number {
  return days == null ? -Infinity : now - days * DAY_MS
}
