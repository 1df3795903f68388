import type { Clock } from '../../model/clock.ts'
import { unpackKey, type KeyRow } from '../key-codec.ts'
import { withSecret, type Ledger, type Usage } from '../ledger.ts'
import { chargeWindow, isRunning } from '../usage-rules.ts'
import type { Database } from './database.ts'

/** Rows deleted in one transaction: at the end of a day the windows of all its callers expire at once. */
const ROWS_A_STEP = 500

export function createLedger(db: Database, clock: Clock): Ledger {
  /** Keys are made by hand and must survive a power cut, which the ledger's `synchronous = normal` does not guarantee. */
  const writeKey = <T>(work: () => T): Promise<T> => db.write(work, 'full')
  const find = (id: string) => db.get<KeyRow>('select * from keys where id = ?', id)
  return {
    addKey: (key) =>
      writeKey(() => {
        const hashes = JSON.stringify([key.secretHash])
        db.run(ADD_KEY, key.id, key.name, key.tier, key.createdAt, hashes)
      }),
    key: (id) =>
      db.read(() => {
        const row = find(id)
        return row && unpackKey(row)
      }),
    keys: () => db.read(() => db.all<KeyRow>(KEYS).map(unpackKey)),
    addSecret: (id, secretHash) =>
      writeKey(() => {
        const row = find(id)
        if (!row || row.revoked_at !== null) return false
        const hashes = withSecret(unpackKey(row).secretHashes, secretHash)
        db.run(SET_SECRETS, JSON.stringify(hashes), id)
        return true
      }),
    revokeKey: (id, at) => writeKey(() => db.run(REVOKE, at, id) > 0),
    touchKey: (id, at) => db.write(() => void db.run(TOUCH, at, id)),

    charge: ({ caller, policy, ...request }) =>
      db.write(() => {
        const old = db.get<Usage>(USAGE, caller, policy)
        const next = chargeWindow(old, { ...request, now: clock.now() })
        if (next.granted > 0) {
          const endsAt = next.startedAt + request.windowMs
          db.run(SET_USAGE, caller, policy, next.startedAt, endsAt, next.used)
        }
        return next
      }),
    refund: ({ caller, policy, startedAt, amount }) =>
      db.write(() => void db.run(REFUND, amount, caller, policy, startedAt)),
    usage: (caller, policy, windowMs) =>
      db.read(() => {
        const row = db.get<Usage>(USAGE, caller, policy)
        return row && isRunning(row.startedAt, windowMs, clock.now()) ? { ...row } : undefined
      }),
    async sweep() {
      const now = clock.now()
      while ((await db.write(() => db.run(SWEEP, now, ROWS_A_STEP))) === ROWS_A_STEP);
    },
  }
}

const ADD_KEY = `insert into keys (id, name, tier, created_at, secret_hashes) values (?, ?, ?, ?, ?)`
const KEYS = 'select * from keys order by created_at, id'
const SET_SECRETS = 'update keys set secret_hashes = ? where id = ?'
const REVOKE = 'update keys set revoked_at = coalesce(revoked_at, ?) where id = ?'
const TOUCH = 'update keys set last_used_at = max(coalesce(last_used_at, 0), ?) where id = ?'
const USAGE = 'select started_at as startedAt, used from usage where caller = ? and policy = ?'
const SET_USAGE = 'insert or replace into usage values (?, ?, ?, ?, ?)'
const REFUND = `update usage set used = max(0, used - ?) where caller = ? and policy = ? and started_at = ?`
const SWEEP = `delete from usage where (caller, policy) in
  (select caller, policy from usage where ends_at <= ? order by ends_at limit ?)`
