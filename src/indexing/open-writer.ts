import { pause, type Clock } from '../model/clock.ts'
import { MINUTE_MS } from '../model/time.ts'
import type { IndexWriter } from '../search/search-index.ts'
import { RoleTakenError } from './acquire-indexer-role.ts'

interface OpenWriterOptions {
  readonly open: () => Promise<IndexWriter>
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly events: {
    /** Another process writes. Separate from `failed`, since standing by is no failure. */
    standsBy(reason: string): void
    failed(error: unknown): void
  }
}

const TRY_MS = 5_000
/** How often the same problem is reported again: it must neither be forgotten nor fill the log. */
const REMIND_MS = 10 * MINUTE_MS

/** Tries until it succeeds: while another process writes, this one stands by. Undefined when aborted first. */
export async function openWriter(options: OpenWriterOptions): Promise<IndexWriter | undefined> {
  const { clock, signal, events } = options
  const told = new Map<string, number>()
  while (!signal.aborted) {
    try {
      return await options.open()
    } catch (error) {
      if (signal.aborted) break
      const trouble = String(error)
      if (clock.elapsed() - (told.get(trouble) ?? -Infinity) >= REMIND_MS) {
        told.set(trouble, clock.elapsed())
        if (error instanceof RoleTakenError) events.standsBy(error.message)
        else events.failed(error)
      }
      await pause(clock, TRY_MS, signal)
    }
  }
  return undefined
}
