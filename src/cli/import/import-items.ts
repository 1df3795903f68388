import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { systemClock } from '../../model/clock.ts'
import { MAX_LINE, readPost } from '../../operations/views/read-post.ts'
import { findByPlatformId } from '../../store/find-by-platform-id.ts'
import type { Store } from '../../store/store.ts'
import { readDesktopExport, type ExportOptions } from '../../telegram/desktop-export.ts'
import { fileOf } from '../caller-folder.ts'
import { NotFoundError, type CommandCall } from '../command.ts'
import { formatCount } from '../format.ts'
import type { ImportItem } from './import-posts.ts'
import { describeUnsupportedFile } from './unsupported-file.ts'
import { readLines } from '../read-lines.ts'
import { standardInput } from '../standard-input.ts'

/** The posts of all files of an import, whatever the kind of each file. */
export async function* importItems(
  call: CommandCall,
  store: Store,
  channel: string | null,
): AsyncGenerator<ImportItem> {
  for (const file of call.operands) {
    const path = fileOf(call, file)
    if (file !== '-') await expectFile(path, file)
    const bytes: AsyncIterable<Uint8Array> =
      file === '-' ? standardInput(call) : createReadStream(path)
    const { head, whole } = await peek(bytes)
    const name = basename(file)
    const other = describeUnsupportedFile(head)
    if (other !== undefined) yield { kind: 'problem', where: name, reason: other }
    else if (channel !== null && isPostLine(head) && !isDesktopExport(head))
      yield { kind: 'problem', where: name, reason: NO_CHANNEL_NEEDED }
    else if (channel !== null) yield* named(whole, name, { store, channel })
    else if (isDesktopExport(head)) yield* recognised(whole, name, store)
    else yield* postLines(whole, name)
  }
}

const PEEKED = 64 * 1024

/** The beginning of a stream, and the whole stream again. */
async function peek(bytes: AsyncIterable<Uint8Array>) {
  const iterator = bytes[Symbol.asyncIterator]()
  const chunks: Uint8Array[] = []
  let length = 0
  while (length < PEEKED) {
    const { value, done } = await iterator.next()
    if (done === true) break
    chunks.push(value)
    length += value.length
  }
  async function* whole(): AsyncGenerator<Uint8Array> {
    yield* chunks
    for (;;) {
      const { value, done } = await iterator.next()
      if (done === true) return
      yield value
    }
  }
  return { head: Buffer.concat(chunks).toString('latin1'), whole: whole() }
}

/** Desktop's `result.json` is one object over many lines or, minified, on one line with all messages. */
function isDesktopExport(head: string): boolean {
  const [first = ''] = head.split('\n', 1)
  const isOneObject = /^\s*\{\s*$/.test(first) || /"messages"\s*:\s*\[/.test(first)
  return isOneObject && /"(?:messages|chats|about|personal_information)"\s*:/.test(head)
}

/** A line of posts names its channel; a Desktop export has no such field. */
function isPostLine(head: string): boolean {
  return /^\s*\{[^\n]*"channel"\s*:/.test(head)
}

const NO_CHANNEL_NEEDED =
  'these lines tell their channel themselves; --channel is for the result.json of Telegram Desktop'

async function* postLines(
  bytes: AsyncIterable<Uint8Array>,
  file: string,
): AsyncGenerator<ImportItem> {
  for await (const line of readLines(bytes, MAX_LINE)) {
    const where = `${file}:${line.number}`
    if (line.number === 1 && /^\s*\{\s*$/.test(line.text)) {
      yield { kind: 'problem', where, reason: NOT_LINES }
      return
    }
    if (line.tooLong) {
      const reason = `the line has more than ${formatCount(MAX_LINE)} characters`
      yield { kind: 'problem', where, reason }
    } else if (line.text.trim() !== '') {
      yield { where, ...readPost(line.text, systemClock.now()) }
    }
  }
}

const NOT_LINES =
  'expected one JSON object a line (jq -c . makes it so), or the result.json of Telegram Desktop; found an object over many lines'

/** The caller says whose posts they are. A channel that was read before has a number, and the file must have the same. */
async function* named(
  bytes: AsyncIterable<Uint8Array>,
  file: string,
  { store, channel }: { readonly store: Store; readonly channel: string },
): AsyncGenerator<ImportItem> {
  const own = (await store.archive.channel(channel))?.platformId ?? null
  yield* desktopPosts(bytes, file, {
    channels: 'one',
    whyOther: (platformId) =>
      own === null || platformId === null || own === platformId
        ? undefined
        : `number ${platformId}; ${channel} has the number ${own}, so these are posts of another channel`,
    nameOf: async () => channel,
  })
}

/** The file has the channel's id, not its username; a channel that was read before has both. */
async function* recognised(
  bytes: AsyncIterable<Uint8Array>,
  file: string,
  store: Store,
): AsyncGenerator<ImportItem> {
  const names = new Map<number | null, string | undefined>()
  yield* desktopPosts(bytes, file, {
    channels: 'all',
    async nameOf(platformId) {
      if (!names.has(platformId)) {
        const found = platformId === null ? undefined : await findByPlatformId(store, platformId)
        names.set(platformId, found?.username)
      }
      return names.get(platformId)
    },
  })
}

const NAME_UNKNOWN =
  'no channel of that number was read here, and the file does not tell its username; say it with --channel <username>'

/** Posts of chats whose channel `nameOf` knows; each other chat is reported once. */
async function* desktopPosts(
  bytes: AsyncIterable<Uint8Array>,
  file: string,
  options: Omit<ExportOptions, 'now'> & {
    readonly nameOf: (platformId: number | null) => Promise<string | undefined>
  },
): AsyncGenerator<ImportItem> {
  const { nameOf, ...chosen } = options
  const unknown = new Set<string>()
  const items = readDesktopExport(bytes, { ...chosen, now: systemClock.now() })
  for await (const read of items) {
    if (read.kind === 'problem') {
      yield { kind: 'problem', where: `${file} ${read.where}`, reason: read.reason }
      continue
    }
    const channel = await nameOf(read.platformId)
    if (channel !== undefined) {
      const where = `${file} post ${read.post.number}`
      yield { kind: 'post', where, channel, title: read.title, post: read.post }
      continue
    }
    const chat = `“${read.title ?? 'without a name'}”, number ${read.platformId ?? 'unknown'}`
    if (unknown.has(chat)) continue
    unknown.add(chat)
    const reason = `a Telegram Desktop export of ${chat}: ${NAME_UNKNOWN}`
    yield { kind: 'problem', where: file, reason }
  }
}

/** A named pipe, as a shell makes for `<(…)`, works as well as a file. */
async function expectFile(path: string, told: string): Promise<void> {
  const there = await stat(path).catch(() => undefined)
  if (there === undefined) throw new NotFoundError(`there is no file ${told}`)
  if (there.isDirectory()) throw new NotFoundError(`${told} is a folder; name the files in it`)
}
