import { X509Certificate, createHash, verify } from 'node:crypto'
import {
  DerError,
  TAG,
  decode,
  encode,
  encodeInteger,
  encodeOid,
  oidOf,
  partsOf,
  type Value,
} from './der.ts'

/** RFC 3161 timestamps: the request to an authority, and checking its response. */

const SHA256 = '2.16.840.1.101.3.4.2.1'
const SIGNED_DATA = '1.2.840.113549.1.7.2'
const MESSAGE_DIGEST = '1.2.840.113549.1.9.4'
const TIME_STAMPING = '1.3.6.1.5.5.7.3.8'
const DIGESTS: Readonly<Record<string, string>> = {
  [SHA256]: 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
}

export interface Stamp {
  readonly at: number
  /** The authority, as its certificate names it. */
  readonly authority: string
  /** Whether its certificate leads to one of the trusted ones. */
  readonly isTrusted: boolean
}

/** Why a response is not a valid stamp of this message. */
export class StampError extends Error {
  override name = 'StampError'
}

function digestOf(message: Uint8Array): Buffer {
  return createHash('sha256').update(message).digest()
}

/** Also requests the authority's certificate, so that the response can be checked years later. */
export function stampRequest(message: Uint8Array, nonce: Uint8Array): Buffer {
  const algorithm = encode(TAG.sequence, encodeOid(SHA256), encode(TAG.null))
  const imprint = encode(TAG.sequence, algorithm, encode(TAG.octets, digestOf(message)))
  const version = encodeInteger(Buffer.from([1]))
  const wantsCertificate = encode(TAG.boolean, Buffer.from([0xff]))
  return encode(TAG.sequence, version, imprint, encodeInteger(nonce), wantsCertificate)
}

/** Checks imprint, digest and signature of a response; throws a StampError that says what is wrong. */
export function readStamp(
  answer: Uint8Array,
  message: Uint8Array,
  trusted: readonly X509Certificate[] = [],
): Stamp {
  try {
    return checkedStamp(answer, message, trusted)
  } catch (error) {
    if (error instanceof DerError) throw new StampError(`not DER: ${error.message}`)
    // OpenSSL reads a certificate's parts only when they are accessed, so its errors surface here.
    const { code } = error as { readonly code?: unknown }
    const isOfCrypto = typeof code === 'string' && /^ERR_(?:OSSL|CRYPTO)/.test(code)
    if (isOfCrypto) throw new StampError(`a certificate that cannot be read: ${code}`)
    throw error
  }
}

function checkedStamp(
  answer: Uint8Array,
  message: Uint8Array,
  trusted: readonly X509Certificate[],
): Stamp {
  const signed = signedDataOf(answer)
  const { info, isOf, at } = timeOf(signed)
  if (!isOf(message)) throw new StampError('it is the stamp of something else')
  const [signer] = partsOf(expect(signed.at(-1)))
  if (!signer) throw new StampError('nobody signed it')
  const attributes = signedAttributes(signer, info.content)
  const certificates = certificatesOf(signed)
  const own = certificates.find((certificate) => isSigner(certificate, signer, attributes))
  if (!own) throw new StampError('its signature is not of a certificate for timestamps in it')
  return { at, authority: nameOf(own), isTrusted: leadsTo(own, certificates, trusted, at) }
}

function signedDataOf(answer: Uint8Array): Value[] {
  const [status, token] = partsOf(decode(answer))
  const code = status && partsOf(status)[0]?.content[0]
  // 0: granted; 1: granted with modifications.
  if (code !== 0 && code !== 1) throw new StampError(`the authority refused, status ${code}`)
  const [type, content] = token ? partsOf(token) : []
  if (!type || oidOf(type) !== SIGNED_DATA || !content) throw new StampError('there is no token')
  return partsOf(decode(content.content))
}

/** The signed content (TSTInfo) and its time. */
function timeOf(signed: readonly Value[]) {
  const [, wrapped] = partsOf(expect(signed[2]))
  const info = decode(expect(wrapped).content)
  const [, , imprint, , time] = partsOf(decode(info.content))
  const [algorithm, hashed] = partsOf(expect(imprint))
  const isSha256 = oidOf(expect(partsOf(expect(algorithm))[0])) === SHA256
  return {
    info,
    at: generalizedTime(expect(time)),
    isOf: (message: Uint8Array) => isSha256 && expect(hashed).content.equals(digestOf(message)),
  }
}

function generalizedTime({ tag, content }: Value): number {
  const found = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\.\d+)?Z$/.exec(content.toString('latin1'))
  if (tag !== TAG.generalizedTime || !found) throw new StampError('it tells no time')
  const [, year, month, day, hour, minute, second, fraction = ''] = found
  const told = `${year}-${month}-${day}T${hour}:${minute}:${second}`
  const at = Date.parse(`${told}${fraction.slice(0, 4)}Z`)
  // `Date.parse` would take 30 February for a day in March, and a month may not exist at all.
  const isReal = !Number.isNaN(at) && new Date(at).toISOString().startsWith(told)
  if (!isReal) throw new StampError('it tells no time')
  return at
}

/** The signature covers the attributes, one of which is the digest of the content. Returns them in the form that was signed. */
function signedAttributes(signer: Value, content: Uint8Array): Buffer {
  const [, , algorithm, attributes] = partsOf(signer)
  if (attributes?.tag !== TAG.first) throw new StampError('its attributes are not signed')
  const digest = partsOf(attributes)
    .map(partsOf)
    .find(([type]) => type && oidOf(type) === MESSAGE_DIGEST)
  const [told] = digest?.[1] ? partsOf(digest[1]) : []
  const hash = createHash(digestName(expect(partsOf(expect(algorithm))[0])))
  if (!told?.content.equals(hash.update(content).digest()))
    throw new StampError('what it says is not what was signed')
  // They are signed as a SET, although they are stored under a context tag.
  const bytes = Buffer.from(attributes.whole)
  bytes[0] = TAG.set
  return bytes
}

function digestName(algorithm: Value): string {
  const name = DIGESTS[oidOf(algorithm)]
  if (name === undefined) throw new StampError(`a digest that is not read: ${oidOf(algorithm)}`)
  return name
}

function certificatesOf(signed: readonly Value[]): X509Certificate[] {
  const held = signed.find(({ tag }) => tag === TAG.first)
  if (!held) return []
  return partsOf(held).flatMap(({ whole }) => {
    try {
      return [new X509Certificate(whole)]
    } catch {
      return []
    }
  })
}

function isSigner(certificate: X509Certificate, signer: Value, signed: Uint8Array): boolean {
  if (!certificate.keyUsage?.includes(TIME_STAMPING)) return false
  const [, , algorithm, , , signature] = partsOf(signer)
  const hash = digestName(expect(partsOf(expect(algorithm))[0]))
  const isPlain = certificate.publicKey.asymmetricKeyType?.startsWith('ed') === true
  return verify(isPlain ? null : hash, signed, certificate.publicKey, expect(signature).content)
}

/** Follows issuers, for at most as many steps as chains in use have. */
function leadsTo(
  own: X509Certificate,
  between: readonly X509Certificate[],
  trusted: readonly X509Certificate[],
  at: number,
): boolean {
  const isValid = (one: X509Certificate) =>
    Date.parse(one.validFrom) <= at && at <= Date.parse(one.validTo)
  const isFrom = (one: X509Certificate, issuer: X509Certificate) =>
    one.checkIssued(issuer) && one.verify(issuer.publicKey)
  let current = own
  for (let step = 0; step < 6 && isValid(current); step++) {
    if (trusted.some(({ raw }) => raw.equals(current.raw))) return true
    if (trusted.some((root) => isValid(root) && isFrom(current, root))) return true
    const next = between.find((one) => one.ca && one !== current && isFrom(current, one))
    if (!next) return false
    current = next
  }
  return false
}

function nameOf({ subject }: X509Certificate): string {
  return /^CN=(.*)$/m.exec(subject)?.[1] ?? subject.replaceAll('\n', ', ')
}

function expect<T>(value: T | undefined): T {
  if (value === undefined) throw new DerError('a part is missing')
  return value
}
