import type { Clock } from '../../model/clock.ts'
import { isDeadHere } from '../owner.ts'
import type { Roles } from '../roles.ts'
import { isLeaseValid } from '../schedule-rules.ts'
import type { Database } from './database.ts'

export function createRoles(db: Database, clock: Clock): Roles {
  return {
    acquire: (name, owner, ttlMs) =>
      db.write(() => {
        const now = clock.now()
        const kept = db.get<RoleRow>(ROW, name)
        const isHeld = kept !== undefined && kept.owner !== null && isLeaseValid(kept.until, now)
        // A holder that died on this host is not waited for.
        if (isHeld && kept.owner !== owner && !isDeadHere(kept.owner!, owner)) return undefined
        const lease = { name, owner, token: (kept?.token ?? 0) + 1, until: now + ttlMs }
        db.run(TAKE, name, owner, lease.token, lease.until)
        return lease
      }),
    renew: (lease, ttlMs) =>
      db.write(() => {
        const until = clock.now() + ttlMs
        const isHeld = db.run(RENEW, until, lease.name, lease.owner, lease.token) > 0
        return isHeld ? { ...lease, until } : undefined
      }),
    release: ({ name, owner, token }) => db.write(() => void db.run(RELEASE, name, owner, token)),
    holder: (name) => db.read(() => db.get<RoleRow>(ROW, name)?.owner ?? undefined),
  }
}

interface RoleRow {
  readonly owner: string | null
  readonly token: number
  readonly until: number
}

const ROW = 'select owner, token, until from roles where name = ?'
const TAKE = 'insert or replace into roles values (?, ?, ?, ?)'
const HELD = 'where name = ? and owner = ? and token = ?'
const RENEW = `update roles set until = ? ${HELD}`
const RELEASE = `update roles set owner = null, until = 0 ${HELD}`
