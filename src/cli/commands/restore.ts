import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../model/errors.ts'
import { lockExclusive } from '../../store-lock.ts'
import { OperatorError } from '../../operator-error.ts'
import { deleteIndex } from '../../search/open-search-index.ts'
import {
  expectClosed,
  holdsLedger,
  holdsStore,
  openReplacement,
  openRestore,
  openStore,
} from '../../store/open-store.ts'
import { ArchiveLostError, StoreDamagedError, type Store } from '../../store/store.ts'
import { isStoreRemote, locateStore } from '../../store/store-location.ts'
import { fileOf } from '../caller-folder.ts'
import { copyBeside } from '../copy-beside.ts'
import { copyStore, verifyStore } from '../copy-store.ts'
import { NotFoundError, type CommandCall } from '../command.ts'
import { plural } from '../format.ts'
import { TELEGREP } from '../invocation.ts'
import { expectReadable, openLocalStore } from '../local.ts'
import { DRAFT_FOLDER } from './backup.ts'

export async function restore(call: CommandCall): Promise<void> {
  const { config } = call
  const from = fileOf(call, call.operands[0] ?? '')
  if (!holdsStore(locateStore({ folder: from }))) {
    const isBegun = existsSync(join(from, DRAFT_FOLDER))
    const found = isBegun ? ', only one that is not finished: make it again, or take another' : ''
    throw new NotFoundError(`there is no backup in ${from}${found}`)
  }
  expectReadable(locateStore({ folder: from }), from)
  if (isStoreRemote(config.store)) {
    await replaceOnServer(call, from)
    return tellRestored(call, 'the database')
  }
  if (!holdsLedger(config.dataFolder)) {
    throw new NotFoundError(
      `there is no data in ${config.dataFolder} to keep keys and opt-outs of; a backup is a data folder by itself:\n  ${TELEGREP} serve --data ${from}`,
    )
  }
  await replaceStore(call, from)
  return tellRestored(call, config.dataFolder)
}

async function tellRestored(call: CommandCall, place: string) {
  const { print, json } = call
  // Opening the store erases what was removed since the backup.
  await using store = await openLocalStore(call)
  const { channels, posts } = await store.archive.totals()
  if (json) print.json({ folder: place, channels, posts })
  else {
    print.note(
      `${place} holds the backup's ${plural(posts, 'post')} of ${plural(channels, 'channel')}, less what was removed since.`,
    )
    print.note('Keys and opt-outs were kept; the next server builds the index anew.')
  }
}

/** Fills a store beside the present one, compares it, and swaps the two. */
async function replaceOnServer(call: CommandCall, folder: string): Promise<void> {
  const { config, print } = call
  const { retention, store: location } = config
  await using draft = new AsyncDisposableStack()
  expectClosed(folder)
  const options = { ...location, retention, signal: call.signal, mayBeUnfinished: true }
  const present = await openStore(options).catch((error: unknown) => {
    // The archive is lost, so the role cannot be held; the replacement then finds any process that is still on it.
    if (!(error instanceof ArchiveLostError)) throw error
  })
  const alone = present && draft.use(await lockExclusive(draft.use(present)))
  // Opening a backup writes to it (what was removed since is erased), so a copy is opened.
  const copy = draft.use(await copyBeside(folder))
  const from = draft.use(await openBackup(copy.path, call))
  const signal = alone ? AbortSignal.any([call.signal, alone.signal]) : call.signal
  const replacement = draft.use(await openReplacement({ ...location, retention, signal }))
  const { store: to } = replacement
  const { problems } = await copyStore(from, to, print, signal)
  const wrong = [...problems, ...(await verifyStore(to, print))]
  if (wrong.length > 0) throw unsound(wrong)
  signal.throwIfAborted()
  await deleteIndex(config.index)
  await replacement.swap()
}

/** Verified completely, so that problems of the backup are reported as such before anything is changed. */
async function openBackup(folder: string, { config, print }: CommandCall): Promise<Store> {
  const { retention } = config
  try {
    await using opened = new AsyncDisposableStack()
    const store = opened.use(await openStore({ ...locateStore({ folder }), retention }))
    const problems = await verifyStore(store, print)
    if (problems.length > 0) throw unsound(problems)
    opened.move()
    return store
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const why = error instanceof StoreDamagedError ? error.damage : error.message
    throw unsound([why.replaceAll(`${folder}/`, '').replaceAll(folder, 'it')])
  }
}

function unsound(problems: readonly string[]): OperatorError {
  const some = problems.slice(0, 5).join('; ')
  return new OperatorError(`the backup is not sound, so nothing was changed: ${some}`)
}

async function replaceStore({ config, print }: CommandCall, from: string): Promise<void> {
  const { dataFolder: folder, retention } = config
  await using copy = await openRestore({ folder, from, retention })
  const problems = await verifyStore(copy, print)
  if (problems.length > 0) throw unsound(problems)
  // The index shows the posts of the old store. Deleted before the swap, so that a crash cannot leave it beside the restored
  // one.
  await deleteIndex(config.index)
  await copy.swap()
}
