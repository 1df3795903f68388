import type { Post } from '../model/post.ts'
import { readRecord } from './desktop-export-post.ts'
import { repairEscapes, scanExport, type Chat } from './desktop-export-scan.ts'

/** Posts from Telegram Desktop's `result.json`, in constant memory: bad records are told, good ones kept. */

export type ExportItem =
  | {
      readonly kind: 'post'
      readonly post: Post
      /** The chat's name in the export. The username is not in the file. */
      readonly title: string | null
      /** The chat's bare numeric id, the same as on the channel's pages. */
      readonly platformId: number | null
    }
  | {
      readonly kind: 'problem'
      /** Which record or chat, for a person to find. */
      readonly where: string
      readonly reason: string
    }

export interface ExportOptions {
  /**
   * `one`: posts of the first channel; a further one is a problem, because the file cannot say which of them the caller means.
   * `all`: tell them apart by `platformId`.
   */
  readonly channels: 'one' | 'all'
  /** Posts of later are misdated, and are not taken. */
  readonly now: number
}

const CHANNEL_TYPES = new Set(['public_channel', 'private_channel'])

/** Reads one chat's export or a whole account's; chats that are no channels are skipped and counted in a last problem. */
export async function* readDesktopExport(
  stream: AsyncIterable<Uint8Array>,
  { channels, now }: ExportOptions,
): AsyncGenerator<ExportItem> {
  let chosen: Chat | null = null
  let reading = false
  const skipped: string[] = []
  let isOver = false
  for await (const item of scanExport(stream)) {
    if (item.kind === 'problem') {
      isOver = true
      yield { kind: 'problem', where: 'the file', reason: item.reason }
    } else if (item.kind === 'chat') {
      const { chat } = item
      const isChannel = chat.type === null || CHANNEL_TYPES.has(chat.type)
      reading = isChannel && (channels === 'all' || chosen === null)
      if (!isChannel) skipped.push(chat.type!)
      else if (reading) chosen ??= chat
      else {
        const reason = `a second channel; the posts read are those of ${nameOf(chosen!)}`
        yield { kind: 'problem', where: nameOf(chat), reason }
      }
    } else if (reading) {
      yield readItem(item, now)
    }
  }
  if (skipped.length > 0) {
    const chats = skipped.length === 1 ? 'chat that is no channel' : 'chats that are no channels'
    const reason = `skipped ${skipped.length} ${chats}: ${[...new Set(skipped)].join(', ')}`
    yield { kind: 'problem', where: 'the file', reason }
  }
  if (chosen === null && skipped.length === 0 && !isOver) {
    const reason = 'no messages found: expected the result.json of Telegram Desktop'
    yield { kind: 'problem', where: 'the file', reason }
  }
}

function readItem(
  {
    json,
    chat,
    index,
  }: { readonly json: string | null; readonly chat: Chat; readonly index: number },
  now: number,
): ExportItem {
  const where = `record ${index} of ${nameOf(chat)}`
  if (json === null) return { kind: 'problem', where, reason: 'larger than is read' }
  let record: unknown
  try {
    record = JSON.parse(repairEscapes(json))
  } catch (error) {
    return { kind: 'problem', where, reason: `no JSON: ${(error as Error).message}` }
  }
  const read = readRecord(record, { chatId: chat.id, now })
  if (typeof read === 'string') return { kind: 'problem', where, reason: read }
  return { kind: 'post', post: read, title: chat.name, platformId: chat.id }
}

function nameOf(chat: Chat): string {
  return chat.name === null ? 'the chat' : `“${chat.name}”`
}
