import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { OperatorError } from '../operator-error.ts'
import { NotFoundError, type CommandCall } from './command.ts'

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

/** The bytes of a file that the caller names. */
export async function readGiven(call: CommandCall, given: string): Promise<Buffer> {
  return readFile(fileOf(call, given)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new NotFoundError(`there is no file ${given}`)
    throw new OperatorError(`${given} cannot be read: ${error.message}`, { cause: error })
  })
}
