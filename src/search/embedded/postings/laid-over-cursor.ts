import { firstBit } from './bits.ts'
import type { Segment } from './segment.ts'
import { END, type Cursor, type TermCursor } from './cursors.ts'

/** Posts that any of many cursors leads to: side by side they would be compared with one another at every step. */
export class LaidOverCursor implements Cursor {
  at = -1
  readonly cost: number
  readonly #parts: readonly Cursor[]
  readonly #posts: number
  readonly #window: number
  readonly #bits: Uint32Array
  #start: number

  constructor(parts: readonly Cursor[], cost: number, { rowids, sizes }: Segment) {
    this.cost = cost
    this.#parts = parts
    this.#posts = rowids.length
    this.#window = sizes.window
    this.#bits = new Uint32Array(sizes.window / 32)
    this.#start = -sizes.window
  }

  seek(target: number): number {
    if (target <= this.at) return this.at
    for (let from = target; from < this.#posts; from = this.#start + this.#window) {
      if (from >= this.#start + this.#window) this.#lay(from - (from % this.#window))
      const bit = firstBit(this.#bits, from - this.#start)
      if (bit >= 0) return (this.at = this.#start + bit)
    }
    return (this.at = END)
  }

  #lay(start: number): void {
    const bits = this.#bits
    bits.fill(0)
    for (const part of this.#parts) {
      if (isOfTerm(part)) part.lay(bits, start)
      else {
        for (let at = part.seek(start); at < start + this.#window; at = part.seek(at + 1)) {
          bits[(at - start) >> 5]! |= 1 << (at & 31)
        }
      }
    }
    this.#start = start
  }
}

function isOfTerm(cursor: Cursor): cursor is TermCursor {
  return 'lay' in cursor
}
