import { readdir, rename, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { systemClock } from '../../model/clock.ts'
import { OperatorError } from '../../operator-error.ts'
import { isStoreRemote } from '../../store/store-location.ts'
import { fileOf } from '../caller-folder.ts'
import type { CommandCall } from '../command.ts'
import { filesOf, openLocalStore } from '../local.ts'
import { createProgress } from '../progress.ts'

export async function backup(call: CommandCall): Promise<void> {
  expectFiles(call)
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

/** A database has better tools of its own, which copy while everything runs, and back to any moment. */
export function expectFiles({ config }: CommandCall): void {
  if (isStoreRemote(config.store))
    throw new OperatorError(
      'the store is in PostgreSQL: back it up and restore it with its own tools, pg_dump or pg_basebackup, as docs/cluster.md says; `telegrep migrate-store` copies it into a data folder, once every process is stopped',
    )
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
  await filesOf(store).backup(folder, (done, total) => progress.update(done, total))
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
