import { isChannelName } from './channel-name.ts'
import { isPostNumber } from './post.ts'

/** A channel, or one post of it, as people write it. */
interface Target {
  readonly username: string
  /** Null when the whole channel is meant. */
  readonly number: number | null
}

/** `?single` is what the platform's apps add to a link to one picture of an album. */
const TARGET =
  /^(?:@|(?:https?:\/\/)?(?:www\.)?(?:t\.me|telegram\.me|telegram\.dog)\/(?:s\/)?)?([A-Za-z0-9_]{4,32})(?:\/([1-9]\d{0,9})(?:\?single)?)?$/i

/**
 * Reads `durov`, `durov/342` and links to them. Anything more in the path, query or fragment is refused, not
 * ignored: erasing uses this, and must never erase more than was written.
 */
export function parseTarget(input: string): Target | undefined {
  const target = readTarget(input)
  return target && target.number !== null && !isPostNumber(target.number) ? undefined : target
}

function readTarget(input: string): Target | undefined {
  if (input.length > 256) return undefined
  const [, username, digits] = TARGET.exec(input.trim()) ?? []
  if (username === undefined || !isChannelName(username)) return undefined
  return { username, number: digits === undefined ? null : Number(digits) }
}

/**
 * Reads `durov/342`, `@durov/342`, `https://t.me/s/durov/342`; undefined for anything that is not one post. A number
 * too high for any post is accepted; the archive will not find it.
 */
export function parsePostRef(
  input: string,
): { readonly username: string; readonly number: number } | undefined {
  const target = readTarget(input)
  return target === undefined || target.number === null
    ? undefined
    : { username: target.username, number: target.number }
}
