import { readdir, rename, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { systemClock } from '../../model/clock.ts'
import { OperatorError } from '../../operator-error.ts'
import { fileOf } from '../caller-folder.ts'
import type { CommandCall } from '../command.ts'
import { expectFiles, openLocalStore } from '../local.ts'
import { createProgress } from '../progress.ts'

export async function backup(call: CommandCall): Promise<void> {
  expectFiles(call.config)
  const folder = fileOf(call, call.operands[0] ?? '')
  await expectEmpty(folder)
  const draft = join(folder, DRAFT_FOLDER)
  await rm(draft, { recursive: true, force: true })
  await copyFiles(call, draft).catch(async (error: unknown) => {
    await rm(draft, { recursive: true, force: true })
    throw error
  })
  await putInPlace(draft, folder)
  if (call.json) call.print.json({ folder })
  else call.print.note(`The copy is in ${folder} and opens.`)
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

async function copyFiles(call: CommandCall, folder: string): Promise<void> {
  await using store = await openLocalStore(call)
  const progress = createProgress(call.print, systemClock, 'copying', 'pages')
  await store.files!.backup(folder, (done, total) => progress.update(done, total))
  progress.end()
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
