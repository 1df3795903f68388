import type { Clock } from '../../model/clock.ts'
import type { Store } from '../../store/store.ts'
import { findOutdated, type NamedChannels } from '../named-channels.ts'
import { everySecond } from './every-second.ts'
import { createPace } from './pace.ts'

/** How often the channels that searches name are looked up. */
const AGAIN_MS = 15_000

interface ReadSearch<Read> {
  readonly named: NamedChannels
  readonly readAgain: () => Promise<Read>
}

/** Reads searches again when their names mean other channels than before: one may be added while it is followed. */
export function startReadingAgain<Read, S extends ReadSearch<Read>>(options: {
  readonly store: Pick<Store, 'archive'>
  readonly streams: ReadonlySet<S>
  readonly clock: Clock
  replace(stream: S, read: Read): void
}): Disposable {
  const { streams, clock } = options
  let readSince = clock.elapsed()

  async function readAll(): Promise<void> {
    const pace = createPace(clock)
    for (const stream of await findOutdated(options, streams)) {
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
