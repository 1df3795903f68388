import { systemClock, type Clock } from '../../model/clock.ts'
import type { Retention, Store } from '../store.ts'
import type { PostgresAddress } from './address.ts'
import { createArchive } from './archive.ts'
import { createBudget } from './budget.ts'
import { createChanges } from './changes.ts'
import { emptyOrphans } from './consumers.ts'
import { createDeliveries } from './deliveries.ts'
import { openDatabase, type Database } from './database.ts'
import { createEdits } from './edits.ts'
import { eraseWaiting, holdAgainstRegister } from './eraser.ts'
import { createEventLog } from './events.ts'
import { createFrontier } from './frontier.ts'
import { createGroups } from './groups.ts'
import { createLedger } from './ledger.ts'
import { failure } from './link.ts'
import { createLivePages } from './live-pages.ts'
import { migrate, schemaVersion } from './migrate.ts'
import type { Now } from './now.ts'
import { createPictures } from './pictures.ts'
import { createRemovals } from './removals.ts'
import { createRoles } from './roles.ts'
import { foldSums } from './stats.ts'
import { explained, READ_ONLY } from './trouble.ts'
import { createWatches } from './watches.ts'
import { verifyStore } from './verify.ts'
import { createRun } from './write.ts'

export interface PostgresOptions extends PostgresAddress {
  readonly retention: Retention
  /** Dates what is written; leases, claims, quotas and the budget go by the database's own clock. */
  readonly clock?: Clock | undefined
  /** Ends the opening. */
  readonly signal?: AbortSignal | undefined
  /** In place of the database's clock; for tests. */
  readonly databaseNow?: (() => number) | undefined
  /** `telegrep` when absent; what a restore never replaces is in `<schema>_ledger`. */
  readonly schema?: string | undefined
  readonly connections?: number | undefined
  readonly onStatement?: ((sql: string) => void) | undefined
}

export const SCHEMA = 'telegrep'

export async function openPostgresStore(options: PostgresOptions): Promise<Store> {
  const { retention, clock = systemClock, signal } = options
  signal?.throwIfAborted()
  const db = openDatabase({ ...options, schema: options.schema ?? SCHEMA })
  const giveUp = () => db.cut()
  signal?.addEventListener('abort', giveUp, { once: true })
  try {
    await migrate(db)
    await holdAgainstRegister(db, clock.now())
  } catch (error) {
    await db.close()
    signal?.throwIfAborted()
    throw error
  } finally {
    signal?.removeEventListener('abort', giveUp)
  }
  eraseWaiting(db, retention).catch(() => {
    // Closed meanwhile, or what stopped it stops the next write too and is told there; the next start takes it up.
  })
  return storeOn(db, options)
}

/** The store as it stands now, whatever others write meanwhile: for reading alone. Its schema is brought to the newest first. */
export async function openPostgresSnapshot(options: PostgresOptions): Promise<Store> {
  await using _ = await openPostgresStore(options)
  const schema = options.schema ?? SCHEMA
  return storeOn(openDatabase({ ...options, schema, isSnapshot: true }), options)
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
    livePages: createLivePages(db, now),
    watches: createWatches(db, now),
    deliveries: createDeliveries(db, now),
    pictures: createPictures(db),
    retention,
    run: createRun(db),
    async ping() {
      const told = await db.pulse.get<{ now: number; is_read_only: boolean }>(PING, now())
      // Whoever asks is counted, which a replica cannot take down: nothing would be answered.
      if (told!.is_read_only) throw explained(failure(READ_ONLY), db.place)
      return told!.now
    },
    async describe() {
      const engine = await db.get<{ version: string }>(VERSION)
      return {
        kind: 'postgres',
        version: engine!.version,
        schemaVersion: await schemaVersion(db, db),
        // One that is named may be mistyped, and is then made anew: two of them in one database must not look alike.
        location: options.schema ? `${db.place}?schema=${options.schema}` : db.place,
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

const PING = `select clock_ms($1) as now, current_setting('transaction_read_only')::boolean as is_read_only`
const VERSION = `select current_setting('server_version') as version`
