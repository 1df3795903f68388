import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { turn } from '../model/turns.ts'
import type { SigningKey } from './signing-key.ts'
import { zipLength, zipPieces, type Measure, type ZipSource } from './zip.ts'

/**
 * A package: files, a manifest of their hashes, a signature of the manifest and, if there is a timestamp authority, its
 * stamp of that signature. The last file, `signature.json`, also seals the stamp, so that every byte is covered.
 */
export const FORMAT = 'telegrep-evidence/1'
export const MANIFEST = 'manifest.json'
export const STAMP = 'timestamp.tsr'
export const SIGNATURE = 'signature.json'

export interface Manifest {
  readonly format: typeof FORMAT
  /** What the package is about. */
  readonly subject: Readonly<Record<string, string | null>>
  readonly made_by: Readonly<Record<string, string | number | null>>
  readonly key_id: string
  /** Reserved for the position in a log of all captures; there is no such log yet. */
  readonly log: null
  readonly files: readonly {
    readonly name: string
    readonly bytes: number
    readonly sha256: string
  }[]
}

export interface Signature {
  readonly algorithm: 'Ed25519'
  readonly key_id: string
  /** `x` of the public key as a JWK. */
  readonly public_key: string
  readonly manifest_sha256: string
  /** Base64 of the signature over `signedMessage`. */
  readonly signature: string
  readonly timestamp_sha256: string | null
  /** Base64 of the signature over `sealedMessage`: a stamp can be neither removed nor replaced. */
  readonly seal: string
}

/** Stamps a signature; resolves to undefined when the authority could not be reached. */
export type Stamper = (signature: Uint8Array) => Promise<Uint8Array | undefined>

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** What the key signs. It names its purpose, so that the signature cannot be used for anything else. */
export function signedMessage(manifestSha256: string): Uint8Array {
  return Buffer.from(`${FORMAT} manifest ${manifestSha256}\n`)
}

export function sealedMessage(signature: string, timestampSha256: string | null): Uint8Array {
  return Buffer.from(`${FORMAT} seal ${signature} ${timestampSha256 ?? 'none'}\n`)
}

/** The one way in which a package's documents are serialised. */
export function writeDocument(value: object): Uint8Array {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`)
}

/** A file that was read once: its hash and checksum are known, its bytes are not held. */
export interface PackageFile extends ZipSource, Measure {
  readonly sha256: string
}

/** A file whose bytes are in memory. */
export function wholeFile(name: string, bytes: Uint8Array): PackageFile {
  const measure = { length: bytes.length, crc: crc32(bytes), sha256: sha256(bytes) }
  return { name, ...measure, pieces: () => [bytes] }
}

export async function measureFile(file: ZipSource): Promise<PackageFile> {
  const hash = createHash('sha256')
  let crc = 0
  let length = 0
  for await (const piece of file.pieces()) {
    hash.update(piece)
    crc = crc32(piece, crc)
    length += piece.length
    // Pictures are large, and other requests wait.
    await turn()
  }
  return { name: file.name, length, crc, sha256: hash.digest('hex'), pieces: () => file.pieces() }
}

export interface Sealed {
  /** The length of the whole ZIP. */
  readonly length: number
  /** The ZIP. Fails when one of its files has gone since it was measured. */
  pieces(): AsyncGenerator<Uint8Array>
  readonly manifest: Manifest
  readonly isStamped: boolean
}

export async function sealPackage(options: {
  readonly subject: Manifest['subject']
  readonly madeBy: Manifest['made_by']
  readonly files: readonly PackageFile[]
  readonly key: SigningKey
  readonly stamper: Stamper | null
}): Promise<Sealed> {
  const { subject, madeBy, files, key, stamper } = options
  const { kid, x } = key.public
  const manifest: Manifest = {
    format: FORMAT,
    subject,
    made_by: madeBy,
    key_id: kid,
    log: null,
    files: files.map((file) => ({ name: file.name, bytes: file.length, sha256: file.sha256 })),
  }
  const written = writeDocument(manifest)
  const manifestSha256 = sha256(written)
  const signed = key.sign(signedMessage(manifestSha256))
  const stamp = await stamper?.(signed)
  const signature = base64(signed)
  const timestampSha256 = stamp === undefined ? null : sha256(stamp)
  const document: Signature = {
    algorithm: 'Ed25519',
    key_id: kid,
    public_key: x,
    manifest_sha256: manifestSha256,
    signature,
    timestamp_sha256: timestampSha256,
    seal: base64(key.sign(sealedMessage(signature, timestampSha256))),
  }
  const all = [
    ...files,
    wholeFile(MANIFEST, written),
    ...(stamp === undefined ? [] : [wholeFile(STAMP, stamp)]),
    wholeFile(SIGNATURE, writeDocument(document)),
  ]
  const isStamped = stamp !== undefined
  return { length: zipLength(all), pieces: () => zipPieces(all), manifest, isStamped }
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}
