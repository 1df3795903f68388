import { BLOCK, decodeBlock, decodePlaces, type Blocks, type Places } from './list.ts'
import type { Entry, Segment } from './segment.ts'

/** Beyond every ordinal. */
export const END = 2 ** 30

export interface Cursor {
  /** The ordinal it stands on: -1 before the first, END behind the last. */
  at: number
  /** Posts it may lead through, at most. */
  readonly cost: number
  /** To the first match from `target` on; never back. */
  readonly seek: (target: number) => number
}

/** What a search may still decode; a cursor ends where it is used up, and what it ends on then is no match. */
export interface Work {
  postings: number
}

/** What reading a row of a list costs, in postings decoded. */
const READ = 512
export function createCursor(cost: number, seek: (target: number) => number): Cursor {
  const cursor: Cursor = {
    at: -1,
    cost,
    seek(target) {
      if (target <= cursor.at) return cursor.at
      return (cursor.at = cursor.at === END ? END : seek(target))
    },
  }
  return cursor
}

/** Through one term's posts. */
export function listCursor(segment: Segment, entry: Entry, work: Work): ListCursor {
  const buffer = new Uint32Array(Math.min(BLOCK, entry.count))
  let part = -1
  let blocks: Blocks | undefined
  let block = -1
  let length = 0
  let index = 0
  let places: Places | undefined
  let placed: ReturnType<Segment['places']> | undefined

  function openPart(next: number): void {
    part = next
    blocks = segment.posts(entry, part)
    block = -1
    length = 0
    placed = undefined
    if (entry.lasts) work.postings -= READ
  }

  function seek(target: number): number {
    if (length === 0 || buffer[length - 1]! < target) {
      if (entry.count === 0) return END
      const { lasts } = entry
      const wanted = lasts ? firstFrom(lasts, target, Math.max(0, part)) : 0
      if (lasts && wanted === lasts.length) return END
      if (wanted !== part) openPart(wanted)
      const next = firstFrom(blocks!.lasts, target, Math.max(0, block))
      if (next === blocks!.lasts.length || work.postings < 0) return END
      block = next
      length = decodeBlock(blocks!, block, buffer)
      work.postings -= length
      places = undefined
      index = 0
    }
    // Mostly the next one or one soon after.
    let step = 1
    while (index + step < length && buffer[index + step]! < target) {
      index += step
      step *= 2
    }
    while (buffer[index]! < target) index++
    return buffer[index]!
  }

  const cursor = createCursor(entry.count, seek)
  return Object.assign(cursor, {
    places() {
      placed ??= segment.places(entry, part)
      places ??= decodePlaces(blocks!, placed.bytes, placed.from, block)
      return {
        all: places.all,
        from: index === 0 ? 0 : places.ends[index - 1]!,
        to: places.ends[index]!,
      }
    },
  })
}

export interface ListCursor extends Cursor {
  /** Where the word stands in the post it is at. */
  readonly places: () => {
    readonly all: readonly number[]
    readonly from: number
    readonly to: number
  }
}

/** The first place from `from` on whose value is `target` or more. */
function firstFrom(values: readonly number[], target: number, from: number): number {
  if (from >= values.length || values[from]! >= target) return from
  let [low, high] = [from + 1, values.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (values[middle]! < target) low = middle + 1
    else high = middle
  }
  return low
}
