import { existsSync, readFileSync } from 'node:fs'

/** The content of a database's write-ahead log, read as SQLite's documentation describes the file. */
interface Log {
  /** Numbers of the pages in the log; the file's first page is 0. */
  readonly pages: ReadonlySet<number>
  /** How many pages the file has once the log is checkpointed; Infinity if the log does not say. */
  readonly count: number
  /** How many frames from the start of the log have correct checksums. SQLite itself checks these only after a crash. */
  readonly sound: number
}

const HEADER = 32
const FRAME_HEADER = 24
const LITTLE_ENDIAN = 0x377f0682

export function readLog(path: string): Log {
  const pages = new Set<number>()
  const bytes = existsSync(`${path}-wal`) ? copyOf(readFileSync(`${path}-wal`)) : Buffer.alloc(0)
  if (bytes.length < HEADER) return { pages, count: Infinity, sound: 0 }
  const frame = FRAME_HEADER + bytes.readUInt32BE(8)
  const words = new Uint32Array(bytes.buffer, 0, bytes.length >> 2)
  const canSum = bytes.readUInt32BE(0) === LITTLE_ENDIAN
  let sum = add(words, 0, 6, [0, 0])
  let isSound = canSum && holds(bytes, 24, sum)
  let sound = 0
  let count = Infinity
  for (let at = HEADER; at + frame <= bytes.length; at += frame) {
    // Frames of an earlier round that have not been overwritten yet have another salt.
    if (bytes.compare(bytes, 16, 24, at + 8, at + 16) === 0) {
      pages.add(bytes.readUInt32BE(at) - 1)
      // Only the last frame of a transaction has this number; the others have 0.
      count = bytes.readUInt32BE(at + 4) || count
    }
    if (!isSound) continue
    sum = add(words, at >> 2, 2, sum)
    sum = add(words, (at + FRAME_HEADER) >> 2, (frame - FRAME_HEADER) >> 2, sum)
    isSound = holds(bytes, at + 16, sum)
    if (isSound) sound++
  }
  return { pages, count, sound: canSum ? sound : Infinity }
}

type Sum = readonly [number, number]

function add(words: Uint32Array, from: number, count: number, [first, second]: Sum): Sum {
  let [a, b] = [first, second]
  for (let i = from; i < from + count; i += 2) {
    a = (a + words[i]! + b) | 0
    b = (b + words[i + 1]! + a) | 0
  }
  return [a >>> 0, b >>> 0]
}

function holds(bytes: Buffer, at: number, [a, b]: Sum): boolean {
  return bytes.readUInt32BE(at) === a && bytes.readUInt32BE(at + 4) === b
}

/** At the start of its own buffer, so that it can be read as 32-bit words. */
function copyOf(bytes: Buffer): Buffer {
  if (bytes.byteOffset === 0) return bytes
  return Buffer.from(new Uint8Array(bytes).buffer)
}
