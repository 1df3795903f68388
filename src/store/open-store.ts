import { closeSync, existsSync, openSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../model/clock.ts'
import { hasHeldPosts } from './sqlite/lost-store.ts'
import { LEDGER_FILE, STORE_FILE, openSqliteStore } from './sqlite/sqlite-store.ts'
import type { StoreLocation } from './store-location.ts'
import type { Retention, Store } from './store.ts'

export { openSqliteRestore as openRestore } from './sqlite/restore.ts'

export type StoreOptions = StoreLocation & {
  readonly retention: Retention
  readonly clock?: Clock
  /** Aborts the opening, so that nobody has to wait for a server that does not answer. */
  readonly signal?: AbortSignal | undefined
  /** Opens also a copy that is not finished; otherwise opening it rejects with `UnfinishedCopyError`. */
  readonly mayBeUnfinished?: boolean
}

/** Opens a store, creates it if it does not exist, and repairs what a crash left. The only place that names adapters. */
export async function openStore(options: StoreOptions): Promise<Store> {
  switch (options.kind) {
    case 'sqlite':
      return openSqliteStore(options)
    case 'postgres': {
      // Imported on demand, so that a service on SQLite does not load the PostgreSQL adapter.
      const { openPostgresStore } = await import('./postgres/postgres-store.ts')
      return openPostgresStore(options)
    }
  }
}

/**
 * Whether a store exists, for commands that must not create one. Always true for a server, and for a folder that this user
 * may not enter: opening it tells.
 */
export function holdsStore(location: StoreLocation): boolean {
  if (location.kind !== 'sqlite') return true
  try {
    // A process that fails to create a store, for lack of disk space, leaves an empty file behind.
    const file = statSync(join(location.folder, STORE_FILE), { throwIfNoEntry: false })
    return file !== undefined && file.size > 0
  } catch {
    return true
  }
}

/**
 * Whether this user may read a store's files; always true for a server. Not for a store that is open here: closing its files
 * ends SQLite's locks.
 */
export function mayRead(location: StoreLocation): boolean {
  if (location.kind !== 'sqlite') return true
  return [STORE_FILE, LEDGER_FILE].every((name) => {
    try {
      closeSync(openSync(join(location.folder, name), 'r'))
      return true
    } catch (error) {
      return !['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')
    }
  })
}

/** Whether a folder had a store with posts, which is gone: opening it tells. */
export function hasLostStore(location: StoreLocation): boolean {
  return location.kind === 'sqlite' && hasHeldPosts(join(location.folder, LEDGER_FILE))
}

/** Whether a folder has a ledger, which survives a store that is lost or damaged. */
export function holdsLedger(folder: string): boolean {
  return existsSync(join(folder, LEDGER_FILE))
}
