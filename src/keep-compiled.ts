import { lstatSync, mkdirSync } from 'node:fs'
// Not by its name: a Node that lacks it could not load this file, and say nothing better.
import * as nodeModule from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Services that are started together keep it apart: ended together, they would write the same thousand files, and that
 * takes a slow disk a minute.
 */
const SERVICES = ['serve', 'crawl', 'index']

/**
 * Keeps compiled code between starts, which then take half the time. What is found there is run as it is, so it must be a
 * folder that nobody else can write to: in one that another user made, nothing is kept. Returns the folder.
 */
export function keepCompiled(command: string | undefined): string | undefined {
  // Not by `userInfo`, which fails for a user without a name, as containers have.
  const uid = process.getuid?.()
  const folder = join(tmpdir(), `telegrep-compiled-${uid ?? ''}`)
  if (!isOwn(folder, uid)) return undefined
  const isService = command !== undefined && SERVICES.includes(command)
  const kept = isService ? join(folder, command) : folder
  nodeModule.enableCompileCache(kept)
  return kept
}

function isOwn(folder: string, uid: number | undefined): boolean {
  try {
    mkdirSync(folder, { mode: 0o700, recursive: true })
    const found = lstatSync(folder)
    // Windows has no such owners, and a folder for temporary files for each user.
    if (uid === undefined) return true
    return found.isDirectory() && found.uid === uid && (found.mode & 0o022) === 0
  } catch {
    return false
  }
}
