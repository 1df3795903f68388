import { OperatorError } from '../operator-error.ts'
import { holdRole } from '../store/hold-role.ts'
import { KEEPER } from '../store/roles.ts'
import type { Store } from '../store/store.ts'

const HOLD_MS = 60_000

interface HeldAlone extends AsyncDisposable {
  /** Aborted when a process was started on the store all the same, after a pause that was too long. */
  readonly signal: AbortSignal
}

/** Every server has a keeper among its processes, so whoever holds that role is alone. */
export async function holdAlone(store: Store): Promise<HeldAlone> {
  const { location } = await store.describe()
  const lost = new AbortController()
  const held = await holdRole(store.roles, KEEPER, {
    ttlMs: HOLD_MS,
    onLost: () => lost.abort(new OperatorError(`a process was started on ${location} meanwhile`)),
  })
  if (!held)
    throw new OperatorError(
      `a process is running on ${location}: stop all of them first; one that was killed counts for a minute`,
    )
  return { signal: lost.signal, [Symbol.asyncDispose]: () => held[Symbol.asyncDispose]() }
}
