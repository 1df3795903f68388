import { crc32 } from 'node:zlib'

/**
 * A ZIP without any freedom: files are stored uncompressed, dated 1980, one after the other, with nothing in between. The
 * same files give the same bytes, so a reader can rebuild the ZIP and find every byte that was changed.
 */
export interface ZipEntry {
  readonly name: string
  readonly bytes: Uint8Array
}

/** A file read in pieces, as often as needed, so that nobody has to hold it whole. */
export interface ZipSource {
  readonly name: string
  pieces(): AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

/** What a file's headers contain; they precede its bytes. */
export interface Measure {
  readonly name: string
  readonly length: number
  readonly crc: number
}

/** The ZIP is not as this program writes it. */
export class ZipError extends Error {
  override name = 'ZipError'
}

const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const END = 0x06054b50
/** 1980-01-01, the earliest date in a ZIP. */
const DATE = 0x0021
const LOCAL_BYTES = 30
const CENTRAL_BYTES = 46
const END_BYTES = 22
const MAX_ENTRIES = 1_000

/** Plain names, with folders: nothing that leads out of the folder where it is unpacked. */
const NAME = /^(?!.*(?:^|\/)\.)[A-Za-z0-9._-]+(?:\/[A-Za-z0-9._-]+)*$/

export function writeZip(entries: readonly ZipEntry[]): Uint8Array {
  const measures = entries.map(({ name, bytes }) => ({
    name,
    length: bytes.length,
    crc: crc32(bytes),
  }))
  const files = entries.flatMap(({ bytes }, i) => [localHeader(measures[i]!), bytes])
  return Buffer.concat([...files, directoryOf(measures)])
}

/** The same ZIP in pieces. Throws when a file's length differs from its measured one. */
export async function* zipPieces(
  files: readonly (ZipSource & Measure)[],
): AsyncGenerator<Uint8Array> {
  for (const file of files) {
    yield localHeader(file)
    let length = 0
    for await (const piece of file.pieces()) {
      length += piece.length
      if (length > file.length) break
      yield piece
    }
    if (length !== file.length) throw new ZipError(`${file.name} is not what was measured`)
  }
  yield directoryOf(files)
}

export function zipLength(files: readonly Measure[]): number {
  const headers = LOCAL_BYTES + CENTRAL_BYTES
  return files.reduce((sum, file) => sum + headers + 2 * file.name.length + file.length, END_BYTES)
}

function directoryOf(files: readonly Measure[]): Buffer {
  let offset = 0
  const heads = files.map((file) => {
    const head = centralHeader(file, offset)
    offset += LOCAL_BYTES + file.name.length + file.length
    return head
  })
  const directory = Buffer.concat(heads)
  const end = Buffer.alloc(END_BYTES)
  end.writeUInt32LE(END, 0)
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([directory, end])
}

/** The fields that both headers share: version, flags, method, time, date, CRC, both sizes, the length of the name. */
function facts(into: Buffer, at: number, { name, length, crc }: Measure): void {
  into.writeUInt16LE(10, at)
  into.writeUInt16LE(DATE, at + 8)
  into.writeUInt32LE(crc, at + 10)
  into.writeUInt32LE(length, at + 14)
  into.writeUInt32LE(length, at + 18)
  into.writeUInt16LE(name.length, at + 22)
}

function localHeader(file: Measure): Buffer {
  const head = Buffer.alloc(LOCAL_BYTES + file.name.length)
  head.writeUInt32LE(LOCAL, 0)
  facts(head, 4, file)
  head.write(file.name, LOCAL_BYTES, 'latin1')
  return head
}

function centralHeader(file: Measure, offset: number): Buffer {
  const head = Buffer.alloc(CENTRAL_BYTES + file.name.length)
  head.writeUInt32LE(CENTRAL, 0)
  head.writeUInt16LE(10, 4)
  facts(head, 6, file)
  head.writeUInt32LE(offset, 42)
  head.write(file.name, CENTRAL_BYTES, 'latin1')
  return head
}

/** The files of a ZIP made by `writeZip`, read from its start. Throws a ZipError that says where it differs. */
export function readZip(zip: Uint8Array): ZipEntry[] {
  const bytes = Buffer.from(zip.buffer, zip.byteOffset, zip.byteLength)
  const entries: ZipEntry[] = []
  const names = new Set<string>()
  let at = 0
  while (at + 4 <= bytes.length && bytes.readUInt32LE(at) === LOCAL) {
    if (entries.length === MAX_ENTRIES) throw new ZipError(`more than ${MAX_ENTRIES} files`)
    const entry = readEntry(bytes, at)
    if (names.has(entry.name)) throw new ZipError(`byte ${at}: ${entry.name} is there twice`)
    names.add(entry.name)
    entries.push(entry)
    at += LOCAL_BYTES + entry.name.length + entry.bytes.length
  }
  if (entries.length === 0) throw new ZipError('byte 0: expected a ZIP, found something else')
  return entries
}

function readEntry(bytes: Buffer, at: number): ZipEntry {
  if (at + LOCAL_BYTES > bytes.length) throw new ZipError(`byte ${at}: the file ends too early`)
  const size = bytes.readUInt32LE(at + 18)
  const nameLength = bytes.readUInt16LE(at + 26)
  const start = at + LOCAL_BYTES + nameLength
  const name = bytes.toString('latin1', at + LOCAL_BYTES, Math.min(start, bytes.length))
  if (nameLength > 200 || !NAME.test(name)) {
    throw new ZipError(`byte ${at + LOCAL_BYTES}: ${JSON.stringify(name.slice(0, 80))} is no name`)
  }
  if (start + size > bytes.length) {
    throw new ZipError(`byte ${at + 18}: ${name} is said to be longer than the whole file`)
  }
  return { name, bytes: bytes.subarray(start, start + size) }
}

/** Describes the first byte at which a ZIP differs from what its files make; undefined when there is none. */
export function findForeignByte(zip: Uint8Array, entries: readonly ZipEntry[]): string | undefined {
  const expected = writeZip(entries)
  const length = Math.min(expected.length, zip.length)
  let at = 0
  while (at < length && expected[at] === zip[at]) at++
  if (at === expected.length && at === zip.length) return undefined
  if (at === expected.length) return `byte ${at}: something follows the end of the ZIP`
  if (at === zip.length) return `byte ${at}: the end of the ZIP is missing`
  return `byte ${at}: ${regionOf(at, entries)}`
}

function regionOf(at: number, entries: readonly ZipEntry[]): string {
  let start = 0
  for (const { name, bytes } of entries) {
    start += LOCAL_BYTES + name.length
    if (at < start) return `the header of ${name}`
    start += bytes.length
    if (at < start) return `the content of ${name}`
  }
  return 'the directory at the end of the ZIP'
}
