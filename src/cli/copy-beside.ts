import { cp, mkdtemp, rm } from 'node:fs/promises'

/** A copy of a folder on the same file system; deleted when it is disposed of. */
export async function copyBeside(
  folder: string,
): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(`${folder}.restoring-`)
  const dispose = () => rm(path, { recursive: true, force: true })
  try {
    await cp(folder, path, { recursive: true })
  } catch (error) {
    await dispose()
    throw error
  }
  return { path, [Symbol.asyncDispose]: dispose }
}
