import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../model/clock.ts'
import { openSqliteRestore } from './sqlite/restore.ts'
import { LEDGER_FILE, STORE_FILE, openSqliteStore } from './sqlite/sqlite-store.ts'
import type { Restore } from './file-store.ts'
import type { Replacement } from './postgres/restore.ts'
import type { StoreLocation } from './store-location.ts'
import type { Retention, Store } from './store.ts'

export { expectClosed } from './sqlite/restore.ts'

export type StoreOptions = StoreLocation & {
  readonly retention: Retention
  readonly clock?: Clock
  /** Who opens it no longer wants it: a server that does not answer is not waited for. */
  readonly signal?: AbortSignal | undefined
}

/** Opens a store, makes it where there is none, and repairs what a crash left. The only place that names adapters. */
export async function openStore(options: StoreOptions): Promise<Store> {
  switch (options.kind) {
    case 'sqlite':
      return openSqliteStore(options)
    case 'postgres': {
      // Who keeps the archive in files loads nothing of it.
      const { openPostgresStore } = await import('./postgres/postgres-store.ts')
      return openPostgresStore(options)
    }
  }
}

/** Whether there is a store already, for those who must not make one; of a server one is told when it is opened. */
export function holdsStore(location: StoreLocation): boolean {
  if (location.kind !== 'sqlite') return true
  // Whoever makes one and fails, for want of room, leaves an empty file behind.
  const file = statSync(join(location.folder, STORE_FILE), { throwIfNoEntry: false })
  return file !== undefined && file.size > 0
}

/** Whether a folder has a ledger, which outlives a store that is lost or damaged. */
export function holdsLedger(folder: string): boolean {
  return existsSync(join(folder, LEDGER_FILE))
}

/** A store on a server as it stands now, whatever others write meanwhile; for reading alone. */
export async function openSnapshot(options: StoreOptions): Promise<Store> {
  if (options.kind !== 'postgres') throw new Error('files are copied, not read at one moment')
  const { openPostgresSnapshot } = await import('./postgres/postgres-store.ts')
  return openPostgresSnapshot(options)
}

/** An archive on a server, to be filled and put in the place of the one that is there; no other process may have that open. */
export async function openReplacement(options: StoreOptions): Promise<Replacement> {
  if (options.kind !== 'postgres') throw new Error('files are replaced by openRestore')
  const { openPostgresReplacement } = await import('./postgres/restore.ts')
  return openPostgresReplacement(options)
}

/** Prepares to put the backup `from` in the place of a folder's store. Rejects while any process has that open. */
export function openRestore(options: {
  readonly folder: string
  readonly from: string
  readonly retention: Retention
}): Promise<Restore> {
  return openSqliteRestore(options)
}
