import { hash } from 'node:crypto'

/**
 * What changes from one reply to the next though nothing happened. A quote inside JSON text is always escaped, so
 * `"as_of":` cannot be part of a post. Two expressions, because one that begins with a fixed word is found ten times as
 * fast as a choice of words, and lists of posts hold nothing but the first.
 */
const AS_OF = /"as_of":"[^"]*"/g
/** Fades with a post's age; the order it makes is in the hash. */
const SCORE = /"score":[\d.e+-]+/g
const RARE =
  /"(?:fetched_at|lag_s|last_captured_at|last_visited_at|next_visit_at)":(?:"[^"]*"|null|\d+)/g
/** Whatever holds one of the others holds one of these. */
const RARE_SIGN = /"(?:fetched_at|lag_s|last_captured_at)":/

/** Weak: equal replies but for times of reading. Of JSON; other formats are made from the same JSON. */
export function weakEtag(stable: string, format: string): string {
  let lasting = stable.replace(AS_OF, '').replace(SCORE, '')
  if (RARE_SIGN.test(lasting)) lasting = lasting.replace(RARE, '')
  return `W/"${hash('sha1', lasting + format, 'base64url').slice(0, 22)}"`
}

/** `*` means "any version" and would make every poll a 304: it is ignored. */
export function isMatch(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false
  const opaque = etag.replace(/^W\//, '')
  return ifNoneMatch
    .slice(0, 4096)
    .split(',')
    .some((part) => part.trim().replace(/^W\//, '') === opaque)
}
