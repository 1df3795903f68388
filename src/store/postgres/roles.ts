import type { Roles } from '../roles.ts'
import { LONGEST_LEASE_MS } from '../schedule-rules.ts'
import type { Database, Now } from './database.ts'

/** On a connection of its own: a role must not be lost because the others are busy. */
export function createRoles({ reserved }: Database, now: Now): Roles {
  return {
    async acquire(name, owner, ttlMs) {
      const row = await reserved.get<RoleRow>(ACQUIRE, name, owner, ttlMs, now())
      return row && { name, owner, token: row.token, until: row.until }
    },
    async renew(lease, ttlMs) {
      const { name, owner, token } = lease
      const row = await reserved.get<RoleRow>(RENEW, name, owner, token, ttlMs, now())
      return row && { ...lease, until: row.until }
    },
    async release({ name, owner, token }) {
      await reserved.run(RELEASE, name, owner, token)
    },
    async holder(name) {
      return (await reserved.get<{ owner: string | null }>(HOLDER, name))?.owner ?? undefined
    },
  }
}

interface RoleRow {
  readonly token: number
  readonly until: number
}

const ACQUIRE = `insert into roles as r (name, owner, token, until) values ($1, $2, 1, clock_ms($4) + $3)
  on conflict (name) do update set owner = excluded.owner, token = r.token + 1, until = excluded.until
  where r.owner is null or r.owner = excluded.owner or r.until <= clock_ms($4)
    or r.until > clock_ms($4) + ${LONGEST_LEASE_MS}
  returning token, until`
const HELD = 'where name = $1 and owner = $2 and token = $3'
const RENEW = `update roles set until = clock_ms($5) + $4 ${HELD} returning token, until`
const HOLDER = 'select owner from roles where name = $1'
const RELEASE = `update roles set owner = null, until = 0 ${HELD}`
