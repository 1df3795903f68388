import { dirname, resolve } from 'node:path'
import type { CommandCall } from './command.ts'

/**
 * Where the caller stands. `npm run` starts scripts in the package's folder and tells in INIT_CWD where it was called; a
 * program that such a script started inherits the word without its meaning, so both must fit.
 */
export function callerFolder(
  env: Readonly<Record<string, string | undefined>>,
  here: string,
): string {
  const { INIT_CWD: called, npm_package_json: manifest, npm_lifecycle_event: script } = env
  const isByNpm = script !== undefined && manifest !== undefined && dirname(manifest) === here
  return isByNpm && called !== undefined && called !== '' ? called : here
}

/** A file as the caller means it. */
export function fileOf({ folder }: Pick<CommandCall, 'folder'>, given: string): string {
  return resolve(folder, given)
}
