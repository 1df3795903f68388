import { existsSync, mkdirSync, statSync } from 'node:fs'
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
