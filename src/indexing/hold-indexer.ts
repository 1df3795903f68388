import { IndexLockedError } from '../search/search-index.ts'
import { holdRole } from '../store/hold-role.ts'
import { indexerRole, type Roles } from '../store/roles.ts'

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
  const held = await holdRole(roles, indexerRole(consumer), { ttlMs: ROLE_MS, onLost })
  if (!held) throw new IndexLockedError('another process feeds the index')
  return held
}
