import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder for its owner alone, and those above it that are not there. One by one: where none can be made, as below
 * /proc, Node's own way tries without end, and on a read-only disk it says that something is missing.
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
