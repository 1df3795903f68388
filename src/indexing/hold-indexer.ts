import { IndexLockedError } from '../search/search-index.ts'
import { createOwner } from '../store/owner.ts'
import { indexerRole, type RoleLease, type Roles } from '../store/roles.ts'

const ROLE_MS = 15_000

/**
 * The right to feed the index of one consumer, kept until disposed of. Rejects with `IndexLockedError` while another process
 * has it. `onLost` is told when it went to another, after a pause that was too long: whoever feeds must then stop.
 */
export async function holdIndexer(
  roles: Roles,
  consumer: string,
  onLost: () => void,
): Promise<AsyncDisposable> {
  const role = indexerRole(consumer)
  let lease: RoleLease | undefined = await roles.acquire(role, createOwner(), ROLE_MS)
  if (!lease) throw new IndexLockedError('another process feeds the index')
  const renewal = setInterval(() => {
    const held = lease
    if (!held) return
    roles.renew(held, ROLE_MS).then(
      (kept) => {
        if (!lease) return
        lease = kept
        if (!kept) onLost()
      },
      () => {
        // A store that does not answer is asked again; a lease that ran out meanwhile is lost to whoever takes it.
      },
    )
  }, ROLE_MS / 3)
  renewal.unref()
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(renewal)
      const held = lease
      lease = undefined
      // One that cannot be given back runs out.
      if (held) await roles.release(held).catch(() => {})
    },
  }
}
