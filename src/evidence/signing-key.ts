import {
  createHash,
  createPrivateKey,
  createPublicKey,
  scrypt,
  sign,
  verify,
  type KeyObject,
} from 'node:crypto'
import { promisify } from 'node:util'
import { isRecord, parseJson } from '../model/parse-json.ts'

/** A public key as `/.well-known/telegrep-key.json` and packages show it: a JWK (RFC 8037). */
export interface PublicKey {
  readonly kty: 'OKP'
  readonly crv: 'Ed25519'
  readonly x: string
  /** The key's thumbprint (RFC 7638). It follows from `x`, so no two keys share one. */
  readonly kid: string
}

export interface SigningKey {
  readonly public: PublicKey
  sign(bytes: Uint8Array): Uint8Array
}

const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')
const derive = promisify<string, string, number, Buffer>(scrypt)

/**
 * The key that follows from the secret: every process with the secret has the key, on whatever store, and there is no second
 * thing to lose. Slow on purpose: with the public key, anyone could try out secrets that a person made up.
 */
export async function deriveSigningKey(secret: string): Promise<SigningKey> {
  const seed = await derive(secret, 'telegrep evidence key 1', 32)
  const key = createPrivateKey({
    key: Buffer.concat([PKCS8_HEAD, seed]),
    format: 'der',
    type: 'pkcs8',
  })
  const { x } = createPublicKey(key).export({ format: 'jwk' })
  return { public: publicKey(x!), sign: (bytes) => sign(null, bytes, key) }
}

export function publicKey(x: string): PublicKey {
  return { kty: 'OKP', crv: 'Ed25519', x, kid: thumbprint(x) }
}

function thumbprint(x: string): string {
  const canonical = JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x })
  return createHash('sha256').update(canonical).digest('base64url')
}

/** False for something that is not a signature, and when `x` is not a key. */
export function isSignedBy(x: string, bytes: Uint8Array, signature: Uint8Array): boolean {
  const key = keyObject(x)
  return key !== undefined && verify(null, bytes, key, signature)
}

function keyObject(x: string): KeyObject | undefined {
  // A non-canonical encoding would give the same key another id.
  if (Buffer.from(x, 'base64url').toString('base64url') !== x) return undefined
  try {
    return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  } catch {
    return undefined
  }
}

/** The keys of a document such as `/.well-known/telegrep-key.json`, or a single key; undefined when it holds none. */
export function readKeys(text: string): readonly PublicKey[] | undefined {
  const json = parseJson(text)
  const found = isRecord(json) && Array.isArray(json['keys']) ? (json['keys'] as unknown[]) : [json]
  const keys = found.flatMap((key) =>
    isRecord(key) && key['crv'] === 'Ed25519' && typeof key['x'] === 'string' && keyObject(key['x'])
      ? [publicKey(key['x'])]
      : [],
  )
  return keys.length > 0 ? keys : undefined
}
