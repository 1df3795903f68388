import { isUtf8 } from 'node:buffer'

/**
 * The platform writes UTF-8 and nothing else. An answer that says otherwise, or is not, would turn every word that is not
 * plain ASCII into another one, and each would look like an edit by its author.
 */

/** Texts that the platform cut in the middle of a character leave a few bytes that are none. */
const MAX_REPLACED = 16
const CHARSET = /charset\s*=\s*["']?\s*([\w-]+)/i
/** Where a browser would look for it. */
const HEAD_LENGTH = 1024

/** The answer as text; undefined when it is of another charset. */
export function decodeUtf8(bytes: Buffer, contentType: string): string | undefined {
  if (!isOurs(contentType)) return undefined
  const text = bytes.toString('utf8')
  const metas = text.slice(0, HEAD_LENGTH).match(/<meta\b[^>]*>/gi) ?? []
  if (!metas.every(isOurs)) return undefined
  return isUtf8(bytes) || text.split('\uFFFD').length - 1 <= MAX_REPLACED ? text : undefined
}

function isOurs(said: string): boolean {
  const name = CHARSET.exec(said)?.[1]
  return name === undefined || /^(?:utf-?8|us-ascii)$/i.test(name)
}
