import { existsSync, mkdirSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes a folder that only its owner may enter, and its missing parents, one by one. Node's recursive `mkdir` loops for
 * ever where no folder can be made, as below /proc, and on a read-only disk it misreports that a folder is missing.
 */
export function makeFolder(folder: string): void {
  if (!existsSync(dirname(folder))) makeFolder(dirname(folder))
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST'
    if (!isThere || !statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}

/** Makes a file durable, or the names in a folder: a new or renamed file is durable only once its folder is synced. */
export async function sync(path: string): Promise<void> {
  await using handle = await open(path, 'r')
  await handle.sync()
}

/** What is read of a path; undefined when there is nothing. */
export async function ifThere<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
