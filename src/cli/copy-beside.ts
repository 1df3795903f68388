import { createHash } from 'node:crypto'
import { cp, mkdtemp, readdir, realpath, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isAlive, processPlace } from '../model/processes.ts'

/** No copy is in use for this long. */
const FORGOTTEN_MS = 7 * 86_400_000

/** A copy of a folder on the same file system; deleted when it is disposed of, or after a kill when a later one is made. */
export async function copyBeside(
  folder: string,
): Promise<AsyncDisposable & { readonly path: string }> {
  // A link, such as `latest`, may lead to another file system, and cannot be copied into a folder.
  const source = await realpath(folder)
  await removeLeft(source)
  const path = await mkdtemp(`${source}.restoring-${place()}-${process.pid}-`)
  const dispose = () => rm(path, { recursive: true, force: true })
  try {
    await cp(source, path, { recursive: true })
  } catch (error) {
    await dispose()
    throw error
  }
  return { path, [Symbol.asyncDispose]: dispose }
}

async function removeLeft(folder: string): Promise<void> {
  const prefix = `${basename(folder)}.restoring-`
  const names = await readdir(dirname(folder)).catch(() => [])
  for (const name of names.filter((each) => each.startsWith(prefix))) {
    const path = join(dirname(folder), name)
    try {
      if (await isLeft(path, name.slice(prefix.length)))
        await rm(path, { recursive: true, force: true })
    } catch {
      // Another user's, perhaps. It only takes up space.
    }
  }
}

/** Whether a process here, or long ago elsewhere, made a copy and was killed. This process makes only one. */
async function isLeft(path: string, suffix: string): Promise<boolean> {
  const [, where, pid] = /^([\da-f]{12})-(\d+)-\w{6}$/.exec(suffix) ?? []
  if (pid === undefined) return false
  if (where !== place()) return Date.now() - (await stat(path)).mtimeMs > FORGOTTEN_MS
  return Number(pid) === process.pid || !isAlive(Number(pid))
}

/** For the name of a folder. */
function place(): string {
  return createHash('sha256').update(processPlace()).digest('hex').slice(0, 12)
}
