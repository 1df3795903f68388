import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { StoreDamagedError, StoreGoneError } from '../store.ts'
import type { Database } from './database.ts'

/** Written as `application_id` into the ledger's file header once the store beside it has held posts. */
const HELD_POSTS = 0x74677270

/** Otherwise a missing or empty file would be taken for a new store, and the loss of the archive would go unnoticed. */
export function refuseLostStore(path: string, ledger: Database): void {
  const size = sizeOf(path)
  if (size > 0 || markOf(ledger) !== HELD_POSTS) return
  throw new StoreDamagedError(
    `${path} is ${size < 0 ? 'missing' : 'empty'}, and it held posts before`,
    { instead: `, or to begin anew move ${ledger.path} away as well` },
  )
}

/** Whether a ledger that nobody has to have open remembers posts. One that cannot be read may. */
export function hasHeldPosts(path: string): boolean {
  if (sizeOf(path) <= 0) return false
  try {
    using ledger = new DatabaseSync(path, { readOnly: true })
    return ledger.prepare('pragma application_id').get()?.['application_id'] === HELD_POSTS
  } catch {
    return true
  }
}

/** The ledger is created before the store, so beside a store it is never empty; missing, it means that a new one is wanted. */
export function refuseLostLedger(path: string, store: string): void {
  if (sizeOf(path) !== 0 || sizeOf(store) <= 0) return
  throw new StoreDamagedError(`${path} is empty, and it held keys before`, {
    instead: ', or delete it and make keys anew',
  })
}

export async function rememberStore(db: Database, ledger: Database): Promise<void> {
  if (markOf(ledger) === HELD_POSTS || !db.get('select 1 from posts limit 1')) return
  await ledger.write(() => ledger.connection.exec(`pragma application_id = ${HELD_POSTS}`))
}

/** Returns a check that throws once an opened file is no longer the one at its path, by its inode as in SQLite itself. */
export function watchFiles(paths: readonly string[]): () => void {
  const inodeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.ino
  const opened = paths.map((path) => ({ path, inode: inodeOf(path) }))
  return () => {
    for (const { path, inode } of opened) {
      if (inodeOf(path) !== inode) throw new StoreGoneError(path)
    }
  }
}

function markOf(ledger: Database): number | undefined {
  return ledger.get<{ application_id: number }>('pragma application_id')?.application_id
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? -1
}
