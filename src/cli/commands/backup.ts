import { readdir, rename, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { systemClock } from '../../model/clock.ts'
import { OperatorError } from '../../operator-error.ts'
import { openSnapshot, openStore } from '../../store/open-store.ts'
import { isStoreRemote, locateStore } from '../../store/store-location.ts'
import { fileOf } from '../caller-folder.ts'
import { copyStore, verifyStore } from '../copy-store.ts'
import type { CommandCall } from '../command.ts'
import { filesOf, openLocalStore } from '../local.ts'
import { createProgress } from '../progress.ts'

export async function backup(call: CommandCall): Promise<void> {
  const folder = fileOf(call, call.operands[0] ?? '')
  await expectEmpty(folder)
  const draft = join(folder, DRAFT_FOLDER)
  await rm(draft, { recursive: true, force: true })
  const isRemote = isStoreRemote(call.config.store)
  const counts = await (isRemote ? copyServer(call, draft) : copyFiles(call, draft)).catch(
    async (error: unknown) => {
      await rm(draft, { recursive: true, force: true })
      throw error
    },
  )
  await putInPlace(draft, folder)
  if (call.json) call.print.json({ folder, ...counts })
  else call.print.note(`The copy is in ${folder}${isRemote ? ', was compared' : ''} and opens.`)
}

/** The copy is made in this folder first: an incomplete one would pass for a backup and might replace an archive. */
export const DRAFT_FOLDER = 'unfinished'

/** The archive is moved last: a folder without it is not a backup. */
async function putInPlace(draft: string, folder: string): Promise<void> {
  const names = await readdir(draft)
  const isArchive = (name: string) => Number(name.startsWith('store.'))
  for (const name of names.toSorted((a, b) => isArchive(a) - isArchive(b))) {
    await rename(join(draft, name), join(folder, name))
  }
  await rmdir(draft)
}

async function copyFiles(call: CommandCall, folder: string): Promise<object> {
  await using store = await openLocalStore(call)
  const progress = createProgress(call.print, systemClock, 'copying', 'pages')
  await filesOf(store).backup(folder, (done, total) => progress.update(done, total))
  progress.end()
  return {}
}

/** Copies the store's state at the start into files: a data folder, like the backups of files. */
async function copyServer(
  { config, print, signal }: CommandCall,
  folder: string,
): Promise<{ readonly channels: number; readonly posts: number }> {
  const { retention } = config
  await using from = await openSnapshot({ ...config.store, retention, signal })
  await using to = await openStore({ ...locateStore({ folder }), retention })
  const { moved, problems } = await copyStore(from, to, print, signal)
  const wrong = [...problems, ...(await verifyStore(to, print))]
  if (wrong.length > 0)
    throw new OperatorError(`the copy is not sound: ${wrong.slice(0, 5).join('; ')}`)
  return { channels: moved.channels, posts: moved.posts }
}

async function expectEmpty(folder: string): Promise<void> {
  const found = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    if (error.code === 'ENOTDIR') throw new OperatorError(`${folder} is a file, expected a folder`)
    throw error
  })
  if (found.some((name) => name !== DRAFT_FOLDER))
    throw new OperatorError(
      `${folder} is not empty; name a folder that is, or that is not there yet`,
    )
}
