import { unpackKey, type KeyRow } from '../key-codec.ts'
import { withSecret, type Ledger, type Usage } from '../ledger.ts'
import { chargeWindow, isRunning } from '../usage-rules.ts'
import type { Database, Now } from './database.ts'

/** At the end of a day the windows of all its callers expire at once. */
const SWEPT_AT_ONCE = 5_000

export function createLedger(db: Database, now: Now): Ledger {
  return {
    async addKey({ id, name, tier, createdAt, secretHash }) {
      await db.run(ADD_KEY, id, name, tier, createdAt, JSON.stringify([secretHash]))
    },
    async key(id) {
      const row = await db.get<KeyRow>(`select ${KEY} from keys where id = $1`, id)
      return row && unpackKey(row)
    },
    async keys() {
      return (await db.all<KeyRow>(`select ${KEY} from keys order by created_at, id`)).map(
        unpackKey,
      )
    },
    addSecret: (id, secretHash) =>
      db.transaction(async (tx) => {
        const row = await tx.get<KeyRow>(`select ${KEY} from keys where id = $1 for update`, id)
        if (!row || row.revoked_at !== null) return false
        const hashes = withSecret(unpackKey(row).secretHashes, secretHash)
        await tx.run('update keys set secret_hashes = $1 where id = $2', JSON.stringify(hashes), id)
        return true
      }),
    async revokeKey(id, at) {
      return (await db.run(REVOKE, at, id)) > 0
    },
    async touchKey(id, at) {
      await db.run(TOUCH, at, id)
    },

    charge: ({ caller, policy, ...request }) =>
      db.transaction(async (tx) => {
        const [, row] = await Promise.all([
          tx.run(LOCK_USAGE, JSON.stringify([caller, policy])),
          tx.get<UsageRow>(USAGE, caller, policy, now()),
        ])
        const next = chargeWindow(usageOf(row!), { ...request, now: row!.now })
        if (next.granted > 0) {
          const endsAt = next.startedAt + request.windowMs
          await tx.run(SET_USAGE, caller, policy, next.startedAt, endsAt, next.used)
        }
        return next
      }),
    async refund({ caller, policy, startedAt, amount }) {
      await db.run(REFUND, amount, caller, policy, startedAt)
    },
    async usage(caller, policy, windowMs) {
      const row = (await db.get<UsageRow>(USAGE, caller, policy, now()))!
      const usage = usageOf(row)
      return usage && isRunning(usage.startedAt, windowMs, row.now) ? usage : undefined
    },
    async sweep() {
      while ((await db.run(SWEEP, now(), SWEPT_AT_ONCE)) === SWEPT_AT_ONCE);
    },
  }
}

interface UsageRow {
  readonly now: number
  /** Both are null when nothing was used. */
  readonly started_at: number | null
  readonly used: number | null
}

function usageOf({ started_at: startedAt, used }: UsageRow): Usage | undefined {
  return startedAt === null || used === null ? undefined : { startedAt, used }
}

const KEY = 'id, name, tier, created_at, revoked_at, last_used_at, secret_hashes'
const ADD_KEY = `insert into keys (id, name, tier, created_at, secret_hashes) values ($1, $2, $3, $4, $5)`
const REVOKE = 'update keys set revoked_at = coalesce(revoked_at, $1) where id = $2'
const TOUCH = 'update keys set last_used_at = greatest(coalesce(last_used_at, 0), $1) where id = $2'
// An advisory lock, since a row that does not exist yet cannot be locked.
const LOCK_USAGE = `select pg_advisory_xact_lock(hashtextextended(current_schema() || ' usage ' || $1, 0))`
const USAGE = `select t.now, u.started_at, u.used from (select clock_ms($3) as now) t
  left join usage u on u.caller = $1 and u.policy = $2`
const SET_USAGE = `insert into usage (caller, policy, started_at, ends_at, used) values ($1, $2, $3, $4, $5)
  on conflict (caller, policy) do update
  set started_at = excluded.started_at, ends_at = excluded.ends_at, used = excluded.used`
const SWEEP = `delete from usage where ctid = any(array(
  select ctid from usage where ends_at <= clock_ms($1) order by ends_at limit $2 for update))`
const REFUND = `update usage set used = greatest(0, used - $1)
  where caller = $2 and policy = $3 and started_at = $4`
