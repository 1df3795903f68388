import {
  EARLIEST_POST_AT,
  type Button,
  type Poll,
  type Post,
  type Reaction,
} from '../model/post.ts'
import { isRecord } from '../model/parse-json.ts'
import { safeUrl } from '../model/safe-url.ts'
import { HOUR_MS, parseTime } from '../model/time.ts'
import { count, list, plain, string, type Fields } from './desktop-export-fields.ts'
import { readMedia } from './desktop-export-media.ts'
import { readWords } from './desktop-export-text.ts'
import { postNumber } from './links.ts'

/** One record of an export, as a post. */

interface RecordContext {
  readonly chatId: number | null
  readonly now: number
}

const LATEST = Date.UTC(2100, 0, 1)
/** How far a local time may be ahead when it is taken for UTC. */
const ZONES_MS = 14 * HOUR_MS

/** The post, or why there is none. */
export function readRecord(record: unknown, { chatId, now }: RecordContext): Post | string {
  if (!isRecord(record)) return 'expected an object'
  const number = postNumber(plain(record['id']))
  if (number === undefined) return `expected a positive number as id, found ${show(record['id'])}`
  const type = record['type']
  if (type === 'unsupported') return 'a kind of message the exporting program did not know'
  if (type !== 'message' && type !== 'service') {
    return `expected the type message or service, found ${show(type)}`
  }
  const publishedAt = readDate(record['date_unixtime'], record['date'])
  if (publishedAt === null) return `expected a date, found ${show(record['date'])}`
  if (publishedAt > now + ZONES_MS) {
    return `expected a date until now, found ${new Date(publishedAt).toISOString()}`
  }
  const isService = type === 'service'
  const { text, entities } = isService
    ? { text: serviceText(record), entities: [] }
    : readWords(record['text_entities'], record['text'])
  // The file does not say when its counters were read, so they are dated by the post.
  const media = readMedia(record, publishedAt)
  const poll = readPoll(record['poll'], publishedAt)
  return {
    number,
    kind: type === 'service' ? 'service' : 'post',
    publishedAt,
    edited: record['edited'] !== undefined || record['edited_unixtime'] !== undefined,
    text,
    entities,
    media,
    poll,
    linkPreview: null,
    buttons: readButtons(record['inline_bot_buttons']),
    author: string(record['author']),
    viaBot: string(record['via_bot'])?.replace(/^@/, '') ?? null,
    forwardedFrom: readForward(record),
    replyTo: readReply(record, chatId),
    albumNumbers: [],
    views: null,
    reactions: readReactions(record['reactions'], publishedAt),
    orphan: text === '' && media.length === 0 && poll === null && !isService,
  }
}

/** Seconds as a string. Exports from before 2022 have only a local time without its zone, which is taken for UTC. */
function readDate(seconds: unknown, local: unknown): number | null {
  const isSeconds = typeof seconds === 'string' || typeof seconds === 'number'
  const instant = isSeconds ? Math.round(Number(seconds) * 1000) : parseLocal(local)
  return instant >= EARLIEST_POST_AT && instant <= LATEST ? instant : null
}

function parseLocal(local: unknown): number {
  return (typeof local === 'string' ? parseTime(local) : undefined) ?? Number.NaN
}

function readForward(record: Fields): Post['forwardedFrom'] {
  if (!('forwarded_from' in record)) return null
  const name = string(record['forwarded_from']) ?? 'Deleted Account'
  return { name, username: null, postUrl: null, author: null }
}

/** The file has no usernames, so the post replied to is named by its channel's numeric id. */
function readReply(record: Fields, chatId: number | null): Post['replyTo'] {
  const number = postNumber(plain(record['reply_to_message_id']))
  if (number === undefined) return null
  const peer = /^channel(\d{1,16})$/.exec(string(record['reply_to_peer_id']) ?? '')?.[1]
  const channel = peer ?? chatId
  return channel === null
    ? null
    : { url: `https://t.me/c/${channel}/${number}`, author: null, text: null }
}

function readPoll(value: unknown, asOf: number): Poll | null {
  if (!isRecord(value)) return null
  const total = count(value['total_voters'], asOf)
  return {
    question: readWords(null, value['question']).text,
    type: value['closed'] === true ? 'Final Results' : 'Poll',
    options: list(value['answers'])
      .filter(isRecord)
      .map((answer) => {
        const votes = count(answer['voters'], asOf)?.value
        const share = votes !== undefined && total && total.value > 0 ? votes / total.value : null
        return {
          text: readWords(null, answer['text']).text,
          percent: share === null ? null : Math.min(100, Math.round(share * 100)),
        }
      }),
    voters: total,
  }
}

function readButtons(value: unknown): Button[][] {
  return list(value)
    .map((row) =>
      list(row)
        .filter(isRecord)
        .map((button) => ({
          text: string(button['text']) ?? '',
          // Only these types have an address; the `data` of a callback is for the bot alone.
          url: /^(?:url|auth|web_view|simple_web_view)$/.test(string(button['type']) ?? '')
            ? safeUrl(string(button['data']) ?? undefined)
            : null,
        })),
    )
    .filter((row) => row.length > 0)
}

function readReactions(value: unknown, asOf: number): Reaction[] {
  return list(value)
    .filter(isRecord)
    .flatMap((reaction) => {
      const amount = count(reaction['count'], asOf)
      const emoji = string(reaction['emoji'])
      const customId = /^\d{1,20}$/.exec(string(reaction['document_id']) ?? '')?.[0] ?? null
      const paid = reaction['type'] === 'paid'
      if (amount === null || (emoji === null && customId === null && !paid)) return []
      return [
        {
          emoji: paid ? null : emoji,
          customId: paid || emoji !== null ? null : customId,
          paid,
          count: amount,
        },
      ]
    })
}

/** In the words of the web preview, if it has words for the action. */
function serviceText(record: Fields): string {
  const action = string(record['action']) ?? ''
  const title = string(record['title']) ?? ''
  switch (action) {
    case 'create_channel':
      return 'Channel created'
    case 'edit_group_title':
      return `Channel name was changed to «${title}»`
    case 'edit_group_photo':
      return 'Channel photo updated'
    case 'delete_group_photo':
      return 'Channel photo removed'
    case 'pin_message':
      return `${string(record['actor']) ?? 'Channel'} pinned a message`
    case 'group_call': {
      const minutes = Math.round(Number(plain(record['duration'])) / 60)
      return minutes > 0 ? `Live stream finished (${minutes} minutes)` : 'Live stream started'
    }
    default:
      return action.replaceAll('_', ' ')
  }
}

function show(value: unknown): string {
  if (value === undefined) return 'none'
  if (typeof value === 'object' && value !== null) return 'a list or an object'
  return JSON.stringify(value).slice(0, 80)
}
