import { hash } from 'node:crypto'

/**
 * Fields that change between replies although nothing happened. A quote inside JSON text is always escaped, so `"as_of":`
 * cannot be part of a post. There are two expressions because one that starts with a fixed word is matched ten times as fast
 * as an alternation, and lists of posts contain only the first.
 */
const AS_OF = /"as_of":"[^"]*"/g
/** A score decays with a post's age; the order that it gives is part of the hash anyway. */
const SCORE = /"score":[\d.e+-]+/g
const RARE =
  /"(?:fetched_at|lag_s|last_captured_at|last_visited_at|next_visit_at)":(?:"[^"]*"|null|\d+)/g
/** A reply that contains any of the rare fields contains one of these. */
const RARE_SIGN = /"(?:fetched_at|lag_s|last_captured_at)":/

/**
 * Weak: replies that differ only in times of reading are equal. Computed over JSON; other formats are made from the same
 * JSON.
 */
export function weakEtag(stable: string, format: string): string {
  let lasting = stable.replace(AS_OF, '').replace(SCORE, '')
  if (RARE_SIGN.test(lasting)) lasting = lasting.replace(RARE, '')
  return `W/"${hash('sha1', lasting + format, 'base64url').slice(0, 22)}"`
}

/** `*` means "any version" and would turn every poll into a 304, so it is ignored. */
export function isMatch(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false
  const opaque = etag.replace(/^W\//, '')
  return ifNoneMatch
    .slice(0, 4096)
    .split(',')
    .some((part) => part.trim().replace(/^W\//, '') === opaque)
}
