import type { Count } from '../model/count.ts'
import { nameKey } from '../model/channel-name.ts'
import { isRecord, parseJson } from '../model/parse-json.ts'
import {
  EARLIEST_POST_AT,
  albumNumbersOf,
  isAlbumMember,
  makeMedia,
  type Button,
  type Forward,
  type LinkPreview,
  type Media,
  type Poll,
  type Post,
  type Reaction,
  type Reply,
} from '../model/post.ts'
import { DAY_MS, MINUTE_MS, parseTime } from '../model/time.ts'
import { attribute, findClass, findTag, hasClass, ownText, type Element } from './html.ts'
import { albumMember, parsePostPath } from './links.ts'
import { parseCount } from './parse-count.ts'
import { MEDIA_PARTS } from './parse-media.ts'
import {
  readButtons,
  readForward,
  readLinkPreview,
  readPoll,
  readReactions,
  readReply,
} from './parse-parts.ts'
import { joinTexts, MAX_TEXT, readLine, readText, type RichText } from './parse-text.ts'
import type { ReadContext } from './parse-warning.ts'

/** One message of a page, as a post. */

/** A post with what the page says of its origin. */
export interface ReadPost {
  readonly number: number
  /** Null when it could not be read; its number is kept all the same, so that the post does not look deleted. */
  readonly post: Post | null
  /** The name in `data-post`: the platform's own spelling, not always the one asked for. */
  readonly username: string
  /** The channel's bare numeric id, if the page tells it. */
  readonly platformId: number | null
}

/** A time with its zone; anything else is an unknown layout. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)$/
const CLOCK_SLACK_MS = 5 * MINUTE_MS
const MAX_MEDIA = 100

interface Label {
  readonly words: string
  /** The album member that it hides, if it names one. */
  readonly number: number | null
}

type PostPath = Pick<ReadPost, 'username' | 'number'>

const NO_TEXT: RichText = { text: '', entities: [], cut: false }

/** What has been read of a message so far. */
class Draft {
  readonly context: ReadContext
  readonly username: string
  readonly number: number
  publishedAt: number | undefined
  isService = false
  edited = false
  body = NO_TEXT
  readonly media: Media[] = []
  poll: Poll | null = null
  voters: Count | null = null
  linkPreview: LinkPreview | null = null
  buttons: readonly (readonly Button[])[] = []
  author: string | null = null
  viaBot: string | null = null
  forwardedFrom: Forward | null = null
  replyTo: Reply | null = null
  views: Count | null = null
  reactions: readonly Reaction[] = []
  /** Notes in place of content that the widget cannot show. */
  readonly labels: Label[] = []
  /** A hidden "open Telegram" note. It stands for content that is missing, or beside content that is shown. */
  hasFallback = false
  hasSupported = false

  constructor({ username, number }: PostPath, context: ReadContext) {
    this.context = context
    this.username = username
    this.number = number
  }
}

type Part = (element: Element, draft: Draft) => void

const IGNORED: Part = () => {}

/** The reader for each class. It reads everything inside its element; elements of other classes are walked through. */
const PARTS = new Map<string, Part>([
  ['tgme_widget_message_user', IGNORED],
  ['tgme_widget_message_bubble_tail', IGNORED],
  ['tgme_widget_message_bubble_logo', IGNORED],
  ['tgme_widget_message_link', IGNORED],
  ['tgme_widget_message_service_date_wrap', IGNORED],
  ['tgme_widget_message_reply_template', IGNORED],
  ['tgme_widget_message_author', readAuthor],
  ['tgme_widget_message_forwarded_from', readForwardLine],
  ['tgme_widget_message_reply', (element, draft) => (draft.replyTo ??= readReply(element))],
  ['tgme_widget_message_text', readBody],
  ['js-message_text', readBody],
  ['tgme_widget_message_poll', (element, draft) => (draft.poll ??= readPoll(element))],
  [
    'tgme_widget_message_link_preview',
    (element, draft) => (draft.linkPreview ??= readLinkPreview(element)),
  ],
  [
    'tgme_widget_message_inline_keyboard',
    (element, draft) => (draft.buttons = readButtons(element)),
  ],
  [
    'tgme_widget_message_reactions',
    (element, draft) => (draft.reactions = readReactions(element, draft.context)),
  ],
  ['tgme_widget_message_views', (element, draft) => (draft.views = readCount(element, draft))],
  ['tgme_widget_message_voters', (element, draft) => (draft.voters = readCount(element, draft))],
  ['tgme_widget_message_meta', readMeta],
  // The hidden fallback accompanies every post with custom emoji and says nothing about it.
  ['media_not_supported_cont', (_, draft) => (draft.hasFallback = true)],
  ['message_media_not_supported_wrap', readLabel],
  ...[...MEDIA_PARTS].map(([token, read]): [string, Part] => [
    token,
    (element, draft) => {
      if (draft.media.length >= MAX_MEDIA) return
      const medium = read(element, draft.context.at)
      draft.media.push({ ...medium, number: memberOf(element, draft) })
    },
  ]),
])

/** Wrappers without a meaning of their own. A class that is neither here nor above is new, and gives a warning. */
const FRAMES = new Set([
  'tgme_widget_message_bubble',
  'tgme_widget_message_centered',
  'tgme_widget_message_footer',
  'tgme_widget_message_grouped',
  'tgme_widget_message_grouped_layer',
  'tgme_widget_message_grouped_wrap',
  'tgme_widget_message_info',
  // Around each file of an album of documents or music, and around an album whose caption has custom emoji.
  'tgme_widget_message_one_media',
])

/** Reads one `.tgme_widget_message`; undefined, with a warning, when it has no number. */
export function readPost(message: Element, context: ReadContext): ReadPost | undefined {
  const path = parsePostPath(attribute(message, 'data-post'))
  if (!path) {
    context.warn('post_without_number', attribute(message, 'data-post') ?? 'no data-post')
    return undefined
  }
  const view = readView(attribute(message, 'data-view'))
  const peer = /^c(\d{1,16})_/.exec(attribute(message, 'data-peer') ?? '')
  const latest = latestDate(view?.renderedAt ?? null, context.at)
  return {
    ...path,
    post: readContent(message, path, context, latest),
    platformId: view?.platformId ?? (peer ? Number(peer[1]) : null),
  }
}

/** `data-view`: base64url JSON `{"c":-<channel id>,"p":<number>,"t":<render time>,"h":<hash>}`. */
function readView(
  data: string | undefined,
): { platformId: number | null; renderedAt: number | null } | undefined {
  if (data === undefined || data.length > 1024) return undefined
  const view = parseJson(Buffer.from(data, 'base64url').toString('utf8'))
  if (!isRecord(view)) return undefined
  const { c, t } = view
  const isId = typeof c === 'number' && Number.isSafeInteger(c) && c !== 0
  const isTime = typeof t === 'number' && t > 0 && t < 1e11
  return { platformId: isId ? Math.abs(c) : null, renderedAt: isTime ? t * 1000 : null }
}

/** If our clock is slow, the page's own time applies, unless it is ahead by more than a day. */
function latestDate(renderedAt: number | null, at: number): number {
  const isNear = renderedAt !== null && renderedAt <= at + DAY_MS
  return (isNear ? Math.max(at, renderedAt) : at) + CLOCK_SLACK_MS
}

function readContent(
  message: Element,
  path: PostPath,
  context: ReadContext,
  latest: number,
): Post | null {
  const { number } = path
  const draft = new Draft(path, context)
  draft.isService = hasClass(message, 'service_message')
  walk(message, draft)
  const { publishedAt } = draft
  if (publishedAt === undefined) {
    context.warn('post_without_date', 'no date that can be read', number)
    return null
  }
  if (publishedAt < EARLIEST_POST_AT || publishedAt > latest) {
    context.warn('post_date_out_of_range', new Date(publishedAt).toISOString(), number)
    return null
  }
  return finish(draft, publishedAt)
}

function walk(element: Element, draft: Draft): void {
  for (const child of element.children) {
    if (typeof child === 'string') continue
    const part = partOf(child)
    if (part) part(child, draft)
    else {
      if (hasClass(child, 'media_supported_cont')) draft.hasSupported = true
      const name = child.classes[0]
      if (name?.startsWith('tgme_widget_message_') && !FRAMES.has(name)) {
        draft.context.warn('unknown_part', name, draft.number)
      }
      walk(child, draft)
    }
  }
}

function partOf(element: Element): Part | undefined {
  for (const token of element.classes) {
    const part = PARTS.get(token)
    if (part) return part
  }
  return undefined
}

/** Most posts have one text. In an album of documents or music each file may have its own, and all are kept. */
function readBody(element: Element, draft: Draft): void {
  if (draft.body.cut) return
  draft.body = joinTexts(draft.body, readText(element))
  if (draft.body.cut) {
    draft.context.warn('text_cut', `longer than ${MAX_TEXT} characters`, draft.number)
  }
}

function readAuthor(element: Element, draft: Draft): void {
  draft.viaBot ??= readViaBot(element)
  // Only the message of a group names its sender here; that of a channel names the channel.
  const sender = findClass(element, 'tgme_widget_message_author_name')
  if (sender) draft.author ??= readLine(sender) || null
}

function readForwardLine(element: Element, draft: Draft): void {
  draft.forwardedFrom ??= readForward(element)
  draft.viaBot ??= readViaBot(element)
}

function readViaBot(element: Element): string | null {
  const bot = findClass(element, 'tgme_widget_message_via_bot')
  return (bot && /@(\w{3,64})/.exec(readLine(bot))?.[1]) ?? null
}

function readMeta(element: Element, draft: Draft): void {
  const author = findClass(element, 'tgme_widget_message_from_author')
  if (author) draft.author = readLine(author) || null
  // Only the element's own text counts: a signature may read "edited".
  draft.edited = /(?:^|[\s,])edited(?:[\s,]|$)/.test(ownText(element))
  const date = findClass(element, 'tgme_widget_message_date')
  const time = date && findTag(date, 'time')
  const written = (time && attribute(time, 'datetime')) ?? ''
  if (INSTANT.test(written)) draft.publishedAt = parseTime(written) ?? draft.publishedAt
}

function readCount(element: Element, draft: Draft): Count | null {
  const raw = readLine(element)
  const count = parseCount(raw, draft.context.at)
  if (!count) draft.context.warn('count_unreadable', raw, draft.number)
  return count ?? null
}

function readLabel(element: Element, draft: Draft): void {
  if (hasClass(element, 'media_not_supported_cont')) return
  const words = readLine(findClass(element, 'message_media_not_supported_label') ?? element)
  const link = findClass(element, 'message_media_view_in_telegram')
  draft.labels.push({ words, number: link ? memberOf(link, draft) : null })
}

/** The number by which the page links a medium. Null, with a warning, if it belongs to another post's album. */
function memberOf(link: Element, { context, username, number }: Draft): number | null {
  const member = albumMember(attribute(link, 'href'))
  if (!member) return null
  const isOwn = nameKey(member.username) === nameKey(username)
  if (isOwn && (member.number === number || isAlbumMember(number, member.number)))
    return member.number
  context.warn('foreign_member', `${member.username}/${member.number}`, number)
  return null
}

function finish(draft: Draft, publishedAt: number): Post {
  const { labels, number, poll, voters } = draft
  const { text, entities } = draft.body
  const isService = draft.isService || labels.some(({ words }) => /^service message/i.test(words))
  if (!isService) addHiddenMedia(draft)
  const isEmpty = text === '' && draft.media.length === 0 && poll === null && !isService
  // Only a post with the platform's own note is an orphan; without the note we failed to read the post.
  const orphan = isEmpty && (labels.length > 0 || (draft.hasFallback && !draft.hasSupported))
  if (isEmpty && !orphan) draft.context.warn('post_empty', 'nothing in it could be read', number)
  return {
    number,
    kind: isService ? 'service' : 'post',
    publishedAt,
    edited: draft.edited,
    text,
    entities,
    media: draft.media,
    poll: poll && { ...poll, voters },
    linkPreview: draft.linkPreview,
    buttons: draft.buttons,
    author: draft.author,
    viaBot: draft.viaBot,
    forwardedFrom: draft.forwardedFrom,
    replyTo: draft.replyTo,
    albumNumbers: albumNumbersOf(
      number,
      draft.media.flatMap((medium) => medium.number ?? []),
    ),
    views: draft.views,
    reactions: draft.reactions,
    orphan,
  }
}

/** Each label beside content hides one medium. Without any content it does so only if it says so; else it hides the post. */
function addHiddenMedia({ labels, body, media, poll }: Draft): void {
  const isShown = body.text !== '' || media.length > 0 || poll !== null
  for (const { words, number } of labels) {
    const isMedium = isShown || /not supported/i.test(words)
    if (isMedium && media.length < MAX_MEDIA) media.push(makeMedia('unsupported', { number }))
  }
}
