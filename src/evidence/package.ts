import { createHash } from 'node:crypto'
import { setImmediate as breathe } from 'node:timers/promises'
import type { SigningKey } from './signing-key.ts'
import { writeZip } from './zip.ts'
import type { ZipEntry } from './zip.ts'

/**
 * A package: files, a manifest of their hashes, a signature of the manifest, and where there is an authority its stamp of
 * that signature. The last file is `signature.json`, and it seals the stamp as well, so that no byte stands for itself.
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
  /** Where a log of all captures has this one; there is no such log yet. */
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
  /** `x` of the key as JWK. */
  readonly public_key: string
  readonly manifest_sha256: string
  /** Base64 of the signature over `signedWords`. */
  readonly signature: string
  readonly timestamp_sha256: string | null
  /** Base64 of the signature over `sealedWords`: no stamp can be taken away or put in another's place. */
  readonly seal: string
}

/** Stamps a signature, or resolves to undefined where the authority could not be asked. */
export type Stamper = (signature: Uint8Array) => Promise<Uint8Array | undefined>

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** What the key signs: it names what the signature is for, so that it can be mistaken for no other. */
export function signedWords(manifestSha256: string): Buffer {
  return Buffer.from(`${FORMAT} manifest ${manifestSha256}\n`)
}

export function sealedWords(signature: string, timestampSha256: string | null): Buffer {
  return Buffer.from(`${FORMAT} seal ${signature} ${timestampSha256 ?? 'none'}\n`)
}

/** The one way a document of a package is written. */
export function writeDocument(value: object): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`)
}

export interface Sealed {
  readonly zip: Buffer
  readonly manifest: Manifest
  readonly isStamped: boolean
}

export async function sealPackage(options: {
  readonly subject: Manifest['subject']
  readonly madeBy: Manifest['made_by']
  readonly files: readonly ZipEntry[]
  readonly key: SigningKey
  readonly stamper: Stamper | null
}): Promise<Sealed> {
  const { subject, madeBy, files, key, stamper } = options
  const { kid, x } = key.public
  const listed: Manifest['files'][number][] = []
  for (const { name, bytes } of files) {
    listed.push({ name, bytes: bytes.length, sha256: sha256(bytes) })
    // Pictures are large, and others wait.
    await breathe()
  }
  const manifest: Manifest = {
    format: FORMAT,
    subject,
    made_by: madeBy,
    key_id: kid,
    log: null,
    files: listed,
  }
  const written = writeDocument(manifest)
  const manifestSha256 = sha256(written)
  const signed = key.sign(signedWords(manifestSha256))
  const stamp = await stamper?.(signed)
  const signature = signed.toString('base64')
  const timestampSha256 = stamp === undefined ? null : sha256(stamp)
  const document: Signature = {
    algorithm: 'Ed25519',
    key_id: kid,
    public_key: x,
    manifest_sha256: manifestSha256,
    signature,
    timestamp_sha256: timestampSha256,
    seal: key.sign(sealedWords(signature, timestampSha256)).toString('base64'),
  }
  const zip = writeZip([
    ...files,
    { name: MANIFEST, bytes: written },
    ...(stamp === undefined ? [] : [{ name: STAMP, bytes: stamp }]),
    { name: SIGNATURE, bytes: writeDocument(document) },
  ])
  return { zip, manifest, isStamped: stamp !== undefined }
}
