import { chmodSync, copyFileSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { DatabaseSync, backup } from 'node:sqlite'
import { newLogName } from '../event-rules.ts'
import { makeFolder } from '../file-system.ts'
import type { Database } from './database.ts'
import { truncateWal } from './eraser.ts'

interface BackupRequest {
  readonly db: Database
  readonly ledger: Database
  readonly folder: string
  readonly target: string
  readonly progress: ((done: number, total: number) => void) | undefined
}

/** Signs cursors and peppers the hashes of keys: without it no key would work with the copy. */
const SECRET_FILE = 'secret'
const PAGES_A_STEP = 500

/** The index is derived data and is not copied: the copy builds its own. */
export async function backupStore(request: BackupRequest): Promise<void> {
  const { db, ledger, folder, target, progress } = request
  makeFolder(target)
  if (readdirSync(target).length > 0) throw new Error(`${target} is not empty`)
  await copyDatabase(db, target, progress)
  // The ledger is copied last: its register has what was removed meanwhile, which is then erased when the copy is opened.
  await copyDatabase(ledger, target, undefined)
  // While the copy was reading, a removal could not truncate the WAL that holds what it erased.
  await truncateWal(db)
  renameLog(join(target, basename(db.path)))
  if (existsSync(join(folder, SECRET_FILE))) {
    copyFileSync(join(folder, SECRET_FILE), join(target, SECRET_FILE))
    chmodSync(join(target, SECRET_FILE), 0o600)
  }
}

/** A copy that is served diverges from the original: a position in the event log of one means nothing in the other. */
export function renameLog(path: string): void {
  using copy = new DatabaseSync(path)
  copy.prepare('update event_log set name = ?').run(newLogName())
}

async function copyDatabase(
  db: Database,
  target: string,
  progress: BackupRequest['progress'],
): Promise<void> {
  const path = join(target, basename(db.path))
  // An open read transaction pins the snapshot that is copied: otherwise each write of another process would restart the copy.
  const source = new DatabaseSync(db.path, { readOnly: true })
  try {
    source.exec('begin')
    source.prepare('select 1 from sqlite_schema').get()
    await backup(source, path, {
      rate: PAGES_A_STEP,
      progress: ({ totalPages, remainingPages }) =>
        progress?.(totalPages - remainingPages, totalPages),
    })
  } finally {
    source.close()
  }
  try {
    using copy = new DatabaseSync(path)
    const found = copy.prepare('pragma quick_check(1)').get()?.['quick_check']
    if (found !== 'ok') throw new Error(`the copy ${path} is damaged: ${String(found)}`)
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  }
}
