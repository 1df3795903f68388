import type { Clock } from '../../model/clock.ts'
import { everySecond } from './every-second.ts'
import { createPace } from './pace.ts'

/** How often a search that names an unknown channel is read again. */
const AGAIN_MS = 15_000

interface Settling<Read> {
  /** False when it names a channel that is not in the archive: read again later, it may find other posts. */
  readonly isSettled: boolean
  readonly readAgain: () => Promise<Read>
}

/** Reads searches again that name a channel not in the archive: it may be added while they are followed. */
export function startSettling<Read, S extends Settling<Read>>(options: {
  readonly streams: ReadonlySet<S>
  readonly clock: Clock
  replace(stream: S, read: Read): void
}): Disposable {
  const { streams, clock } = options
  let readSince = clock.elapsed()

  async function readAll(): Promise<void> {
    const pace = createPace(clock)
    for (const stream of streams) {
      if (stream.isSettled) continue
      await pace()
      options.replace(stream, await stream.readAgain())
    }
  }

  return everySecond(async () => {
    if (clock.elapsed() - readSince < AGAIN_MS) return
    readSince = clock.elapsed()
    // When the store fails, try again later.
    await readAll().catch(() => {})
  })
}
