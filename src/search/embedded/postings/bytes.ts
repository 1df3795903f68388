/**
 * A growing byte buffer. Numbers are written with 7 bits a byte, so that small ones take one byte, as most gaps between
 * neighbours are small. A class, so that one buffer can be appended to another without creating a view, which happens for
 * every term.
 */
export class Bytes {
  length = 0
  #buffer = Buffer.allocUnsafeSlow(256)

  number(value: number): void {
    this.#reserve(5)
    const buffer = this.#buffer
    while (value > 127) {
      buffer[this.length++] = (value & 127) | 128
      value >>>= 7
    }
    buffer[this.length++] = value
  }

  /** Appends the bytes from `from` to `to`. */
  copy(bytes: Uint8Array, from = 0, to = bytes.length): void {
    const count = to - from
    this.#reserve(count)
    const buffer = this.#buffer
    // For a few bytes a loop is faster than a call.
    if (count > 32) buffer.set(bytes.subarray(from, to), this.length)
    else for (let i = 0; i < count; i++) buffer[this.length + i] = bytes[from + i]!
    this.length += count
  }

  append(other: Bytes): void {
    this.copy(other.#buffer, 0, other.length)
  }

  /** Appends a copy of what was written from `from` to `to`. */
  repeat(from: number, to: number): void {
    this.copy(this.#buffer, from, to)
  }

  /** What was written; only valid until the next `clear`. */
  view(): Uint8Array {
    return this.#buffer.subarray(0, this.length)
  }

  /** What was written, as UTF-8. */
  text(): string {
    return this.#buffer.toString('utf8', 0, this.length)
  }

  clear(): void {
    this.length = 0
  }

  #reserve(more: number): void {
    if (this.length + more <= this.#buffer.length) return
    const grown = Buffer.allocUnsafeSlow(Math.max(this.#buffer.length * 2, this.length + more))
    grown.set(this.view())
    this.#buffer = grown
  }
}

/** Buffers in which an encoder assembles what it appends; reused from call to call. */
export interface Scratch {
  readonly head: Bytes
  readonly body: Bytes
}

/** Reads numbers one after another. */
export class ByteReader {
  readonly bytes: Uint8Array
  at: number

  constructor(bytes: Uint8Array, at: number) {
    this.bytes = bytes
    this.at = at
  }

  number(): number {
    const { bytes } = this
    let byte = bytes[this.at++]!
    let value = byte & 127
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[this.at++]!
      value |= (byte & 127) << shift
    }
    return value
  }
}

/** A copy with twice the length. */
export function doubled<T extends Uint32Array | Float32Array>(array: T): T {
  const grown = new (array.constructor as new (length: number) => T)(array.length * 2)
  grown.set(array)
  return grown
}
