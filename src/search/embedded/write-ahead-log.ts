import { existsSync, readFileSync } from 'node:fs'

/** What is in a database's write-ahead log, read as SQLite's documentation describes the file. */
interface Log {
  /** Numbers of the pages it holds, the file's first page being 0. */
  readonly pages: ReadonlySet<number>
  /** How many pages the file has once the log is moved into it; Infinity where the log does not say. */
  readonly count: number
  /** So many frames from its beginning are as they were written. SQLite itself asks for that only after a crash. */
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
    // Frames of an earlier round, which this one has not written over yet, have another salt.
    if (bytes.compare(bytes, 16, 24, at + 8, at + 16) === 0) {
      pages.add(bytes.readUInt32BE(at) - 1)
      // The last frame of a transaction has it, the others 0.
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

/** At the beginning of its own memory, so that it can be read by words. */
function copyOf(bytes: Buffer): Buffer {
  if (bytes.byteOffset === 0) return bytes
  return Buffer.from(new Uint8Array(bytes).buffer)
}
