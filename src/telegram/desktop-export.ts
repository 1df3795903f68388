import type { Post } from '../model/post.ts'
import { readRecord } from './desktop-export-post.ts'
import { repairEscapes, scanExport, type Chat } from './desktop-export-scan.ts'

/** Reads posts from Telegram Desktop's `result.json` in constant memory; bad records are reported, good ones kept. */

export type ExportItem =
  | {
      readonly kind: 'post'
      readonly post: Post
      /** The chat's name in the export; the file does not have its username. */
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
   * `one`: posts of the first channel that may be meant; a second one is a problem, because nothing in the file says which
   * the caller means.
   * `all`: posts of all channels, which `platformId` tells apart.
   */
  readonly channels: 'one' | 'all'
  /** Why the channel of this number is not the one the caller means; undefined if it may be. */
  readonly whyOther?: (platformId: number | null) => string | undefined
  /** Posts dated later than this are misdated, and are not read. */
  readonly now: number
}

const CHANNEL_TYPES = new Set(['public_channel', 'private_channel'])

/** Reads the export of one chat or a whole account. Chats that are not channels are skipped and counted in a final problem. */
export async function* readDesktopExport(
  stream: AsyncIterable<Uint8Array>,
  { channels, whyOther, now }: ExportOptions,
): AsyncGenerator<ExportItem> {
  let chosen: Chat | null = null
  let reading = false
  const skipped: string[] = []
  let isTold = false
  for await (const item of scanExport(stream)) {
    if (item.kind === 'problem') {
      isTold = true
      yield { kind: 'problem', where: 'the file', reason: item.reason }
    } else if (item.kind === 'chat') {
      const { chat } = item
      const isChannel = chat.type === null || CHANNEL_TYPES.has(chat.type)
      const reason = whyOther?.(chat.id) ?? (channels === 'one' && chosen && second(chosen))
      reading = isChannel && !reason
      if (!isChannel) skipped.push(chat.type!)
      else if (!reason) chosen ??= chat
      else {
        isTold = true
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
  if (chosen === null && skipped.length === 0 && !isTold) {
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

function second(chosen: Chat): string {
  return `a second channel; the posts read are those of ${nameOf(chosen)}`
}

function nameOf(chat: Chat): string {
  return chat.name === null ? 'the chat' : `“${chat.name}”`
}
