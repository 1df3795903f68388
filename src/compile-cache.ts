import { lstatSync, mkdirSync } from 'node:fs'
// A namespace import: a Node that lacks `enableCompileCache` could not load this file by name, and would only report that.
import * as nodeModule from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Services that are started together have separate folders. Otherwise, when stopped together, they would write the same
 * thousand files, which takes a slow disk a minute.
 */
const SERVICES = ['serve', 'crawl', 'index']

/**
 * Keeps compiled code between starts, which halves their time. The cached code is run unchecked, so the folder must not be
 * writable by anybody else: in a folder that another user made, nothing is kept.
 */
export function enableCompileCache(command: string | undefined): void {
  // Not `userInfo`, which fails for a user without a name, as in containers.
  const uid = process.getuid?.()
  const folder = join(tmpdir(), `telegrep-compiled-${uid ?? ''}`)
  if (!isOwn(folder, uid)) return
  const isService = command !== undefined && SERVICES.includes(command)
  nodeModule.enableCompileCache(isService ? join(folder, command) : folder)
}

function isOwn(folder: string, uid: number | undefined): boolean {
  try {
    mkdirSync(folder, { mode: 0o700, recursive: true })
    const found = lstatSync(folder)
    // Windows has no such owners, but a separate temporary folder for each user.
    if (uid === undefined) return true
    return found.isDirectory() && found.uid === uid && (found.mode & 0o022) === 0
  } catch {
    return false
  }
}
