import { systemClock } from '../../model/clock.ts'
import { EXIT_CODES, UsageError } from '../command.ts'
import type { Command } from '../command.ts'
import { resolve } from 'node:path'
import { openLocalStore } from '../local.ts'
import { createProgress } from '../progress.ts'

export const backup: Command = {
  name: 'backup',
  summary: 'copy the store into an empty folder, while servers go on',
  operands: '<folder>',
  flags: {},
  examples: [
    {
      line: 'telegrep backup backups/monday',
      does: 'consistent, verified by opening it',
    },
    {
      line: 'telegrep serve --data backups/monday',
      does: 'a backup is a data folder; the index comes back by itself',
    },
  ],
  async run(call) {
    const folder = call.operands[0]
    if (folder === undefined) throw new UsageError('expected a folder to write to')
    await using store = await openLocalStore(call.config)
    const progress = createProgress(call.print, systemClock, 'copying', 'pages')
    await store.backup(resolve(folder), (done, total) => progress.update(done, total))
    progress.end()
    if (call.json) call.print.json({ folder: resolve(folder) })
    else call.print.note(`The copy is in ${resolve(folder)} and opens.`)
    return EXIT_CODES.ok.code
  },
}
