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
 * A checksum for each page of an index file, in a file beside it. SQLite keeps none, and a flipped bit in a list of posts
 * is a wrong answer that nobody notices. Only the writer changes a page, and only when it moves its log into the file:
 * before that it forgets the sums of those pages, so that a crash in between leaves no sum that is wrong.
 */
interface Checksums {
  /** The last batch that was written: a file that knows an earlier one only has lost some. */
  readonly seq: number
  note(seq: number): void
  /** Also those of all pages beyond so many, which the file will no longer have. */
  forget(pages: Iterable<number>, count: number): void
  learn(pages: Iterable<number>): void
  /** Compares at most so many pages from this one on; what is wrong, or where to go on, 0 after the last. */
  compare(from: number, most: number): { readonly wrong?: string; readonly next: number }
  close(): void
}

const PAGE = 4_096
const MAGIC = 'TGSUMS1\n'
const HEADER = 16
const BLOCK_PAGES = 256
/** Stands for a page whose sum is not known; a sum that happens to be the same is one higher. */
const UNKNOWN = 0

const sumsPath = (path: string) => `${path}.sums`

/** Opens the sums of an index file. Where there are none, they are taken from the file as it is, if the caller may write. */
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
      // Not even a power cut may keep a sum of a page that it let change.
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
    close() {
      closeSync(fd)
      closeSync(file)
    },
  }
}

function sumOf(page: Uint8Array): number {
  const sum = crc32(page)
  return sum === UNKNOWN ? 1 : sum
}
