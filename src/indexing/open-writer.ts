import { pause, type Clock } from '../model/clock.ts'
import { MINUTE_MS } from '../model/time.ts'
import { IndexLockedError, type IndexWriter } from '../search/search-index.ts'

interface OpenWriterOptions {
  readonly open: () => Promise<IndexWriter>
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly events: {
    /** Another process writes; told as its own thing, since standing by is no failure. */
    standsBy(reason: string): void
    failed(error: unknown): void
  }
}

const TRY_MS = 5_000
/** The same trouble is told again so often that it is not forgotten and fills no log. */
const REMIND_MS = 10 * MINUTE_MS

/** Tries until it can: another process may be writing, and this one stands by. Undefined when aborted first. */
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
        if (error instanceof IndexLockedError) events.standsBy(error.message)
        else events.failed(error)
      }
      await pause(clock, TRY_MS, signal)
    }
  }
  return undefined
}
