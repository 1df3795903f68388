import type { Access } from '../../access/access.ts'
import type { Caller } from '../../access/caller.ts'
import type { Clock } from '../../model/clock.ts'
import { createPace } from './pace.ts'

/** A revoked key is refused within five seconds, and so is what was opened with it. */
const CHECK_MS = 4_000
const TICK_MS = 1_000

/** Ends streams whose key was revoked since they were opened. */
export function startRevoking<S extends { readonly caller: Caller }>(options: {
  readonly streams: ReadonlySet<S>
  readonly access: Pick<Access, 'isValid'>
  readonly clock: Clock
  end(stream: S): void
}): Disposable {
  const { streams, access, clock } = options
  let checkedSince = clock.elapsed()
  let isChecking = false

  async function check(): Promise<void> {
    const byCaller = Map.groupBy(streams, ({ caller }) => caller.id)
    const pace = createPace(clock)
    for (const own of byCaller.values()) {
      await pace()
      if (!(await access.isValid(own[0]!.caller))) own.forEach(options.end)
    }
  }

  const timer = setInterval(() => {
    if (isChecking || streams.size === 0 || clock.elapsed() - checkedSince < CHECK_MS) return
    isChecking = true
    checkedSince = clock.elapsed()
    // A store that is away is asked again: nobody's key is revoked by that.
    void check()
      .catch(() => {})
      .finally(() => (isChecking = false))
  }, TICK_MS)
  timer.unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}
