/**
 * Finds the records of a Telegram Desktop export in a stream of bytes, one at a time, so that a file of gigabytes needs only
 * the memory of its largest record. It follows brackets and strings only: a record that is not valid JSON (the program
 * writes `\xHH` for control characters) is found like any other and does not hide the next.
 */

export interface Chat {
  readonly name: string | null
  readonly type: string | null
  readonly id: number | null
}

type Scanned =
  /** An object in a `messages` array; its text is null when it is too large. */
  | {
      readonly kind: 'record'
      readonly chat: Chat
      readonly index: number
      readonly json: string | null
    }
  | { readonly kind: 'chat'; readonly chat: Chat }
  | { readonly kind: 'problem'; readonly reason: string }

const MAX_RECORD_BYTES = 4 * 1024 * 1024
const MAX_SCALAR_BYTES = 4 * 1024
const MAX_DEPTH = 64

const NO_JSON = 'this is no JSON: it should begin with {'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const COMMA = 0x2c
const COLON = 0x3a

interface Frame {
  readonly isObject: boolean
  /** The key of this container. */
  readonly name: string
  /** In an object: the key whose value comes next, null while a key is expected. */
  key: string | null
  /** The plain values of an object that describe a chat. */
  readonly scalars: Map<string, string>
  chat: Chat | null
  index: number
}

export async function* scanExport(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Scanned> {
  const scanner = new Scanner()
  for await (const chunk of stream) {
    yield* scanner.push(chunk)
    if (scanner.isBroken) return
  }
  yield* scanner.end()
}

class Scanner {
  isBroken = false
  readonly #stack: Frame[] = []
  /** Depth inside the record being read; 0 outside records. */
  #depth = 0
  #inString = false
  #escaped = false
  /** Bytes of the record, string or number being read, from earlier chunks. */
  #parts: Uint8Array[] = []
  #size = 0
  #scalar: 'string' | 'bare' | null = null
  #isEmpty = true

  #broken(reason: string): Scanned {
    this.isBroken = true
    return { kind: 'problem', reason }
  }

  *push(chunk: Uint8Array): Generator<Scanned> {
    // Where the token being read began in this chunk.
    let from = 0
    let at = this.#isEmpty && startsWithBom(chunk) ? 3 : 0
    for (; at < chunk.length && !this.isBroken; at++) {
      const byte = chunk[at]!
      if (this.#inString) {
        if (this.#escaped) {
          this.#escaped = false
          continue
        }
        at = endOfPlain(chunk, at)
        if (chunk[at] === BACKSLASH) this.#escaped = true
        else if (chunk[at] === QUOTE) {
          this.#inString = false
          if (this.#depth === 0) this.#endScalar(chunk.subarray(from, at))
        }
        continue
      }
      if (byte === QUOTE) {
        this.#inString = true
        if (this.#depth === 0) {
          yield* this.#endBare(chunk, from, at)
          this.#scalar = 'string'
          from = at + 1
        }
        continue
      }
      if (this.#depth > 0) {
        if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) this.#depth++
        else if ((byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) && --this.#depth === 0) {
          yield this.#endRecord(chunk.subarray(from, at + 1))
        }
        continue
      }
      if (isSpace(byte)) continue
      if (isPunctuation(byte)) {
        yield* this.#endBare(chunk, from, at)
        yield* this.#punctuation(byte)
        if (this.#depth > 0) from = at
      } else if (this.#scalar === null) {
        this.#scalar = 'bare'
        from = at
      }
    }
    if (this.#depth > 0 || this.#scalar !== null) this.#keep(chunk.subarray(from))
  }

  *end(): Generator<Scanned> {
    if (this.isBroken) return
    if (this.#isEmpty) yield this.#broken(this.#scalar === null ? 'the file is empty' : NO_JSON)
    else if (this.#stack.length > 0 || this.#depth > 0 || this.#inString) {
      yield { kind: 'problem', reason: 'the file ends in the middle' }
    }
  }

  *#punctuation(byte: number): Generator<Scanned> {
    this.#isEmpty = false
    const top = this.#stack.at(-1)
    if (byte === OPEN_OBJECT && top && !top.isObject && top.name === 'messages') {
      this.#depth = 1
      this.#parts = []
      this.#size = 0
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      if (this.#stack.length >= MAX_DEPTH) {
        yield this.#broken('nested deeper than an export is')
        return
      }
      const name = top?.isObject ? (top.key ?? '') : ''
      const frame = newFrame(byte === OPEN_OBJECT, name)
      if (!frame.isObject && name === 'messages' && top) {
        frame.chat = chatOf(top)
        yield { kind: 'chat', chat: frame.chat }
      }
      this.#stack.push(frame)
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      if (!top || top.isObject !== (byte === CLOSE_OBJECT)) {
        yield this.#broken('brackets do not match: this is no JSON')
        return
      }
      this.#stack.pop()
      const above = this.#stack.at(-1)
      if (above?.isObject) above.key = null
    } else if (!top) {
      yield this.#broken(NO_JSON)
    } else if (byte === COMMA && top.isObject) top.key = null
  }

  *#endBare(chunk: Uint8Array, from: number, at: number): Generator<Scanned> {
    if (this.#scalar !== 'bare') return
    this.#isEmpty = false
    if (this.#stack.length === 0) yield this.#broken(NO_JSON)
    else this.#endScalar(chunk.subarray(from, at))
  }

  #endScalar(rest: Uint8Array): void {
    const isString = this.#scalar === 'string'
    this.#keep(rest)
    const isWhole = this.#size <= MAX_SCALAR_BYTES
    const text = isWhole ? Buffer.concat(this.#parts).toString('utf8').trim() : ''
    this.#parts = []
    this.#size = 0
    this.#scalar = null
    this.#isEmpty = false
    const top = this.#stack.at(-1)
    if (!top?.isObject) return
    if (top.key === null) top.key = text
    else {
      if (CHAT_KEYS.has(top.key)) top.scalars.set(top.key, isString ? unquote(text) : text)
      top.key = null
    }
  }

  #endRecord(rest: Uint8Array): Scanned {
    this.#keep(rest)
    const isWhole = this.#size <= MAX_RECORD_BYTES
    const json = isWhole ? Buffer.concat(this.#parts).toString('utf8') : null
    this.#parts = []
    this.#size = 0
    const frame = this.#stack.at(-1)!
    return { kind: 'record', chat: frame.chat!, index: ++frame.index, json }
  }

  #keep(bytes: Uint8Array): void {
    this.#size += bytes.length
    const limit = this.#scalar === null ? MAX_RECORD_BYTES : MAX_SCALAR_BYTES
    // A stream may reuse its buffer, so what outlives the chunk is copied.
    if (this.#size <= limit) this.#parts.push(Uint8Array.from(bytes))
  }
}

const CHAT_KEYS = new Set(['name', 'type', 'id'])

function newFrame(isObject: boolean, name: string): Frame {
  return { isObject, name, key: null, scalars: new Map(), chat: null, index: 0 }
}

/** Older versions of the program added this to the id of a channel, which then had 32 bits. */
const CHANNEL_SHIFT = 2 ** 33

function chatOf({ scalars }: Frame): Chat {
  const told = Number(scalars.get('id'))
  const isShifted = told >= CHANNEL_SHIFT && told < CHANNEL_SHIFT + 2 ** 32
  const id = isShifted ? told - CHANNEL_SHIFT : told
  return {
    name: scalars.get('name') || null,
    type: scalars.get('type') ?? null,
    id: Number.isSafeInteger(id) && id > 0 ? id : null,
  }
}

function unquote(text: string): string {
  try {
    return JSON.parse(`"${repairEscapes(text)}"`) as string
  } catch {
    return text
  }
}

/** The program writes control characters as `\x0B`, which is not valid JSON. An escaped backslash before an x is text. */
export function repairEscapes(json: string): string {
  if (!json.includes('\\x')) return json
  return json.replace(/\\(?:x([0-9A-Fa-f]{2})|[^])/g, (all, hex: string | undefined) =>
    hex === undefined ? all : `\\u00${hex}`,
  )
}

/** The next quote or backslash. Most bytes of an export are inside strings, so this is the hot loop. */
function endOfPlain(chunk: Uint8Array, from: number): number {
  let at = from
  while (at < chunk.length && chunk[at] !== QUOTE && chunk[at] !== BACKSLASH) at++
  return at
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

function isPunctuation(byte: number): boolean {
  return (
    byte === COMMA ||
    byte === COLON ||
    byte === OPEN_OBJECT ||
    byte === CLOSE_OBJECT ||
    byte === OPEN_ARRAY ||
    byte === CLOSE_ARRAY
  )
}

function startsWithBom(chunk: Uint8Array): boolean {
  return chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf
}
