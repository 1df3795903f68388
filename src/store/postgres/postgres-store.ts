import { systemClock, type Clock } from '../../model/clock.ts'
import type { Retention, Store } from '../store.ts'
import { refuseUnfinished } from '../unfinished-copy.ts'
import type { PostgresAddress } from './address.ts'
import { createArchive } from './archive.ts'
import { createBudget } from './budget.ts'
import { createChanges } from './changes.ts'
import { emptyOrphans } from './consumers.ts'
import { createDeliveries } from './deliveries.ts'
import { openDatabase, type Database, type Now } from './database.ts'
import { createEdits } from './edits.ts'
import { eraseWaiting, eraseRemoved } from './eraser.ts'
import { createEventLog } from './events.ts'
import { createFrontier } from './frontier.ts'
import { createGroups } from './groups.ts'
import { createLedger } from './ledger.ts'
import { failure } from './connection.ts'
import { ensureSchema, schemaVersion } from './schema.ts'
import { createPictures } from './pictures.ts'
import { createRemovals } from './removals.ts'
import { createRoles } from './roles.ts'
import { foldSums } from './stats.ts'
import { explainError, READ_ONLY } from './postgres-errors.ts'
import { createWatches } from './watches.ts'
import { verifyStore } from './verify.ts'
import { createRun } from './write.ts'

export interface PostgresOptions extends PostgresAddress {
  readonly retention: Retention
  /** Dates what is written; leases, claims, quotas and the budget use the database's own clock. */
  readonly clock?: Clock | undefined
  /** Aborts the opening. */
  readonly signal?: AbortSignal | undefined
  /** Replaces the database's clock in tests. */
  readonly databaseNow?: (() => number) | undefined
  /** `telegrep` by default; tables that a restore never replaces are in `<schema>_ledger`. */
  readonly schema?: string | undefined
  readonly connections?: number | undefined
  readonly onStatement?: ((sql: string) => void) | undefined
  readonly mayBeUnfinished?: boolean
}

export const SCHEMA = 'telegrep'

export async function openPostgresStore(options: PostgresOptions): Promise<Store> {
  const { retention, clock = systemClock, signal } = options
  signal?.throwIfAborted()
  const db = openDatabase({ ...options, schema: options.schema ?? SCHEMA })
  const giveUp = () => db.destroy()
  signal?.addEventListener('abort', giveUp, { once: true })
  try {
    await ensureSchema(db)
    if (options.mayBeUnfinished !== true) {
      await refuseUnfinished(
        createRoles(db, () => null),
        locationOf(db, options),
      )
    }
    await eraseRemoved(db, clock.now())
  } catch (error) {
    await db.close()
    signal?.throwIfAborted()
    throw error
  } finally {
    signal?.removeEventListener('abort', giveUp)
  }
  eraseWaiting(db, retention).catch(() => {
    // The store was closed meanwhile, or the error also stops the next write and is reported there. The next start resumes.
  })
  return storeOn(db, options)
}

export function storeOn(db: Database, options: PostgresOptions): Store {
  const { retention, clock = systemClock } = options
  const now: Now = options.databaseNow ?? (() => null)
  return {
    archive: createArchive(db, retention, clock),
    changes: createChanges(db, now),
    edits: createEdits(db),
    groups: createGroups(db, now),
    events: createEventLog(db, now),
    frontier: createFrontier(db, retention, now),
    ledger: createLedger(db, now),
    budget: createBudget(db, now),
    removals: createRemovals(db, retention),
    roles: createRoles(db, now),
    watches: createWatches(db, now),
    deliveries: createDeliveries(db, now),
    pictures: createPictures(db),
    retention,
    run: createRun(db),
    async ping() {
      const told = await db.reserved.get<{ now: number; is_read_only: boolean }>(PING, now())
      // Every request is counted, which a read-only replica cannot do: none could be answered.
      if (told!.is_read_only) throw explainError(failure(READ_ONLY), db.place)
      return told!.now
    },
    async describe() {
      const engine = await db.get<{ version: string }>(VERSION)
      return {
        kind: 'postgres',
        version: engine!.version,
        schemaVersion: await schemaVersion(db, db),
        location: locationOf(db, options),
      }
    },
    verify: (progress) => verifyStore(db, clock.now(), progress),
    async tidy() {
      await foldSums(db, clock.now())
      await emptyOrphans(db)
    },
    [Symbol.asyncDispose]: () => db.close(),
  }
}

/** A mistyped schema name creates a new store, so the name is shown: two stores in one database must not look the same. */
function locationOf({ place }: Database, { schema }: PostgresOptions): string {
  return schema ? `${place}?schema=${schema}` : place
}

const PING = `select clock_ms($1) as now, current_setting('transaction_read_only')::boolean as is_read_only`
const VERSION = `select current_setting('server_version') as version`
