import { isUtf8 } from 'node:buffer'

/**
 * The platform writes only UTF-8. An answer in another charset, declared or not, would be read with every word beyond ASCII
 * changed, and each such post would look like an edit by its author.
 */

/** Texts that the platform cut in the middle of a character leave a few invalid bytes. */
const MAX_REPLACED = 16
const CHARSET = /charset\s*=\s*["']?\s*([\w-]+)/i
/** How far a browser looks for the charset. */
const HEAD_LENGTH = 1024

/** The answer as text; undefined when it is in another charset. */
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
