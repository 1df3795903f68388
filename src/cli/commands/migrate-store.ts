import { lockExclusive } from '../../store-lock.ts'
import { OperatorError } from '../../operator-error.ts'
import { prepareFolder } from '../../operator-files.ts'
import { holdsStore, openStore } from '../../store/open-store.ts'
import { OtherDataError } from '../../store/unfinished-copy.ts'
import { parseLocation, type StoreLocation } from '../../store/store-location.ts'
import { isDatabaseUrl } from '../../variable-values.ts'
import { fileOf } from '../caller-folder.ts'
import { NotFoundError, UsageError, type CommandCall, type Exit } from '../command.ts'
import { copyStore } from '../copy-store.ts'
import { formatCount, plural } from '../format.ts'
import { expectReadable } from '../local.ts'

export async function migrateStore(call: CommandCall): Promise<Exit> {
  const { print } = call
  const [source, target] = [locationOf(call, 'from'), locationOf(call, 'to')]
  if (JSON.stringify(source) === JSON.stringify(target))
    throw new UsageError('--from and --to name the same store')
  const place = fileOf(call, String(call.flags['from']))
  if (!holdsStore(source)) throw new NotFoundError(`there is no store in ${place}`)
  expectReadable(source, place)
  // Both are written: the source's lock keeps others from starting on it.
  if ('folder' in source) await prepareFolder(source.folder, '--from')
  if ('folder' in target) await prepareFolder(target.folder, '--to')
  const { retention } = call.config
  const given = { retention, signal: call.signal }
  await using from = await openStore({ ...source, ...given })
  await using to = await openStore({ ...target, ...given, mayBeUnfinished: true })
  await using held = new AsyncDisposableStack()
  const left = held.use(await lockExclusive(from))
  const entered = held.use(await lockExclusive(to))
  const signal = AbortSignal.any([call.signal, left.signal, entered.signal])
  const copied = await copyStore(from, to, print, signal).catch((error: unknown) => {
    throw error instanceof OtherDataError ? new OperatorError(error.message) : error
  })
  const { moved, problems } = copied
  if (call.json) print.json({ ...moved, problems })
  else if (problems.length === 0) {
    print.note(
      `${formatCount(moved.posts)} posts of ${plural(moved.channels, 'channel')}, ${plural(moved.keys, 'key')}, ${plural(moved.watches, 'watch', 'watches')} and ${plural(moved.removals, 'opt-out')} are the same in both.`,
    )
    print.note('Keys need the same secret; the next indexer builds the index from the copy.')
    if (moved.pictures > 0)
      print.note(
        'Files of kept pictures were not copied: take the folder along (TELEGREP_MEDIA_FOLDER).',
      )
  } else {
    print.note(`The copy is not the same: ${problems.slice(0, 5).join('; ')}`)
    print.note(
      'What changed in the source since it was copied is not copied again: begin with an empty target.',
    )
  }
  return problems.length === 0 ? 'ok' : 'failed'
}

function locationOf({ flags, config, folder }: CommandCall, flag: 'from' | 'to'): StoreLocation {
  const place = flags[flag]
  if (typeof place !== 'string' || place === '')
    throw new UsageError(`expected --${flag} with a data folder or postgres://…`)
  if (/^\w+:\/\//.test(place) && !isDatabaseUrl(place))
    throw new UsageError(`--${flag} is no address such as postgres://user@host:5432/database`)
  // The configured store may have a password and certificates in files.
  const isConfigured = 'url' in config.store && config.store.url === place
  return isConfigured ? config.store : parseLocation(place, folder)
}
