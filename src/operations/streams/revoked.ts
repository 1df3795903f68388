import type { Access } from '../../access/access.ts'
import type { Caller } from '../../access/caller.ts'
import type { Clock } from '../../model/clock.ts'
import { everySecond } from './every-second.ts'
import { createPace } from './pace.ts'

/** A revoked key has to be refused within five seconds, and streams opened with it have to end as well. */
const CHECK_MS = 4_000

/** Ends streams whose key has been revoked since they were opened. */
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
    // When the store fails, ask again later; a failure revokes nobody's key.
    await check().catch(() => {})
  })
}
