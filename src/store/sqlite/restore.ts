import { existsSync } from 'node:fs'
import { chmod, copyFile, mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { AppError } from '../../model/errors.ts'
import type { Restore } from '../file-store.ts'
import { StoreDamagedError } from '../store.ts'
import { isBusy } from './database.ts'
import { LEDGER_FILE, STORE_FILE, openSqliteStore, type SqliteOptions } from './sqlite-store.ts'

/** Of the same file system as the store, so that the copy can be renamed into its place. */
const DRAFT_FOLDER = 'restoring'
/** A command that is about to end may do so. */
const LOCK_MS = 2_000

/** Throws for a folder in use: what its log holds is missing in the file, and may be moving there just now. */
export function expectClosed(folder: string): void {
  if (!existsSync(join(folder, `${STORE_FILE}-wal`))) return
  throw unavailable(
    `${folder} is in use or was left by a crash; telegrep backup makes a copy of it`,
  )
}

export async function openSqliteRestore(
  options: SqliteOptions & { readonly from: string },
): Promise<Restore> {
  const { folder, from } = options
  const [source, target] = [join(from, STORE_FILE), join(folder, STORE_FILE)]
  expectClosed(from)
  await using owned = new AsyncDisposableStack()
  // Whoever opens a store opens its ledger first, and holds it: this one lock keeps all others out.
  owned.adopt(lockAlone(join(folder, LEDGER_FILE)), async (connection) => connection.close())
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
        // No database, or of a newer version: not to be restored either way.
        return [error instanceof StoreDamagedError ? error.damage : (error as Error).message]
      }
    },
    async swap() {
      await sync(draft)
      foldLog(target)
      // A log left by a crash would be replayed over the copy.
      for (const suffix of ['-wal', '-shm']) await rm(`${target}${suffix}`, { force: true })
      await rename(draft, target)
      await sync(folder)
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

/**
 * Brings what a crash left in a store's log into its file. The log is removed before the file is replaced: a crash between the two
 * must leave the old store with all it had.
 */
export function foldLog(path: string): void {
  if (!existsSync(`${path}-wal`)) return
  try {
    using old = new DatabaseSync(path)
    old.exec('pragma wal_checkpoint(truncate)')
  } catch {
    // One that cannot be opened is what a restore is for.
  }
}

/** A connection that shares the file with nobody; every other holds a lock on it as long as it is open. */
function lockAlone(path: string): DatabaseSync {
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

async function sync(path: string): Promise<void> {
  await using handle = await open(path, 'r')
  await handle.sync()
}
