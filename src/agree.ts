import { createHash } from 'node:crypto'
import type { Tiers } from './access/tiers.ts'
import { OperatorError } from './operator-error.ts'
import type { Roles } from './store/roles.ts'

/** So long what a process has stands after its last word: then others may bring something else. */
const STANDS_MS = 60_000

/** What every process on one store must have alike: with two secrets a key would work in every other request. */
interface Agreement {
  readonly secret: string
  readonly tiers: Tiers
}

/**
 * Says what this process has; throws an OperatorError where those that run have something else. To be said again and again:
 * it is a lease whose holder is not a process but the value's hash, so that all who have the same hold it together.
 */
export async function agree(roles: Roles, { secret, tiers }: Agreement): Promise<void> {
  await agreeOn(roles, 'TELEGREP_SECRET', secret)
  await agreeOn(roles, 'TELEGREP_TIERS', JSON.stringify([...tiers]))
}

/** The same for a command that needs the secret only. */
export function agreeOnSecret(roles: Roles, secret: string): Promise<void> {
  return agreeOn(roles, 'TELEGREP_SECRET', secret)
}

async function agreeOn(roles: Roles, name: string, value: string): Promise<void> {
  const hash = createHash('sha256').update(`${name} ${value}`).digest('hex')
  if (await roles.acquire(`agreed/${name}`, hash, STANDS_MS)) return
  throw new OperatorError(
    `${name} is not what the other processes on this store have; give all of them the same, or stop them all and wait a minute to change it`,
  )
}
