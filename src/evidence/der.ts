/** As much of DER (X.690) as the request and the response of a timestamp need. */

export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  octets: 0x04,
  null: 0x05,
  oid: 0x06,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
  /** `[0]`, constructed. */
  first: 0xa0,
} as const

export function encode(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents)
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content])
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length])
  const bytes: number[] = []
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256)
  return Buffer.from([0x80 | bytes.length, ...bytes])
}

/** Unsigned, of any length. */
export function encodeInteger(bytes: Uint8Array): Buffer {
  let start = 0
  while (start < bytes.length - 1 && bytes[start] === 0) start++
  const shortest = bytes.subarray(start)
  const isNegative = (shortest[0] ?? 0) >= 0x80
  return encode(TAG.integer, ...(isNegative ? [Buffer.from([0])] : []), shortest)
}

/** `2.16.840.1.101.3.4.2.1`. */
export function encodeOid(oid: string): Buffer {
  const [first = 0, second = 0, ...rest] = oid.split('.').map(Number)
  const bytes = [first * 40 + second, ...rest].flatMap((arc) => {
    const digits = [arc % 128]
    for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128))
      digits.unshift((left % 128) | 0x80)
    return digits
  })
  return encode(TAG.oid, Buffer.from(bytes))
}

/** One value: `whole` with its tag and length, `content` without. */
export interface Value {
  readonly tag: number
  readonly whole: Buffer
  readonly content: Buffer
}

export class DerError extends Error {
  override name = 'DerError'
}

/** Decodes bytes that are exactly one value. */
export function decode(bytes: Uint8Array): Value {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const value = valueAt(buffer, 0)
  if (value.whole.length !== buffer.length) throw new DerError('something follows the value')
  return value
}

/** The parts of a sequence or a set. */
export function partsOf({ content }: Value): Value[] {
  const parts: Value[] = []
  for (let at = 0; at < content.length;) {
    const part = valueAt(content, at)
    parts.push(part)
    at += part.whole.length
  }
  return parts
}

function valueAt(bytes: Buffer, at: number): Value {
  const tag = bytes[at]
  const short = bytes[at + 1]
  if (tag === undefined || short === undefined) throw new DerError('the value ends too early')
  const digits = short < 0x80 ? 0 : short & 0x7f
  // Four digits allow 4 GB; zero digits mean an indefinite length, which DER does not have.
  if (digits > 4 || short === 0x80) throw new DerError('a length that is not DER')
  const start = at + 2 + digits
  if (start > bytes.length) throw new DerError('the value ends too early')
  const length = digits === 0 ? short : bytes.readUIntBE(at + 2, digits)
  if (start + length > bytes.length) throw new DerError('the value ends too early')
  const end = start + length
  return { tag, whole: bytes.subarray(at, end), content: bytes.subarray(start, end) }
}

export function oidOf({ tag, content }: Value): string {
  if (tag !== TAG.oid) throw new DerError('expected an object identifier')
  const arcs: number[] = []
  let arc = 0
  for (const byte of content) {
    arc = arc * 128 + (byte & 0x7f)
    if (byte < 0x80) {
      arcs.push(arc)
      arc = 0
    }
  }
  const [first = 0, ...rest] = arcs
  const root = Math.min(2, Math.floor(first / 40))
  return [root, first - root * 40, ...rest].join('.')
}
