/** Bytes that grow as they are written. Small numbers take one, as most gaps between neighbours are small. */
export interface Bytes {
  readonly length: number
  number(value: number): void
  byte(value: number): void
  text(value: string): void
  copy(bytes: Uint8Array): void
  append(other: Bytes): void
  /** What was written; overwritten once it is cleared. */
  view(): Uint8Array
  clear(): void
}

const encoder = new TextEncoder()

export function createBytes(): Bytes {
  let buffer = new Uint8Array(256)
  let length = 0

  function reserve(more: number): void {
    if (length + more <= buffer.length) return
    const grown = new Uint8Array(Math.max(buffer.length * 2, length + more))
    grown.set(buffer.subarray(0, length))
    buffer = grown
  }

  function copy(bytes: Uint8Array): void {
    reserve(bytes.length)
    // A few bytes are sooner copied than handed over.
    if (bytes.length > 32) buffer.set(bytes, length)
    else for (let i = 0; i < bytes.length; i++) buffer[length + i] = bytes[i]!
    length += bytes.length
  }

  return {
    get length() {
      return length
    },
    number(value) {
      reserve(5)
      while (value > 127) {
        buffer[length++] = (value & 127) | 128
        value >>>= 7
      }
      buffer[length++] = value
    },
    byte(value) {
      reserve(1)
      buffer[length++] = value
    },
    text(value) {
      reserve(value.length * 3)
      length += encoder.encodeInto(value, buffer.subarray(length)).written
    },
    copy,
    append: (other) => copy(other.view()),
    view: () => buffer.subarray(0, length),
    clear() {
      length = 0
    },
  }
}

/** Where an encoder puts together what it appends; whoever encodes much uses one again and again. */
export interface Scratch {
  readonly head: Bytes
  readonly body: Bytes
}

/** Reads numbers one after the other. */
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

/** The same numbers with room for as many more. */
export function doubled<T extends Uint32Array | Float32Array>(array: T): T {
  const grown = new (array.constructor as new (length: number) => T)(array.length * 2)
  grown.set(array)
  return grown
}
