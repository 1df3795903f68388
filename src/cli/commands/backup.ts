import { readdir } from 'node:fs/promises'
import { systemClock } from '../../model/clock.ts'
import { OperatorError } from '../../operator-error.ts'
import { compareStores } from '../../store/move/compare-stores.ts'
import { moveStore } from '../../store/move/move-store.ts'
import { openSnapshot, openStore } from '../../store/open-store.ts'
import { isStoreRemote, locateStore } from '../../store/store-location.ts'
import { fileOf } from '../caller-folder.ts'
import { EXIT_CODES } from '../command.ts'
import type { CommandCall, ExitCode } from '../command.ts'
import { filesOf, openLocalStore } from '../local.ts'
import { createProgress } from '../progress.ts'

export async function backup(call: CommandCall): Promise<ExitCode> {
  const folder = fileOf(call, call.operands[0] ?? '')
  await expectEmpty(folder)
  if (isStoreRemote(call.config.store)) return backupServer(call, folder)
  await using store = await openLocalStore(call.config)
  const progress = createProgress(call.print, systemClock, 'copying', 'pages')
  await filesOf(store).backup(folder, (done, total) => progress.update(done, total))
  progress.end()
  if (call.json) call.print.json({ folder })
  else call.print.note(`The copy is in ${folder} and opens.`)
  return EXIT_CODES.ok.code
}

/** A copy in files of the moment it was begun: a data folder, as backups of files are. */
async function backupServer(
  { config, print, json, signal }: CommandCall,
  folder: string,
): Promise<ExitCode> {
  const { retention } = config
  await using from = await openSnapshot({ ...config.store, retention })
  await using to = await openStore({ ...locateStore({ folder }), retention })
  const { posts: total } = await from.archive.totals()
  const progress = createProgress(print, systemClock, 'copying', 'posts')
  const onProgress = (done: number) => progress.update(done, Math.max(done, total))
  const at = systemClock.now()
  const { channels, posts } = await moveStore({ from, to, at, signal, onProgress })
  progress.end()
  const problems = [...(await compareStores(from, to, signal)), ...(await to.verify())]
  if (problems.length > 0)
    throw new OperatorError(`the copy is not sound: ${problems.slice(0, 5).join('; ')}`)
  if (json) print.json({ folder, channels, posts })
  else print.note(`The copy is in ${folder}, was compared and opens.`)
  return EXIT_CODES.ok.code
}

async function expectEmpty(folder: string): Promise<void> {
  const found = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    if (error.code === 'ENOTDIR') throw new OperatorError(`${folder} is a file, expected a folder`)
    throw error
  })
  if (found.length > 0)
    throw new OperatorError(
      `${folder} is not empty; name a folder that is, or that is not there yet`,
    )
}
