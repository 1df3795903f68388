import { readdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { systemClock } from '../../model/clock.ts'
import { OperatorError } from '../../operator-error.ts'
import { EXIT_CODES } from '../command.ts'
import type { CommandCall, ExitCode } from '../command.ts'
import { filesOf, openLocalStore } from '../local.ts'
import { createProgress } from '../progress.ts'

export async function backup(call: CommandCall): Promise<ExitCode> {
  const folder = resolve(call.operands[0] ?? '')
  await expectEmpty(folder)
  await using store = await openLocalStore(call.config)
  const progress = createProgress(call.print, systemClock, 'copying', 'pages')
  await filesOf(store).backup(folder, (done, total) => progress.update(done, total))
  progress.end()
  if (call.json) call.print.json({ folder })
  else call.print.note(`The copy is in ${folder} and opens.`)
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
