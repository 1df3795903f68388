import { dirname, resolve } from 'node:path'
import type { CommandCall } from './command.ts'

/**
 * The folder in which the caller is. `npm run` starts scripts in the package's folder and passes the caller's as INIT_CWD. A
 * program that such a script starts inherits the variable although it no longer applies, so INIT_CWD counts only in the
 * package's own folder.
 */
export function callerFolder(
  env: Readonly<Record<string, string | undefined>>,
  here: string,
): string {
  const { INIT_CWD: called, npm_package_json: manifest, npm_lifecycle_event: script } = env
  const isByNpm = script !== undefined && manifest !== undefined && dirname(manifest) === here
  return isByNpm && called !== undefined && called !== '' ? called : here
}

/** Resolves a file name relative to the caller's folder. */
export function fileOf({ folder }: Pick<CommandCall, 'folder'>, given: string): string {
  return resolve(folder, given)
}
