import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { parseChannelName } from '../../model/channel-name.ts'
import { systemClock } from '../../model/clock.ts'
import { MAX_LINE, readPost } from '../../operations/views/read-post.ts'
import { readDesktopExport } from '../../telegram/desktop-export.ts'
import { EXIT_CODES, UsageError } from '../command.ts'
import type { CommandCall, ExitCode } from '../command.ts'
import { formatCount, plural } from '../format.ts'
import { importPosts } from '../import-posts.ts'
import type { ImportItem } from '../import-posts.ts'
import { openLocalStore } from '../local.ts'
import { createProgress } from '../progress.ts'
import { readLines } from '../read-lines.ts'
import { standardInput } from '../standard-input.ts'

/** A file of another kind is wrong in every line; the first ones tell. */
const MAX_TOLD = 20

export async function importCommand(call: CommandCall): Promise<ExitCode> {
  const channel = channelFlag(call)
  await using store = await openLocalStore(call.config)
  const { print } = call
  const progress = createProgress(print, systemClock, 'importing', 'posts')
  let told = 0
  const sum = await importPosts(store, itemsOf(call, channel), {
    clock: systemClock,
    signal: call.signal,
    onRejected(where, reason) {
      if (told++ < MAX_TOLD) print.note(`${where}: ${reason}`)
    },
    onProgress: (done) => progress.update(done, null),
  })
  progress.end()
  if (told > MAX_TOLD) print.note(`… and ${formatCount(told - MAX_TOLD)} more`)
  // Loaded late: the language models take a second, and most commands need none.
  const { indexPending } = await import('../index-pending.ts')
  const searchable = await indexPending(store, call)
  const { tooOld, ...counts } = sum
  if (call.json) print.json({ ...counts, too_old: tooOld, searchable })
  else {
    print.line(
      `${formatCount(sum.added)} added, ${formatCount(sum.changed)} changed, ${formatCount(sum.unchanged)} known already, ` +
        `${formatCount(sum.rejected)} rejected; ${plural(sum.channels, 'channel')}`,
    )
    if (tooOld > 0)
      print.note(
        `${formatCount(tooOld)} left out: older than TELEGREP_ARCHIVE_DAYS lets the archive keep`,
      )
  }
  if (call.signal.aborted) return EXIT_CODES.interrupted.code
  return sum.rejected > 0 ? EXIT_CODES.rejected.code : EXIT_CODES.ok.code
}

function channelFlag(call: CommandCall): string | null {
  const given = call.flags['channel']
  if (typeof given !== 'string') return null
  const name = parseChannelName(given)
  if (name === undefined)
    throw new UsageError(`expected --channel <username>, found ${JSON.stringify(given)}`)
  return name
}

async function* itemsOf(call: CommandCall, channel: string | null): AsyncGenerator<ImportItem> {
  for (const file of call.operands) {
    if (file !== '-' && !(await canBeRead(file))) throw new UsageError(`there is no file ${file}`)
    const bytes: AsyncIterable<Uint8Array> =
      file === '-' ? standardInput(call) : createReadStream(file)
    yield* channel === null
      ? postLines(bytes, basename(file))
      : desktopPosts(bytes, basename(file), channel)
  }
}

async function* postLines(
  bytes: AsyncIterable<Uint8Array>,
  file: string,
): AsyncGenerator<ImportItem> {
  for await (const line of readLines(bytes, MAX_LINE)) {
    const where = `${file}:${line.number}`
    if (line.number === 1 && spansLines(line.text)) {
      yield { kind: 'problem', where, reason: NOT_LINES }
      return
    }
    if (line.tooLong) {
      yield {
        kind: 'problem',
        where,
        reason: `the line has more than ${formatCount(MAX_LINE)} characters`,
      }
    } else if (line.text.trim() !== '') {
      yield { where, ...readPost(line.text, systemClock.now()) }
    }
  }
}

const NOT_LINES =
  'expected one JSON object a line; if this is a Telegram Desktop export, add --channel <username>'

/** Desktop's `result.json` is one object over many lines, or made small, one with all messages. */
function spansLines(firstLine: string): boolean {
  return /^\s*\{(?:\s*$|.*"messages"\s*:\s*\[)/.test(firstLine)
}

async function* desktopPosts(
  bytes: AsyncIterable<Uint8Array>,
  file: string,
  channel: string,
): AsyncGenerator<ImportItem> {
  for await (const read of readDesktopExport(bytes)) {
    if (read.kind === 'problem')
      yield { kind: 'problem', where: `${file} ${read.where}`, reason: read.reason }
    else {
      const where = `${file} post ${read.post.number}`
      yield { kind: 'post', where, channel, title: read.title, post: read.post }
    }
  }
}

/** A pipe that has a name, as a shell makes of `<(…)`, does as well as a file. */
async function canBeRead(path: string): Promise<boolean> {
  try {
    return !(await stat(path)).isDirectory()
  } catch {
    return false
  }
}
