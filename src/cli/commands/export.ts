import { basename } from 'node:path'
import type { Channel } from '../../model/channel.ts'
import { parseChannelName } from '../../model/channel-name.ts'
import { systemClock } from '../../model/clock.ts'
import { viewArchivedPost } from '../../operations/views/archived-post.ts'
import { viewChannelCard } from '../../operations/views/channel.ts'
import { viewTimeOrNull } from '../../operations/views/common.ts'
import { openPictureFiles } from '../../store/picture-files.ts'
import type { Store } from '../../store/store.ts'
import { NotFoundError, UsageError, type CommandCall } from '../command.ts'
import { columnsOf, type ExportedPost } from '../export/columns.ts'
import { EXPORT_FORMATS, openExportWriter, type ExportFormat } from '../export/formats.ts'
import { ManifestDraft } from '../export/manifest.ts'
import { openOutput } from '../export/output.ts'
import { createPictureExport, type PictureExport } from '../export/export-pictures.ts'
import { selectPosts, type SelectedPost, type Selection } from '../export/select-posts.ts'
import { formatBytes, plural } from '../format.ts'
import { instantFlag, pathFlag, textFlag } from '../flag-values.ts'
import { nextCommand } from '../invocation.ts'
import { openLocalStore } from '../local.ts'
import { createProgress } from '../progress.ts'

export async function exportCommand(call: CommandCall): Promise<void> {
  const { print, signal } = call
  const outputPath = call.flags['output'] === '-' ? null : pathFlag(call, 'output')
  const format = formatFlag(call, outputPath)
  if (format === 'parquet' && outputPath === null && process.stdout.isTTY)
    throw new UsageError('Parquet is not for a terminal: name a file with --output')
  await using store = await openLocalStore(call)
  const channels = await namedChannels(call, store)
  const selection: Selection = {
    channels,
    query: textFlag(call, 'query'),
    since: instantFlag(call, 'since'),
    until: instantFlag(call, 'until'),
    deleted: call.flags['deleted'] === true,
  }
  if (selection.since !== null && selection.until !== null && selection.since >= selection.until)
    print.note('note: --since is not before --until: no post can match')
  const versions = call.flags['versions'] === true
  const pictureFolder = pathFlag(call, 'pictures')
  const pictures =
    pictureFolder === null
      ? null
      : createPictureExport(
          store.pictures,
          openPictureFiles(call.config.pictures.folder),
          pictureFolder,
        )
  const madeAt = systemClock.now()
  await using output = await openOutput(outputPath)
  const manifestBeside = output.isFile ? `${outputPath}.manifest.json` : null
  const manifestPath = pathFlag(call, 'manifest') ?? manifestBeside
  if (manifestPath !== null && manifestPath === outputPath)
    throw new UsageError('--manifest would replace the export: name another file')
  await using manifestOutput = manifestPath === null ? null : await openOutput(manifestPath)
  const columns = columnsOf({ versions, pictures: pictures !== null })
  const writer = await openExportWriter(format, output, columns)
  const manifest = new ManifestDraft(store.frontier)
  const total = await postsToLookAt(store, selection)
  const progress = createProgress(print, systemClock, 'exporting', 'posts')
  let looked = 0
  const onWarning = (detail: string) => print.note(`note: ${detail}`)
  const options = { clock: systemClock, signal, onWarning }
  for await (const batch of selectPosts(store, selection, options)) {
    const views: ExportedPost[] = []
    const picturesOf = await pictures?.of(batch.posts.map(({ post }) => post))
    for (const { post, channel } of batch.posts) {
      const bare = await viewOf(store, { post, channel }, versions)
      const view = picturesOf ? { ...bare, pictures: picturesOf(post) } : bare
      await manifest.note(channel, view)
      views.push(view)
    }
    if (views.length > 0) await writer.write(views)
    looked += batch.looked
    progress.update(looked, total)
  }
  for (const channel of channels) await manifest.noteEmpty(channel)
  await writer.end()
  const file = await output.end()
  progress.end()
  if (manifestOutput !== null) {
    const query = queryOf(selection, versions)
    const tabular = format === 'ndjson' ? null : columns
    const document = await manifest.finish({
      query,
      format,
      columns: tabular,
      madeAt,
      file,
      pictures: pictures && { folder: basename(pictureFolder!), ...pictures.written },
    })
    await manifestOutput.write(Buffer.from(`${JSON.stringify(document, null, 2)}\n`))
    await manifestOutput.end()
  }
  // The result is the file or standard output, so the summary goes to standard error.
  const { posts } = manifest
  const copied = pictures && { pictures: pictures.written.files }
  if (call.json) print.note(JSON.stringify({ posts, ...file, manifest: manifestPath, ...copied }))
  else {
    const where = outputPath === null ? '' : ` to ${outputPath}, ${formatBytes(file.bytes)}`
    print.note(`${plural(posts, 'post')}${where}`)
    if (pictures) print.note(`${picturesWritten(pictures)} in ${pictureFolder}`)
    if (manifestPath !== null) print.note(`what was asked for, coverage and hash: ${manifestPath}`)
  }
}

function picturesWritten({ written }: PictureExport): string {
  return `${plural(written.files, 'new picture')}, ${formatBytes(written.bytes)},`
}

async function viewOf({ archive }: Store, { post, channel }: SelectedPost, versions: boolean) {
  const card = viewChannelCard(channel, undefined)
  if (!versions) return viewArchivedPost(post, card)
  // Most posts have no earlier versions, so the store need not be queried for them.
  const earlier = post.revision === 1 ? [] : await archive.versions(post)
  return viewArchivedPost(post, card, earlier)
}

/** Null when it is not known in advance. */
async function postsToLookAt(store: Store, { channels, since }: Selection): Promise<number | null> {
  if (since !== null) return null
  if (channels.length === 0) return (await store.archive.totals()).posts
  return channels.reduce((sum, { posts }) => sum + posts, 0)
}

function queryOf({ channels, query, since, until, deleted }: Selection, versions: boolean): object {
  return {
    channels: channels.map(({ username }) => username),
    query,
    since: viewTimeOrNull(since),
    until: viewTimeOrNull(until),
    deleted,
    versions,
  }
}

async function namedChannels(call: CommandCall, store: Store): Promise<Channel[]> {
  const names = call.operands.map((operand) => {
    const name = parseChannelName(operand)
    if (name === undefined)
      throw new UsageError(`expected a channel, found ${JSON.stringify(operand)}`)
    return name
  })
  const found = await store.archive.channelsByName(names)
  const missing = names.find((_, i) => found[i] === undefined)
  if (missing !== undefined)
    throw new NotFoundError(
      `${missing} is not indexed here; ${nextCommand(call, `add ${missing}`)}`,
    )
  // A channel named twice, or also by a former name, counts once.
  return [...new Map(found.map((channel) => [channel!.id, channel!])).values()]
}

/** File endings that no program would open with what is written here. */
const NOT_WRITTEN = [
  [
    /\.xlsx?$/i,
    'no workbook is written here; --format excel --output posts.csv is a table that Excel opens',
  ],
  [
    /\.(?:gz|zst|zip|bz2|xz)$/i,
    'nothing is compressed here; leave --output out and pipe it into gzip or zstd',
  ],
] as const

/** As given, or by the ending of the file's name. */
function formatFlag({ flags }: CommandCall, path: string | null): ExportFormat {
  const given = flags['format']
  const wrong = NOT_WRITTEN.find(([ending]) => ending.test(path ?? ''))
  if (wrong) throw new UsageError(wrong[1])
  if (given === undefined)
    return EXPORT_FORMATS.find((name) => path?.endsWith(`.${name}`)) ?? 'ndjson'
  const format = EXPORT_FORMATS.find((name) => name === given)
  if (format) return format
  throw new UsageError(
    `expected --format ${EXPORT_FORMATS.join(', ')}; found ${JSON.stringify(given)}`,
  )
}
