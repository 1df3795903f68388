import type { Access } from '../../access/access.ts'
import type { Caller } from '../../access/caller.ts'
import type { Clock } from '../../model/clock.ts'
import { everySecond } from './every-second.ts'
import { createPace } from './pace.ts'

/** A revoked key is refused within five seconds, and so is what was opened with it. */
const CHECK_MS = 4_000

/** Ends streams whose key was revoked since they were opened. */
export function startRevoking<S extends { readonly caller: Caller }>(options: {
  readonly streams: ReadonlySet<S>
  readonly access: Pick<Access, 'isValid'>
  readonly clock: Clock
  end(stream: S): void
}): Disposable {
  const { streams, access, clock } = options
  let checkedSince = clock.elapsed()

  async function check(): Promise<void> {
    const byCaller = Map.groupBy(streams, ({ caller }) => caller.id)
    const pace = createPace(clock)
    for (const own of byCaller.values()) {
      await pace()
      if (!(await access.isValid(own[0]!.caller))) own.forEach(options.end)
    }
  }

  return everySecond(async () => {
    if (streams.size === 0 || clock.elapsed() - checkedSince < CHECK_MS) return
    checkedSince = clock.elapsed()
    // A store that is away is asked again: nobody's key is revoked by that.
    await check().catch(() => {})
  })
}
