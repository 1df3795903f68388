import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'

/**
 * `tgr_<id>_<secret><check>`: the id finds the record, the secret proves ownership, and the check tells typing mistakes and
 * scanners' guesses from real keys without a look-up. 22 base62 digits carry 130 bits.
 */
interface ParsedKey {
  readonly id: string
  readonly secret: string
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const ID_LENGTH = 8
const SECRET_LENGTH = 22
const CHECK_LENGTH = 6
const KEY = /^tgr_([0-9A-Za-z]{8})_([0-9A-Za-z]{22,64})([0-9A-Za-z]{6})$/
const KEY_INSIDE = /tgr_[0-9A-Za-z]{8}_[0-9A-Za-z]{16}/

export function makeId(): string {
  return randomBase62(ID_LENGTH)
}

/** A new key for this id; the secret is stored nowhere else. */
export function makeKey(id: string): { readonly key: string; readonly secret: string } {
  const secret = randomBase62(SECRET_LENGTH)
  return { key: `tgr_${id}_${secret}${check(id, secret)}`, secret }
}

/** Undefined for anything that cannot be a key. */
export function parseKey(text: string): ParsedKey | undefined {
  const match = KEY.exec(text)
  if (!match) return undefined
  const [id, secret] = [match[1]!, match[2]!]
  return check(id, secret) === match[3] ? { id, secret } : undefined
}

/** True when a text contains a key, or most of one. */
export function containsKey(text: string): boolean {
  return KEY_INSIDE.test(text)
}

/** What may be shown and logged of a key. */
export function keyPrefix(id: string): string {
  return `tgr_${id}`
}

export function hashSecret(secret: string, pepper: string): string {
  return createHmac('sha256', pepper).update('key').update(secret).digest('base64url')
}

/** Compares with every hash, so that the time taken does not reveal which one matches. */
export function matchesAny(secretHash: string, hashes: readonly string[]): boolean {
  const given = Buffer.from(secretHash)
  let found = false
  for (const hash of hashes) {
    const held = Buffer.from(hash)
    if (held.length === given.length && timingSafeEqual(held, given)) found = true
  }
  return found
}

function check(id: string, secret: string): string {
  let rest = crc32(`tgr_${id}_${secret}`)
  let digits = ''
  for (let i = 0; i < CHECK_LENGTH; i++) {
    digits = ALPHABET[rest % 62]! + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

function randomBase62(length: number): string {
  let digits = ''
  while (digits.length < length) {
    for (const byte of randomBytes(length * 2)) {
      // 248 is the largest multiple of 62 in a byte; with higher values some digits would be more likely.
      if (byte < 248 && digits.length < length) digits += ALPHABET[byte % 62]!
    }
  }
  return digits
}
