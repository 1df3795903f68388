import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs'
import { basename } from 'node:path'
import { crc32 } from 'node:zlib'

/**
 * A checksum for each page of an index file, in a file beside it. SQLite keeps none, and a flipped bit in a posting list
 * is a wrong answer that nobody notices. Only the writer changes pages, and only when it moves the write-ahead log into
 * the file. Before that it forgets the sums of those pages, so that a crash in between leaves no wrong sum behind.
 */
interface Checksums extends Disposable {
  /** The last batch that was written: an index file that knows only an earlier one has lost some. */
  readonly seq: number
  note(seq: number): void
  /** Forgets the sums of these pages, and of all pages from `count` on, which the file will no longer have. */
  forget(pages: Iterable<number>, count: number): void
  learn(pages: Iterable<number>): void
  /** Compares at most `most` pages from `from` on. Returns what is wrong, or where to continue (0 after the last page). */
  compare(from: number, most: number): { readonly wrong?: string; readonly next: number }
}

const PAGE = 4_096
const MAGIC = 'TGSUMS1\n'
const HEADER = 16
const BLOCK_PAGES = 256
/** Marks a page whose sum is not known; a sum that happens to be 0 is stored as 1. */
const UNKNOWN = 0

const sumsPath = (path: string) => `${path}.sums`

/** Opens the sums of an index file. If there are none and the caller may write, they are computed from the file as it is. */
export function openChecksums(path: string, access: 'read' | 'write'): Checksums | undefined {
  const isThere = existsSync(sumsPath(path))
  if (!isThere && access === 'read') return undefined
  const fd = openSync(sumsPath(path), access === 'read' ? 'r' : isThere ? 'r+' : 'w+')
  const header = Buffer.alloc(HEADER)
  const isOurs =
    readSync(fd, header, 0, HEADER, 0) === HEADER && header.toString('latin1', 0, 8) === MAGIC
  if (!isOurs && access === 'read') {
    closeSync(fd)
    return undefined
  }
  const file = openSync(path, 'r')
  const sums = sumsOf(path, fd, file)
  if (!isOurs) {
    ftruncateSync(fd, 0)
    header.fill(0)
    header.write(MAGIC, 'latin1')
    writeSync(fd, header, 0, HEADER, 0)
    sums.learn(Array(Math.ceil(fstatSync(file).size / PAGE)).keys())
  }
  return sums
}

function sumsOf(path: string, fd: number, file: number): Checksums {
  const name = basename(path)
  const page = Buffer.alloc(PAGE)
  const entry = Buffer.alloc(8)

  function set(number: number, sum: number): void {
    entry.writeUInt32LE(sum, 0)
    writeSync(fd, entry, 0, 4, HEADER + number * 4)
  }

  return {
    get seq() {
      readSync(fd, entry, 0, 8, 8)
      return entry.readDoubleLE(0)
    },
    note(seq) {
      entry.writeDoubleLE(seq, 0)
      writeSync(fd, entry, 0, 8, 8)
    },
    forget(pages, count) {
      for (const number of pages) set(number, UNKNOWN)
      const size = HEADER + count * 4
      if (fstatSync(fd).size > size) ftruncateSync(fd, size)
      // Synced first, so that even after a power cut no old sum remains for a page that has changed.
      fdatasyncSync(fd)
    },
    learn(pages) {
      for (const number of pages) {
        if (readSync(file, page, 0, PAGE, number * PAGE) === PAGE) set(number, sumOf(page))
      }
    },
    compare(from, most) {
      const known = Math.floor((fstatSync(fd).size - HEADER) / 4)
      const until = Math.min(known, from + most)
      for (let at = from; at < until; at += BLOCK_PAGES) {
        const count = Math.min(BLOCK_PAGES, until - at)
        const bytes = Buffer.alloc(count * PAGE)
        const sums = Buffer.alloc(count * 4)
        const read = readSync(file, bytes, 0, bytes.length, at * PAGE)
        readSync(fd, sums, 0, sums.length, HEADER + at * 4)
        for (let i = 0; i < count; i++) {
          const sum = sums.readUInt32LE(i * 4)
          if (sum === UNKNOWN) continue
          if ((i + 1) * PAGE > read) return { wrong: `${name} is cut short`, next: 0 }
          if (sumOf(bytes.subarray(i * PAGE, (i + 1) * PAGE)) !== sum) {
            return { wrong: `page ${at + i + 1} of ${name} is not as it was written`, next: 0 }
          }
        }
      }
      return { next: until >= known ? 0 : until }
    },
    [Symbol.dispose]() {
      closeSync(fd)
      closeSync(file)
    },
  }
}

function sumOf(page: Uint8Array): number {
  const sum = crc32(page)
  return sum === UNKNOWN ? 1 : sum
}
