import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from '../../operator-error.ts'
import { deleteIndex } from '../../search/open-search-index.ts'
import { holdsLedger, holdsStore, openRestore } from '../../store/open-store.ts'
import { locateStore } from '../../store/store-location.ts'
import { fileOf } from '../caller-folder.ts'
import { verifyStore } from '../copy-store.ts'
import { NotFoundError, type CommandCall } from '../command.ts'
import { plural } from '../format.ts'
import { TELEGREP } from '../invocation.ts'
import { expectFiles, expectReadable, openLocalStore } from '../local.ts'
import { DRAFT_FOLDER } from './backup.ts'

export async function restore(call: CommandCall): Promise<void> {
  const { config, print, json } = call
  expectFiles(config)
  const from = fileOf(call, call.operands[0] ?? '')
  if (!holdsStore(locateStore({ folder: from }))) {
    const isBegun = existsSync(join(from, DRAFT_FOLDER))
    const found = isBegun ? ', only one that is not finished: make it again, or take another' : ''
    throw new NotFoundError(`there is no backup in ${from}${found}`)
  }
  expectReadable(locateStore({ folder: from }), from)
  if (!holdsLedger(config.dataFolder)) {
    throw new NotFoundError(
      `there is no data in ${config.dataFolder} to keep keys and opt-outs of; a backup is a data folder by itself:\n  ${TELEGREP} serve --data ${from}`,
    )
  }
  await replaceStore(call, from)
  // Opening the store erases what was removed since the backup.
  await using store = await openLocalStore(call)
  const { channels, posts } = await store.archive.totals()
  if (json) print.json({ folder: config.dataFolder, channels, posts })
  else {
    print.note(
      `${config.dataFolder} holds the backup's ${plural(posts, 'post')} of ${plural(channels, 'channel')}, less what was removed since.`,
    )
    print.note('Keys and opt-outs were kept; the next server builds the index anew.')
  }
}

async function replaceStore({ config, print }: CommandCall, from: string): Promise<void> {
  const { dataFolder: folder, retention } = config
  await using copy = await openRestore({ folder, from, retention })
  const problems = await verifyStore(copy, print)
  if (problems.length > 0) {
    const some = problems.slice(0, 5).join('; ')
    throw new OperatorError(`the backup is not sound, so nothing was changed: ${some}`)
  }
  // The index shows the posts of the old store. Deleted before the swap, so that a crash cannot leave it beside the restored
  // one.
  await deleteIndex(config.index)
  await copy.swap()
}
