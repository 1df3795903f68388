import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock, type Clock } from '../../model/clock.ts'
import type { FileStore } from '../file-store.ts'
import { makeFolder } from '../file-system.ts'
import type { Retention, Store } from '../store.ts'
import { refuseUnfinished } from '../unfinished-copy.ts'
import { createArchive } from './archive.ts'
import { backupStore } from './backup.ts'
import { createBudget } from './budget.ts'
import { createChanges } from './changes.ts'
import { createDeliveries } from './deliveries.ts'
import { openDatabase, type DatabaseOptions } from './database.ts'
import { eraseWaiting, eraseRemoved } from './eraser.ts'
import { createEventLog } from './events.ts'
import { createEdits } from './edits.ts'
import { createFrontier } from './frontier.ts'
import { createGroups } from './groups.ts'
import { LEDGER_LOG_PAGES, reserveLedgerSpace } from './ledger-space.ts'
import { createLedger } from './ledger.ts'
import { refuseLostLedger, refuseLostStore, rememberStore, watchFiles } from './lost-store.ts'
import { readSchema, schemaVersion } from './schema.ts'
import { createPictures } from './pictures.ts'
import { reconcileRegister } from './register-copy.ts'
import { createRemovals } from './removals.ts'
import { createRoles } from './roles.ts'
import { verifyStore } from './verify.ts'
import { createWatches } from './watches.ts'
import { createRun } from './write.ts'

export interface SqliteOptions {
  readonly folder: string
  readonly retention: Retention
  readonly clock?: Clock
  readonly mayBeUnfinished?: boolean
}

export const STORE_FILE = 'store.db'
/** Keys and quotas are in a file of their own, so that a crawler's transaction never delays a request. */
export const LEDGER_FILE = 'ledger.db'

export async function openSqliteStore(
  options: SqliteOptions,
): Promise<Store & { readonly files: FileStore }> {
  const { folder, retention, clock = systemClock } = options
  makeFolder(folder)
  refuseLostLedger(join(folder, LEDGER_FILE), join(folder, STORE_FILE))
  using opening = new DisposableStack()
  const open = async (file: DatabaseOptions) =>
    opening.adopt(await openDatabase(file), (database) => database.close())
  // A power cut may lose the last moments of counted usage, but never a key: see createLedger.
  // Opened first: a restore locks the ledger, and nobody else may have the store's old file open then.
  const ledger = await open({
    path: join(folder, LEDGER_FILE),
    synchronous: 'normal',
    schema: readSchema('ledger'),
    cacheKib: 4_096,
    logPages: LEDGER_LOG_PAGES,
  })
  refuseLostStore(join(folder, STORE_FILE), ledger)
  const db = await open({
    path: join(folder, STORE_FILE),
    synchronous: 'full',
    schema: readSchema('store'),
    // Each thread that opens the store has its own cache; with 32 MB neither writes nor pages were faster.
    cacheKib: 8_192,
  })
  const roles = createRoles(db, clock)
  if (options.mayBeUnfinished !== true) await refuseUnfinished(roles, folder)
  await reserveLedgerSpace(ledger)
  await rememberStore(db, ledger)
  await reconcileRegister(db, ledger, clock.now())
  await eraseRemoved(db, clock.now())
  eraseWaiting(db, retention).catch(() => {
    // The store was closed meanwhile, or the error also stops the next write and is reported there. The next start resumes.
  })
  const files = opening.move()
  const checkPlace = watchFiles([db.path, ledger.path])

  return {
    archive: createArchive(db, retention, clock),
    changes: createChanges(db, clock),
    edits: createEdits(db),
    groups: createGroups(db, clock),
    events: createEventLog(db, clock),
    frontier: createFrontier(db, retention, clock),
    ledger: createLedger(ledger, clock),
    budget: createBudget(ledger, clock),
    removals: createRemovals(db, ledger, { retention, clock }),
    roles,
    watches: createWatches(db, clock),
    deliveries: createDeliveries(db, clock),
    pictures: createPictures(db),
    retention,
    run: createRun(db),
    ping: () =>
      db.read(() => {
        checkPlace()
        db.get('select 1')
        return clock.now()
      }),
    async describe() {
      return {
        kind: 'sqlite',
        version: process.versions['sqlite'] ?? '',
        schemaVersion: schemaVersion(db.connection),
        location: folder,
      }
    },
    verify: (progress) => verifyStore(db, ledger, progress),
    files: {
      folder,
      bytes: async () => sizeOf(db.path) + sizeOf(ledger.path),
      backup: (target, progress) => backupStore({ db, ledger, folder, target, progress }),
    },
    async [Symbol.asyncDispose]() {
      // An error in writing this mark must not keep the files from being closed.
      await rememberStore(db, ledger).catch(() => {})
      files.dispose()
    },
  }
}

function sizeOf(path: string): number {
  const files = [path, `${path}-wal`]
  return files.reduce((sum, file) => sum + (existsSync(file) ? statSync(file).size : 0), 0)
}
