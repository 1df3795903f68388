import { createHash } from 'node:crypto'
import type { Tiers } from './access/tiers.ts'
import { OperatorError } from './operator-error.ts'
import type { Roles } from './store/roles.ts'

/** How long a process's values count after it last stated them; then other processes may bring different ones. */
const STANDS_MS = 60_000

/** What must be the same in every process on one store: with two secrets, a key would work for only some of the requests. */
interface SharedSettings {
  readonly secret: string
  readonly tiers: Tiers
}

/**
 * Compares this process's values with those of the other running processes; throws an OperatorError when they differ. Has to
 * be called again and again: it is a lease held not by a process but by the hash of the value, so that all processes with
 * the same value hold it together.
 */
export async function expectSameSettings(
  roles: Roles,
  { secret, tiers }: SharedSettings,
): Promise<void> {
  await expectSame(roles, 'TELEGREP_SECRET', secret)
  await expectSame(roles, 'TELEGREP_TIERS', JSON.stringify([...tiers]))
}

/** The same for a command that needs only the secret. */
export function expectSameSecret(roles: Roles, secret: string): Promise<void> {
  return expectSame(roles, 'TELEGREP_SECRET', secret)
}

async function expectSame(roles: Roles, name: string, value: string): Promise<void> {
  const hash = createHash('sha256').update(`${name} ${value}`).digest('hex')
  if (await roles.acquire(`agreed/${name}`, hash, STANDS_MS)) return
  throw new OperatorError(
    `${name} is not what the other processes on this store have; give all of them the same, or stop them all and wait a minute to change it`,
  )
}
