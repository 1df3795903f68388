import type { Clock } from '../model/clock.ts'
import { MINUTE_MS } from '../model/time.ts'
import { isIndexConsumer, type Changes, type RebuildState } from '../store/changes.ts'

/** However long something takes, other processes must see that this index is in use. */
const RENEW_MS = MINUTE_MS
/** An index of another analyzer version that no process has fed for this long is unregistered as a consumer. */
const STRIKE_MS = 10 * MINUTE_MS

/** An index's registration as a consumer of changes, and whether changes have passed it by. */
export interface Registration {
  /** Registers this index as in use, at most once a minute, and unregisters indexes of other versions that are not. */
  renew(): Promise<void>
  /** Changes were missed before this index was registered, or somebody asked for a rebuild. */
  isBehind(): boolean
  /** Whether a half-filled index has been told of every change since it was begun. */
  mayResume(): boolean
  /** The index is whole, but the archive may still keep what another version's analysis derived. */
  isFilled(): boolean
  noteBegun(): Promise<void>
  noteFilled(): Promise<void>
  noteRenewed(): Promise<void>
}

export function createRegistration(options: {
  readonly changes: Changes
  readonly consumer: string
  readonly clock: Clock
}): Registration {
  const { changes, consumer, clock } = options
  let renewedSince = -Infinity
  let rebuild: RebuildState = 'none'

  /** Does nothing if this index was unregistered meanwhile, because the process had paused for long. */
  async function note(from: RebuildState, to: RebuildState): Promise<void> {
    if (rebuild !== from) return
    await changes.noteRebuild(consumer, from, to)
    rebuild = to
  }

  return {
    async renew() {
      const unseenMs = clock.elapsed() - renewedSince
      if (unseenMs < RENEW_MS) return
      rebuild = (await changes.register(consumer)).rebuild
      renewedSince = clock.elapsed()
      // If the store was away for that long, the others have not registered either: they have until the next time. A process
      // that has just started does not know, and may never get to a next time, like a command that indexes.
      if (unseenMs > STRIKE_MS && unseenMs < Infinity) return
      for (const { name, idleMs } of await changes.consumers()) {
        if (isIndexConsumer(name) && idleMs > STRIKE_MS) await changes.unregister(name)
      }
    },
    isBehind: () => rebuild === 'due' || rebuild === 'begun',
    mayResume: () => rebuild !== 'due',
    isFilled: () => rebuild === 'filled',
    noteBegun: () => note('due', 'begun'),
    noteFilled: () => note('begun', 'filled'),
    noteRenewed: () => note('filled', 'none'),
  }
}
