import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isAlive } from '../model/process-alive.ts'

/** A copy of a folder on the same file system; deleted when it is disposed of, or after a kill when the next one is made. */
export async function copyBeside(
  folder: string,
): Promise<AsyncDisposable & { readonly path: string }> {
  await removeLeft(folder)
  const path = await mkdtemp(`${folder}.restoring-${process.pid}-`)
  const dispose = () => rm(path, { recursive: true, force: true })
  try {
    await cp(folder, path, { recursive: true })
  } catch (error) {
    await dispose()
    throw error
  }
  return { path, [Symbol.asyncDispose]: dispose }
}

async function removeLeft(folder: string): Promise<void> {
  const prefix = `${basename(folder)}.restoring-`
  for (const name of await readdir(dirname(folder))) {
    const pid = name.startsWith(prefix) && /^(\d+)-\w{6}$/.exec(name.slice(prefix.length))?.[1]
    if (pid && !isAlive(Number(pid)))
      await rm(join(dirname(folder), name), { recursive: true, force: true })
  }
}
