import { lockSharedForLong } from '../../store-lock.ts'
import { parseChannelName } from '../../model/channel-name.ts'
import { systemClock } from '../../model/clock.ts'
import { openPictureFiles } from '../../store/picture-files.ts'
import type { Store } from '../../store/store.ts'
import { UsageError, type CommandCall, type Exit } from '../command.ts'
import { formatCount, plural } from '../format.ts'
import { importItems } from '../import/import-items.ts'
import { createPictureImport, type PictureImport } from '../import/import-pictures.ts'
import { importPosts } from '../import/import-posts.ts'
import { openLocalStore } from '../local.ts'
import { foreign } from '../print.ts'
import { createProgress } from '../progress.ts'
import { pathFlag, textFlag } from '../flag-values.ts'

/** A file of the wrong kind is wrong in every line; the first ones are enough. */
const MAX_TOLD = 20

export async function importCommand(call: CommandCall): Promise<Exit> {
  const channel = channelFlag(call)
  await using store = await openLocalStore(call)
  await using staying = await lockSharedForLong(store)
  const { print } = call
  const pictures = picturesFlag(call, store)
  // Loaded late: the language model takes a second, and most commands do not need it.
  const { beginIndex, indexPending } = await import('../index-pending.ts')
  await beginIndex(store, call)
  const progress = createProgress(print, systemClock, 'importing', 'posts')
  let told = 0
  const sum = await importPosts(store, importItems(call, store, channel), {
    clock: systemClock,
    signal: AbortSignal.any([call.signal, staying.signal]),
    isOwn: call.flags['own'] === true,
    onRejected(where, reason) {
      if (call.json) print.note(JSON.stringify({ code: 'rejected', where, detail: reason }))
      else if (told++ < MAX_TOLD) print.note(`${where}: ${foreign(reason)}`)
    },
    ...(pictures && { onPictures: (id, post, told) => pictures.take(id, post, told) }),
    onProgress: (done) => progress.update(done, null),
  })
  progress.end()
  staying.signal.throwIfAborted()
  if (told > MAX_TOLD) print.note(`… and ${formatCount(told - MAX_TOLD)} more`)
  const searchable = await indexPending(store, call)
  const { tooOld, ...counts } = sum
  const kept = pictures && { pictures: { kept: pictures.taken, left_out: pictures.left } }
  if (call.json) print.json({ ...counts, too_old: tooOld, searchable, ...kept })
  else {
    print.line(
      `${formatCount(sum.added)} added, ${formatCount(sum.changed)} changed, ${formatCount(sum.unchanged)} known already, ` +
        `${formatCount(sum.rejected)} rejected; ${plural(sum.channels, 'channel')}`,
    )
    if (pictures) print.note(picturesKept(pictures))
    if (sum.joined > 0) print.note(`${plural(sum.joined, 'post')} became part of an album`)
    if (tooOld > 0)
      print.note(
        `${formatCount(tooOld)} left out: older than TELEGREP_ARCHIVE_DAYS lets the archive keep`,
      )
  }
  if (call.signal.aborted) return 'interrupted'
  return sum.rejected > 0 ? 'rejected' : 'ok'
}

function picturesKept({ taken, left }: PictureImport): string {
  const rest = left === 0 ? '' : `; ${formatCount(left)} left out: missing, changed or too large`
  return `${plural(taken, 'picture')} kept${rest}`
}

function picturesFlag(call: CommandCall, store: Store): PictureImport | undefined {
  const source = pathFlag(call, 'pictures')
  if (source === null) return undefined
  if (store.retention.pictures !== true)
    throw new UsageError('--pictures needs TELEGREP_MEDIA=keep: else no pictures are kept here')
  const { folder, limits } = call.config.pictures
  return createPictureImport({
    rows: store.pictures,
    files: openPictureFiles(folder),
    folder: source,
    limits,
    clock: systemClock,
  })
}

function channelFlag(call: CommandCall): string | null {
  const given = textFlag(call, 'channel')
  if (given === null) return null
  const name = parseChannelName(given)
  if (name === undefined)
    throw new UsageError(`expected --channel <username>, found ${JSON.stringify(given)}`)
  return name
}
