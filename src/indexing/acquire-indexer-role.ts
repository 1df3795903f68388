import { acquireRole } from '../store/acquire-role.ts'
import { indexerRole, type Roles } from '../store/roles.ts'

const ROLE_MS = 15_000

/** Another process feeds the index; the caller can stand by or leave the work to it. */
export class RoleTakenError extends Error {
  override name = 'RoleTakenError'

  constructor() {
    super('another process feeds the index')
  }
}

/**
 * Acquires the right to feed the index of one consumer until disposed of. Rejects with `RoleTakenError` while another process
 * has it. `onLost` is called when another process has taken it because this one paused for too long: feeding must then stop.
 */
export async function acquireIndexerRole(
  roles: Roles,
  consumer: string,
  onLost: () => void,
): Promise<AsyncDisposable> {
  const held = await acquireRole(roles, indexerRole(consumer), { ttlMs: ROLE_MS, onLost })
  if (!held) throw new RoleTakenError()
  return held
}
