import { existsSync } from 'node:fs'
import { chmod, copyFile, mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { AppError } from '../../model/errors.ts'
import type { Restore } from '../file-store.ts'
import { sync } from '../file-system.ts'
import { StoreDamagedError } from '../store.ts'
import { renameLog } from './backup.ts'
import { isBusy } from './database.ts'
import { LEDGER_FILE, STORE_FILE, openSqliteStore, type SqliteOptions } from './sqlite-store.ts'

/** Inside the store's folder, and so on the same file system: the copy can be renamed into place. */
const DRAFT_FOLDER = 'restoring'
/** Gives a command that is about to end the time to do so. */
const LOCK_MS = 2_000

/** Throws if the folder is in use: its file lacks what is still in the WAL, or is being written by a checkpoint. */
function expectClosed(folder: string): void {
  if (!existsSync(join(folder, `${STORE_FILE}-wal`))) return
  throw unavailable(
    `${folder} is in use or was left by a crash; telegrep backup makes a copy of it`,
  )
}

/** Prepares to replace a folder's store by the backup `from`. Rejects while any process has that store open. */
export async function openSqliteRestore(
  options: SqliteOptions & { readonly from: string },
): Promise<Restore> {
  const { folder, from } = options
  const [source, target] = [join(from, STORE_FILE), join(folder, STORE_FILE)]
  expectClosed(from)
  await using owned = new AsyncDisposableStack()
  // Every process that opens a store first opens its ledger and keeps it open: this one lock keeps all others out.
  owned.adopt(lockFile(join(folder, LEDGER_FILE)), async (connection) => connection.close())
  const draftFolder = join(folder, DRAFT_FOLDER)
  const draft = join(draftFolder, STORE_FILE)
  const clear = () => rm(draftFolder, { recursive: true, force: true })
  owned.defer(clear)
  await clear()
  await mkdir(draftFolder, { mode: 0o700 })
  await copyFile(source, draft)
  await chmod(draft, 0o600)
  const all = owned.move()

  return {
    async verify(progress) {
      try {
        await using store = await openSqliteStore({ ...options, folder: draftFolder })
        return await store.verify(progress)
      } catch (error) {
        // It is no database, or one of another version: either way it cannot be restored.
        const { message } = error as Error
        return [
          error instanceof StoreDamagedError ? error.damage : message.replaceAll(draftFolder, from),
        ]
      }
    },
    async swap() {
      // The same backup may have been restored before, and served since.
      renameLog(draft)
      await sync(draft)
      checkpointWal(target)
      // A WAL left by a crash would be replayed over the copy.
      for (const suffix of ['-wal', '-shm']) await rm(`${target}${suffix}`, { force: true })
      await rename(draft, target)
      await sync(folder)
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

/**
 * Writes what a crash left in a store's WAL into its file. The WAL is removed before the file is replaced, and a crash between
 * the two must leave the old store complete.
 */
export function checkpointWal(path: string): void {
  if (!existsSync(`${path}-wal`)) return
  try {
    using old = new DatabaseSync(path)
    old.exec('pragma wal_checkpoint(truncate)')
  } catch {
    // A store that cannot be opened is what a restore is for.
  }
}

/** A connection with an exclusive lock on the file. Every other connection holds a lock as long as it is open. */
function lockFile(path: string): DatabaseSync {
  const connection = new DatabaseSync(path, { timeout: LOCK_MS })
  try {
    connection.exec('pragma locking_mode = exclusive; begin exclusive')
    return connection
  } catch (error) {
    connection.close()
    const why = isBusy(error)
      ? 'the store is in use: stop every server and command on it first'
      : `${path} cannot be locked: ${(error as Error).message}`
    throw unavailable(why, error)
  }
}

function unavailable(why: string, cause?: unknown): AppError {
  return new AppError('unavailable', why, { cause })
}
