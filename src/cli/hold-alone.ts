import { OperatorError } from '../operator-error.ts'
import { createOwner } from '../store/owner.ts'
import { KEEPER } from '../store/roles.ts'
import type { Store } from '../store/store.ts'

/** Nobody takes over within this; it is renewed while the work goes on. */
const HOLD_MS = 60_000

/** Every server has a keeper among its processes, so whoever holds that role is alone. */
export async function holdAlone(store: Store): Promise<AsyncDisposable> {
  let lease = await store.roles.acquire(KEEPER, createOwner(), HOLD_MS)
  if (!lease) {
    const { location } = await store.describe()
    throw new OperatorError(`a process is running on ${location}: stop all of them first`)
  }
  const renewal = setInterval(() => {
    if (!lease) return
    // One that cannot be renewed runs out, and is told of by the copy itself.
    store.roles.renew(lease, HOLD_MS).then(
      (kept) => (lease = kept),
      () => {},
    )
  }, HOLD_MS / 4)
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(renewal)
      if (lease) await store.roles.release(lease)
    },
  }
}
