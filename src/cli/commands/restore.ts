import { resolve } from 'node:path'
import { systemClock } from '../../model/clock.ts'
import { OperatorError } from '../../operator-error.ts'
import { deleteIndex } from '../../search/open-search-index.ts'
import { isStoreRemote, locateStore } from '../../store/store-location.ts'
import { holdsLedger, holdsStore, openRestore } from '../../store/open-store.ts'
import { EXIT_CODES } from '../command.ts'
import type { CommandCall, ExitCode } from '../command.ts'
import { formatCount } from '../format.ts'
import { TELEGREP } from '../invocation.ts'
import { NOT_FILES, NoDataError, openLocalStore } from '../local.ts'
import { createProgress } from '../progress.ts'

export async function restore(call: CommandCall): Promise<ExitCode> {
  const { config, print } = call
  if (isStoreRemote(config.store)) throw new OperatorError(NOT_FILES)
  const from = resolve(call.operands[0] ?? '')
  if (!holdsStore(locateStore({ folder: from })))
    throw new OperatorError(`there is no backup in ${from}`)
  if (!holdsLedger(config.dataFolder)) {
    throw new NoDataError(
      `there is no data in ${config.dataFolder} to keep keys and opt-outs of; a backup is a data folder by itself:\n  ${TELEGREP} serve --data ${from}`,
    )
  }
  await replaceStore(call, from)
  // Opening it erases what was removed since the backup.
  await using store = await openLocalStore(config)
  const { channels, posts } = await store.archive.totals()
  if (call.json) print.json({ folder: config.dataFolder, channels, posts })
  else {
    print.note(
      `${config.dataFolder} holds the backup's ${formatCount(posts)} posts of ${formatCount(channels)} channels, less what was removed since.`,
    )
    print.note('Keys and opt-outs were kept; the next server builds the index anew.')
  }
  return EXIT_CODES.ok.code
}

async function replaceStore({ config, print }: CommandCall, from: string): Promise<void> {
  const { dataFolder: folder, retention } = config
  await using copy = await openRestore({ folder, from, retention })
  const progress = createProgress(print, systemClock, 'verifying', 'steps')
  const problems = await copy.verify((done, total) => progress.update(done, total))
  progress.end()
  if (problems.length > 0) {
    const some = problems.slice(0, 5).join('; ')
    throw new OperatorError(`the backup is not sound, so nothing was changed: ${some}`)
  }
  // It shows the posts of the old store. Before the swap: a crash must not leave it beside the restored one.
  await deleteIndex(config.index)
  await copy.swap()
}
