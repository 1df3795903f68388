/**
 * Small numbers about every post, by slot, for whatever is decided match by match: predicates, priors, facets, the order
 * by views. On disk they are chunks of 256 slots, column after column: loading a million posts takes a few thousand block
 * copies (40 bytes a post), and changing one post rewrites 10 KB.
 */

export const CHUNK = 256

const WIDE = ['number', 'channel', 'arrived', 'views', 'reactions', 'seq', 'group'] as const
const NARROW = ['bonus', 'flags', 'language', 'words', 'toks', 'firstLine'] as const
const NAMES = [...WIDE, ...NARROW]
type WideName = (typeof WIDE)[number]
type NarrowName = (typeof NARROW)[number]

export type Columns = Readonly<Record<WideName, Uint32Array> & Record<NarrowName, Uint16Array>> & {
  readonly buffer: ArrayBuffer
}

/** The first eleven flags are HAS_VALUES, in that order. */
export const COPY_FLAG = 1 << 11

const BYTES = WIDE.length * 4 + NARROW.length * 2
export const CHUNK_BYTES = BYTES * CHUNK

export function createColumns(
  capacity: number,
  buffer = new ArrayBuffer(BYTES * capacity),
): Columns {
  let at = 0
  const wide = WIDE.map((name) => {
    const view = new Uint32Array(buffer, at, capacity)
    at += capacity * 4
    return [name, view] as const
  })
  const narrow = NARROW.map((name) => {
    const view = new Uint16Array(buffer, at, capacity)
    at += capacity * 2
    return [name, view] as const
  })
  return { buffer, ...Object.fromEntries([...wide, ...narrow]) } as Columns
}

/** Reads a chunk as stored. */
export function chunkColumns(data: Uint8Array): Columns {
  const buffer = new ArrayBuffer(CHUNK_BYTES)
  new Uint8Array(buffer).set(data)
  return createColumns(CHUNK, buffer)
}

/** The columns of a bucket in memory; they grow with it. */
export interface BucketColumns {
  columns: Columns
  /** Indexed by chunk. */
  readonly tags: ChunkTags[]
}

/** Makes room for this many slots, with some to spare when it must grow, so that it seldom does. */
export function reserve(bucket: BucketColumns, slots: number): void {
  const capacity = bucket.columns.number.length
  if (slots <= capacity) return
  // Grows by an eighth: doubling would leave up to half of the largest arrays empty.
  const wanted = capacity === 0 ? slots : Math.max(slots, capacity * 1.125)
  const grown = createColumns(Math.ceil(wanted / CHUNK) * CHUNK)
  for (const name of NAMES) grown[name].set(bucket.columns[name])
  bucket.columns = grown
}

/** Loads a chunk. Returns the slots of posts deleted since it was last loaded; `arrived` then holds the second of each. */
export function loadChunk(bucket: BucketColumns, chunk: number, data: Uint8Array): number[] {
  reserve(bucket, (chunk + 1) * CHUNK)
  const isWhole = data.byteOffset === 0 && data.buffer.byteLength === CHUNK_BYTES
  const loaded = isWhole ? createColumns(CHUNK, data.buffer as ArrayBuffer) : chunkColumns(data)
  const first = chunk * CHUNK
  const { number } = bucket.columns
  const takenOut: number[] = []
  for (let i = 0; i < CHUNK; i++) {
    if (loaded.number[i] === 0 && number[first + i] !== 0) takenOut.push(first + i)
  }
  for (const name of NAMES) bucket.columns[name].set(loaded[name], first)
  return takenOut
}

/** Added to the id of a tag that is a domain, so that facets can tell it from a hashtag without its name. */
export const DOMAIN = 2 ** 31

/** Packs lists of tag ids, one per slot of a chunk: 256 lengths, then the ids. */
export function packTags(lists: readonly (readonly number[])[]): Uint8Array {
  const total = lists.reduce((sum, list) => sum + list.length, 0)
  const bytes = new Uint8Array(CHUNK * 2 + total * 4)
  const lengths = new Uint16Array(bytes.buffer, 0, CHUNK)
  const ids = new Uint32Array(bytes.buffer, CHUNK * 2, total)
  let at = 0
  for (const [slot, list] of lists.entries()) {
    lengths[slot] = list.length
    for (const id of list) ids[at++] = id
  }
  return bytes
}

/** The tags of a chunk. `starts` has one more entry than there are slots: the end of the last slot's ids. */
interface ChunkTags {
  readonly starts: Uint16Array | Uint32Array
  readonly ids: Uint32Array
}

export function openTags(bytes: Uint8Array): ChunkTags {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice()
  const lengths = new Uint16Array(aligned.buffer, aligned.byteOffset, CHUNK)
  const total = (aligned.byteLength - CHUNK * 2) / 4
  const starts = total > 0xffff ? new Uint32Array(CHUNK + 1) : new Uint16Array(CHUNK + 1)
  for (let slot = 0; slot < CHUNK; slot++) starts[slot + 1] = starts[slot]! + lengths[slot]!
  return { starts, ids: new Uint32Array(aligned.buffer, aligned.byteOffset + CHUNK * 2, total) }
}

export function unpackTags(bytes: Uint8Array): number[][] {
  const { starts, ids } = openTags(bytes)
  return Array.from({ length: CHUNK }, (_, slot) =>
    Array.from(ids.subarray(starts[slot], starts[slot + 1])),
  )
}
