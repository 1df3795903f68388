import { isRecord, parseJson } from '../model/parse-json.ts'
import {
  FORMAT,
  MANIFEST,
  SIGNATURE,
  STAMP,
  sealedMessage,
  sha256,
  signedMessage,
  writeDocument,
  type Manifest,
  type Signature,
} from './package.ts'
import { isSignedBy, publicKey, type PublicKey } from './signing-key.ts'
import { ZipError, findForeignByte, readZip, type ZipEntry } from './zip.ts'

/** What is wrong with a package, and in which file. */
export interface Problem {
  readonly where: string
  readonly what: string
}

export interface Verdict {
  /** Empty when every byte is as the holder of the key left it. */
  readonly problems: readonly Problem[]
  /** As far as they could be read. */
  readonly manifest: Manifest | undefined
  readonly files: readonly ZipEntry[]
  readonly key: PublicKey | undefined
  /** Whether the key is one of those given. The package contains its own key, and anyone can make one. */
  readonly isKeyKnown: boolean
  /** The SHA-256 that its timestamp is for, in hex; undefined if it has none. Whether the timestamp is one is not checked. */
  readonly stampedSha256: string | undefined
}

/** Checks a whole package offline: every hash, the signature, and every byte of the ZIP around them. */
export function verifyPackage(zip: Uint8Array, keys: readonly PublicKey[] = []): Verdict {
  const problems: Problem[] = []
  const tell = (where: string, what: string) => void problems.push({ where, what })
  const files = entriesOf(zip, tell)
  const fileOf = (name: string) => files.find((file) => file.name === name)?.bytes
  const written = fileOf(MANIFEST)
  const manifest = files.length === 0 ? undefined : readManifest(written, tell)
  const signature = files.length === 0 ? undefined : readSignature(fileOf(SIGNATURE), tell)
  if (manifest) checkFiles(files, manifest, tell)
  const stamp = fileOf(STAMP)
  if (signature) checkSignature(signature, written, stamp, tell)
  if (manifest && signature && manifest.key_id !== signature.key_id)
    tell(MANIFEST, 'it names another key than the signature')
  const foreign = files.length > 0 ? findForeignByte(zip, files) : undefined
  // If a file was changed, that has been reported already, and is why the checksum differs.
  if (foreign !== undefined && problems.length === 0) tell('the ZIP', foreign)
  const key = signature && publicKey(signature.public_key)
  const isKeyKnown = keys.some(({ kid }) => kid === key?.kid)
  const stampedSha256 = stamp && signature && sha256(Buffer.from(signature.signature, 'base64'))
  return { problems, manifest, files, key, isKeyKnown, stampedSha256 }
}

type Tell = (where: string, what: string) => void

function entriesOf(zip: Uint8Array, tell: Tell): ZipEntry[] {
  try {
    return readZip(zip)
  } catch (error) {
    if (!(error instanceof ZipError)) throw error
    tell('the ZIP', error.message)
    return []
  }
}

function readJson(bytes: Uint8Array | undefined, name: string, tell: Tell): unknown {
  const json = bytes && parseJson(Buffer.from(bytes).toString())
  if (json === undefined) tell(name, bytes ? 'not JSON' : 'missing')
  return json
}

function readManifest(bytes: Uint8Array | undefined, tell: Tell): Manifest | undefined {
  const json = readJson(bytes, MANIFEST, tell)
  if (json === undefined) return undefined
  const isWhole =
    isRecord(json) &&
    json['format'] === FORMAT &&
    isFlat(json['subject']) &&
    isFlat(json['made_by']) &&
    typeof json['key_id'] === 'string' &&
    Array.isArray(json['files']) &&
    json['files'].every(isListed)
  if (isWhole) return json as unknown as Manifest
  tell(MANIFEST, `expected the manifest of ${FORMAT}`)
  return undefined
}

/** Whoever made the package may have put anything into it. */
function isFlat(json: unknown): boolean {
  const isPlain = (value: unknown) => value === null || /string|number/.test(typeof value)
  return isRecord(json) && Object.values(json).every(isPlain)
}

function isListed(file: unknown): boolean {
  return (
    isRecord(file) &&
    typeof file['name'] === 'string' &&
    typeof file['bytes'] === 'number' &&
    typeof file['sha256'] === 'string'
  )
}

function readSignature(bytes: Uint8Array | undefined, tell: Tell): Signature | undefined {
  const json = readJson(bytes, SIGNATURE, tell)
  if (json === undefined || !bytes) return undefined
  const text = (name: string) => isRecord(json) && typeof json[name] === 'string'
  const named = ['key_id', 'public_key', 'manifest_sha256', 'signature', 'seal'].every(text)
  const stamped = text('timestamp_sha256') || (isRecord(json) && json['timestamp_sha256'] === null)
  if (isRecord(json) && json['algorithm'] === 'Ed25519' && named && stamped) {
    // This file itself is not signed, so only its one canonical form is accepted.
    const { key_id, public_key, manifest_sha256, signature, timestamp_sha256, seal } =
      json as unknown as Signature
    const names = { key_id, public_key, manifest_sha256, signature }
    const read: Signature = { algorithm: 'Ed25519', ...names, timestamp_sha256, seal }
    if (Buffer.from(writeDocument(read)).equals(bytes)) return read
  }
  tell(SIGNATURE, 'not as it was written')
  return undefined
}

function checkFiles(files: readonly ZipEntry[], manifest: Manifest, tell: Tell): void {
  const listed = new Map(manifest.files.map((file) => [file.name, file]))
  for (const { name, bytes } of files) {
    if ([MANIFEST, SIGNATURE, STAMP].includes(name)) continue
    const told = listed.get(name)
    if (!told) tell(name, 'it is not in the manifest')
    else if (told.sha256 !== sha256(bytes) || told.bytes !== bytes.length)
      tell(name, `changed: its SHA-256 is ${sha256(bytes)}, signed was ${told.sha256}`)
  }
  for (const name of listed.keys()) {
    if (!files.some((file) => file.name === name)) tell(name, 'missing')
  }
  // The order has to be the manifest's, so that a package has exactly one form.
  const rank = [...listed.keys(), MANIFEST, STAMP, SIGNATURE]
  const ranks = files.map(({ name }) => rank.indexOf(name)).filter((place) => place >= 0)
  if (ranks.some((place, i) => place < (ranks[i - 1] ?? 0)))
    tell('the ZIP', 'its files are not in the order they were signed in')
}

function checkSignature(
  { key_id, public_key, manifest_sha256, signature, timestamp_sha256, seal }: Signature,
  manifest: Uint8Array | undefined,
  stamp: Uint8Array | undefined,
  tell: Tell,
): void {
  if (manifest && sha256(manifest) !== manifest_sha256)
    tell(MANIFEST, `changed: its SHA-256 is ${sha256(manifest)}, signed was ${manifest_sha256}`)
  if (publicKey(public_key).kid !== key_id)
    tell(SIGNATURE, 'the key’s id is not that of the public key')
  if (!isSigned(public_key, signedMessage(manifest_sha256), signature))
    tell(SIGNATURE, 'the signature is not of this key')
  if (!isSigned(public_key, sealedMessage(signature, timestamp_sha256), seal))
    tell(SIGNATURE, 'the seal is not of this key')
  const found = stamp ? sha256(stamp) : null
  if (found === timestamp_sha256) return
  tell(STAMP, found === null ? 'missing' : 'changed: it is not what was sealed')
}

/** Base64 can carry unused bits; only the canonical encoding is accepted. */
function isSigned(key: string, words: Uint8Array, base64: string): boolean {
  const bytes = Buffer.from(base64, 'base64')
  return bytes.toString('base64') === base64 && isSignedBy(key, words, bytes)
}
