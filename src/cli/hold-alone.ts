import { OperatorError } from '../operator-error.ts'
import { createOwner } from '../store/owner.ts'
import { KEEPER } from '../store/roles.ts'
import type { Store } from '../store/store.ts'

/** Nobody takes over within this; it is renewed while the work goes on. */
const HOLD_MS = 60_000

export interface HeldAlone extends AsyncDisposable {
  /** Aborted when a process was started on the store all the same, after a pause that was too long. */
  readonly signal: AbortSignal
}

/** Every server has a keeper among its processes, so whoever holds that role is alone. */
export async function holdAlone(store: Store): Promise<HeldAlone> {
  let lease = await store.roles.acquire(KEEPER, createOwner(), HOLD_MS)
  const { location } = await store.describe()
  if (!lease) throw new OperatorError(`a process is running on ${location}: stop all of them first`)
  const lost = new AbortController()
  const renewal = setInterval(() => {
    if (!lease) return
    store.roles.renew(lease, HOLD_MS).then(
      (kept) => {
        if (!lease) return
        lease = kept
        if (!kept) lost.abort(new OperatorError(`a process was started on ${location} meanwhile`))
      },
      () => {
        // A store that does not answer is asked again.
      },
    )
  }, HOLD_MS / 4)
  return {
    signal: lost.signal,
    async [Symbol.asyncDispose]() {
      clearInterval(renewal)
      const held = lease
      lease = undefined
      if (held) await store.roles.release(held)
    },
  }
}
