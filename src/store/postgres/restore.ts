import { AppError } from '../../model/errors.ts'
import { openDatabase, sessionName, sessionPrefix, type Queries } from './database.ts'
import { schemaVersion } from './schema.ts'
import { openPostgresStore, SCHEMA, type PostgresOptions } from './postgres-store.ts'
import { COPIER } from '../roles.ts'
import type { Store } from '../store.ts'

/** A second archive next to the existing one, to be filled and then to replace it. */
export interface Replacement extends AsyncDisposable {
  readonly store: Store
  /**
   * Replaces the old archive, which is gone then. Keys, quotas and opt-outs stay: what was removed since the backup is erased
   * when the store is next opened. Rejects, with nothing changed, if another process has opened the store meanwhile.
   */
  swap(): Promise<void>
}

/** Rejects while another process has the store open. A replacement left unfinished earlier is dropped. */
export async function openPostgresReplacement(options: PostgresOptions): Promise<Replacement> {
  const schema = options.schema ?? SCHEMA
  const draft = `${schema}_restoring`
  const clear = `drop schema if exists "${draft}" cascade; drop schema if exists "${draft}_ledger" cascade`
  const alter = async (script: string, mustBeAlone = true, mustFit = false) => {
    const db = openDatabase({ ...options, schema, connections: 1 })
    try {
      await db.longTransaction(async (tx) => {
        if (mustBeAlone) await expectAlone(tx, schema, db.place)
        if (mustFit) await expectSameSchema(tx, schema, draft)
        await tx.script(`set local statement_timeout = 0; ${script}`)
      })
    } finally {
      await db.close()
    }
  }
  await alter(clear)
  const store = await openPostgresStore({ ...options, schema: draft })
  let isOpen = true
  const close = async () => {
    if (isOpen) await store[Symbol.asyncDispose]()
    isOpen = false
  }
  return {
    store,
    async swap() {
      await close()
      // In one transaction: a process that opens the store finds either archive complete.
      const swapped = `drop schema if exists "${schema}" cascade; alter schema "${draft}" rename to "${schema}"; ${whole(schema)}`
      await alter(swapped, true, true)
    },
    async [Symbol.asyncDispose]() {
      await close()
      await alter(clear, false)
    },
  }
}

/** Whatever another process writes meanwhile would be lost silently. */
async function expectAlone(db: Queries, schema: string, place: string): Promise<void> {
  const others = await db.all<{ name: string }>(OTHERS, sessionPrefix(schema), sessionName(schema))
  if (others.length === 0) return
  const who = others.map(({ name }) => name.slice(sessionPrefix(schema).length)).join(', ')
  throw new AppError(
    'unavailable',
    `a process is running on ${place} (${who}): stop all of them first; nothing was changed`,
  )
}

/** The ledger stays, and must match the schema version of the draft. The old archive's version is that of the ledger. */
async function expectSameSchema(db: Queries, schema: string, draft: string): Promise<void> {
  const present = await schemaVersion(db, { schema })
  const made = await schemaVersion(db, { schema: draft })
  // 0 means that the archive was dropped by hand.
  if (present === made || present === 0) return
  throw new AppError(
    'unavailable',
    `the archive that is there has schema ${present}, the one to take its place ${made}: use the newer version of telegrep for all of it; nothing was changed`,
  )
}

/** What was an unfinished copy has been replaced by a whole archive. */
const whole = (schema: string) => `delete from "${schema}_ledger".roles where name = '${COPIER}'`

const OTHERS = `select distinct application_name as name from pg_stat_activity
  where datname = current_database() and starts_with(application_name, $1) and application_name <> $2`
