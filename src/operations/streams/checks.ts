import type { Access } from '../../access/access.ts'
import type { Caller } from '../../access/caller.ts'
import type { Clock } from '../../model/clock.ts'
import { spareTurn } from '../../model/turns.ts'
import type { Store } from '../../store/store.ts'
import { findJoined } from '../find-joined.ts'
import { everySecond } from './every-second.ts'

/** What is looked up again for open streams, every few seconds. */
interface Checked<S> {
  readonly streams: ReadonlySet<S>
  readonly clock: Clock
}

/** A revoked key has to be refused within five seconds, and streams opened with it have to end as well. */
const KEYS_MS = 4_000

/** Ends streams whose key has been revoked since they were opened. */
export function startRevoking<S extends { readonly caller: Caller }>(
  options: Checked<S> & { readonly access: Pick<Access, 'isValid'>; end(stream: S): void },
): Disposable {
  return checkEvery(KEYS_MS, options, async () => {
    const byCaller = Map.groupBy(options.streams, ({ caller }) => caller.id)
    for (const own of byCaller.values()) {
      await spareTurn()
      if (!(await options.access.isValid(own[0]!.caller))) own.forEach(options.end)
    }
  })
}

/** How often the channels that searches wait for are looked up. */
const NAMES_MS = 15_000

interface ReadSearch<Read> {
  readonly unknown: readonly string[]
  readonly readAgain: () => Promise<Read>
}

/** Reads searches again once a channel that they name has been added. */
export function startReadingAgain<Read, S extends ReadSearch<Read>>(
  options: Checked<S> & {
    readonly store: Pick<Store, 'archive'>
    replace(stream: S, read: Read): void
  },
): Disposable {
  return checkEvery(NAMES_MS, options, async () => {
    for (const stream of await findJoined(options, options.streams)) {
      await spareTurn()
      options.replace(stream, await stream.readAgain())
    }
  })
}

function checkEvery<S>(
  ms: number,
  { streams, clock }: Checked<S>,
  check: () => Promise<void>,
): Disposable {
  let checkedSince = clock.elapsed()
  return everySecond(async () => {
    if (streams.size === 0 || clock.elapsed() - checkedSince < ms) return
    checkedSince = clock.elapsed()
    // When the store fails, ask again later: a failure revokes nobody's key.
    await check().catch(() => {})
  })
}
