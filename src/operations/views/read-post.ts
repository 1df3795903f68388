import { z } from 'zod'
import { parseChannelName } from '../../model/channel-name.ts'
import { MAX_COUNT, type Count } from '../../model/count.ts'
import { beginningOf, found } from '../../model/found.ts'
import {
  EARLIEST_POST_AT,
  ENTITY_TYPES,
  INCOMPLETE,
  MAX_POST_NUMBER,
  MEDIA_KINDS,
  albumNumbersOf,
  isPostNumber,
  makeMedia,
  type Entity,
  type Post,
  type Reaction,
} from '../../model/post.ts'
import { isRecord } from '../../model/parse-json.ts'
import { safeUrl } from '../../model/safe-url.ts'
import { MINUTE_MS, parseTime } from '../../model/time.ts'
import { plainEntities } from '../../text/plain-entities.ts'
import { MAX_TEXT, historyFields, readHistory, type ExportedHistory } from './read-history.ts'
import { pictureFields, type ExportedPicture } from './read-pictures.ts'

/**
 * Reads a post back from a line of NDJSON, as `export` and `format=ndjson` write it or in the short form `{channel, id,
 * date, text}`. Unknown fields are ignored; invalid ones are reported.
 */
type ReadPost =
  | {
      readonly kind: 'post'
      readonly channel: string
      readonly title: string | null
      readonly post: Post
      /** Only for a line written by an export of an archive. */
      readonly history: ExportedHistory | null
      readonly pictures: readonly ExportedPicture[]
    }
  | { readonly kind: 'problem'; readonly reason: string }

/** A post that was changed at every visit has thousands of versions. */
export const MAX_LINE = 16_000_000
const SKEW_MS = 5 * MINUTE_MS

/** Bounds of a line's other texts and lists, as for a page: each of them is shown in every reply. */
const MAX_TITLE = 1_024
const MAX_ITEMS = 200
/** How many fields of a line that is not a post are named in the message. */
const MAX_KEYS = 6

const text = z.string().max(MAX_TEXT).nullable().default(null)
/** Null when the address cannot be followed. */
const address = text.transform(webAddress)
const title = z.string().max(MAX_TITLE).nullish()
const amount = z.int().min(0).max(MAX_COUNT)
const count = z.union(
  [amount, z.object({ value: amount, approx: z.boolean(), raw: z.string(), as_of: z.string() })],
  expected('a whole number or a count'),
)
const number = z.number().nullable().default(null)

function expected(what: string) {
  return { error: ({ input }: { input?: unknown }) => `expected ${what}, found ${found(input)}` }
}

const lineFields = {
  channel: z.union([z.string(), z.object({ username: z.string(), title })], expected('a username')),
  id: z.union([z.int(), z.string()], expected('a post number')).optional(),
  slug: z.string().optional(),
  date: z.string(expected('an RFC 3339 time')).optional(),
  published_at: z.string(expected('an RFC 3339 time')).optional(),
  title,
  text: z.string(expected('a string')).optional(),
  kind: z.enum(['post', 'service']).default('post'),
  edited: z.boolean().default(false),
  incomplete: z.enum(INCOMPLETE).optional(),
  views: count.nullish(),
  entities: z
    .array(
      z.object({
        type: z.enum(ENTITY_TYPES),
        offset: z.int().min(0),
        length: z.int().min(1),
        url: z.string().max(2048).optional(),
        language: z.string().max(MAX_TITLE).optional(),
        custom_id: z.string().max(MAX_TITLE).optional(),
        collapsed: z.boolean().optional(),
      }),
    )
    .max(1000)
    .optional(),
  media: z
    .array(
      z.object({
        kind: z.enum(MEDIA_KINDS),
        url: address,
        thumbnail_url: address,
        width: number,
        height: number,
        duration_s: number,
        file_name: text,
        size: count.nullish(),
        mime: text,
        title: text,
        detail: text,
        latitude: number,
        longitude: number,
        number: z.int().nullable().default(null),
        file_id: title,
        round: z.boolean().default(false),
        too_big: z.boolean().default(false),
      }),
    )
    .max(100)
    .default([]),
  poll: z
    .object({
      question: z.string().max(MAX_TEXT),
      type: z.string().max(MAX_TITLE).default(''),
      options: z
        .array(z.object({ text: z.string().max(MAX_TEXT), percent: number }))
        .max(MAX_ITEMS)
        .default([]),
      voters: count.nullish(),
    })
    .nullish(),
  link_preview: z
    .object({
      url: z.string().max(2048),
      site_name: text,
      title: text,
      description: text,
      image_url: address,
    })
    .nullish(),
  buttons: z
    .array(z.array(z.object({ text: z.string().max(MAX_TEXT), url: address })).max(MAX_ITEMS))
    .max(MAX_ITEMS)
    .default([]),
  author: text,
  via_bot: text,
  forwarded_from: z
    .object({ name: z.string().max(MAX_TEXT), username: text, post_url: address, author: text })
    .nullish(),
  reply_to: z.object({ url: z.string().max(2048), author: text, text }).nullish(),
  album_ids: z
    .array(z.union([z.int(), z.string().regex(/^\d{1,9}$/)]))
    .max(MAX_ITEMS)
    .default([]),
  ...historyFields,
  ...pictureFields,
  reactions: z
    .array(z.object({ emoji: text, custom_id: text, paid: z.boolean().default(false), count }))
    .max(MAX_ITEMS)
    .default([]),
}

const lineSchema = z.object(lineFields, expected('an object'))

export function readPost(line: string, now: number): ReadPost {
  let json: unknown
  try {
    json = JSON.parse(line)
  } catch (error) {
    return problem(`not JSON: ${(error as Error).message}`)
  }
  if (isBrief(json)) return problem(BRIEF)
  if (isOther(json)) return problem(`${NO_CHANNEL} beside ${keysOf(json)}`)
  const parsed = lineSchema.safeParse(json)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    return problem(`${issue?.path.join('.') || 'line'}: ${issue?.message ?? 'not understood'}`)
  }
  return assemble(parsed.data, now)
}

const BRIEF =
  'text: expected a string, found nothing; a brief reply has snippets only, ask with detail=full'

/** Checked first, because most fields of a brief post have another shape. */
function isBrief(json: unknown): boolean {
  return typeof json === 'object' && json !== null && 'snippet' in json && !('text' in json)
}

const NO_CHANNEL = 'channel: expected a username, found nothing'

/** An object that is not a post; the message lists its keys, so that the reader sees what it is. */
function isOther(json: unknown): json is object {
  return isRecord(json) && !('channel' in json) && Object.keys(json).length > 0
}

function keysOf(json: object): string {
  const keys = Object.keys(json)
  const more = keys.length > MAX_KEYS ? ', …' : ''
  return `${keys.slice(0, MAX_KEYS).map(beginningOf).join(', ')}${more}`
}

function assemble(read: z.output<typeof lineSchema>, now: number): ReadPost {
  const name = typeof read.channel === 'string' ? read.channel : read.channel.username
  const channel = parseChannelName(name)
  if (channel === undefined) return problem(`channel: expected a username, found ${found(name)}`)
  const postNumber = numberOf(read.slug ?? read.id)
  if (postNumber === undefined)
    return problem(
      `id: expected a post number from 1 to ${MAX_POST_NUMBER}, found ${found(read.slug ?? read.id)}`,
    )
  const date = read.published_at ?? read.date
  if (date === undefined) return problem('date: expected an RFC 3339 time, found nothing')
  const publishedAt = parseTime(date)
  if (publishedAt === undefined)
    return problem(`date: expected an RFC 3339 time, found ${found(date)}`)
  if (publishedAt < EARLIEST_POST_AT || publishedAt > now + SKEW_MS) {
    return problem(`date: expected a time from August 2013 until now, found ${found(date)}`)
  }
  if (read.text === undefined) return problem('text: expected a string, found nothing')
  if (read.text.length > MAX_TEXT) {
    return problem(`text: expected at most ${MAX_TEXT} characters, found ${read.text.length}`)
  }
  const history = readHistory(read, now)
  if (typeof history === 'string') return problem(history)
  const countOf = (value: z.output<typeof count> | null | undefined) =>
    readCount(value, publishedAt, now)
  const previewUrl = webAddress(read.link_preview?.url ?? null)
  const replyUrl = webAddress(read.reply_to?.url ?? null)
  const post: Post = {
    number: postNumber,
    kind: read.kind,
    publishedAt,
    edited: read.edited,
    text: read.text,
    entities: (read.entities
      ? readEntities(read.entities, read.text.length)
      : plainEntities(read.text)
    ).flatMap(withSafeUrl),
    media: read.media.map(
      ({ kind, thumbnail_url: thumbnailUrl, duration_s: durationS, ...medium }) => {
        const { file_name: fileName, file_id: fileId = null, too_big: tooBig, ...same } = medium
        const size = countOf(medium.size)
        return makeMedia(kind, { ...same, thumbnailUrl, durationS, fileName, size, tooBig, fileId })
      },
    ),
    poll: read.poll ? { ...read.poll, voters: countOf(read.poll.voters) } : null,
    linkPreview:
      read.link_preview && previewUrl !== null
        ? {
            url: previewUrl,
            siteName: read.link_preview.site_name,
            title: read.link_preview.title,
            description: read.link_preview.description,
            imageUrl: read.link_preview.image_url,
          }
        : null,
    buttons: read.buttons,
    author: read.author,
    viaBot: read.via_bot,
    forwardedFrom: read.forwarded_from
      ? {
          name: read.forwarded_from.name,
          username: parseChannelName(read.forwarded_from.username ?? '') ?? null,
          postUrl: read.forwarded_from.post_url,
          author: read.forwarded_from.author,
        }
      : null,
    replyTo: read.reply_to && replyUrl !== null ? { ...read.reply_to, url: replyUrl } : null,
    albumNumbers: albumNumbersOf(postNumber, read.album_ids.map(Number)),
    views: countOf(read.views),
    reactions: read.reactions.flatMap((r): Reaction[] => {
      const value = countOf(r.count)
      return value === null
        ? []
        : [{ emoji: r.emoji, customId: r.custom_id, paid: r.paid, count: value }]
    }),
    orphan: read.incomplete !== undefined,
  }
  const title =
    (typeof read.channel === 'object' ? read.channel.title : undefined) ?? read.title ?? null
  return { kind: 'post', channel, title, post, history, pictures: read.pictures ?? [] }
}

function problem(reason: string): ReadPost {
  return { kind: 'problem', reason }
}

/** `342`, `"342"`, `"durov/342"`, `"342-any-words"`. */
function numberOf(id: number | string | undefined): number | undefined {
  const digits =
    typeof id === 'string' ? /^(?:[A-Za-z0-9_]+\/)?(\d{1,8})(?:-.*)?$/.exec(id)?.[1] : id
  const value = Number(digits)
  return isPostNumber(value) ? value : undefined
}

function readCount(
  value: z.output<typeof count> | null | undefined,
  publishedAt: number,
  now: number,
): Count | null {
  if (value === null || value === undefined) return null
  // A plain number does not say when it was read, so any later reading is better.
  if (typeof value === 'number')
    return { value, approx: false, raw: String(value), asOf: publishedAt }
  const asOf = parseTime(value.as_of)
  return {
    value: value.value,
    approx: value.approx,
    raw: value.raw.slice(0, 32),
    asOf: asOf === undefined || asOf > now ? publishedAt : asOf,
  }
}

function readEntities(
  entities: NonNullable<z.output<typeof lineSchema>['entities']>,
  length: number,
): Entity[] {
  return entities
    .filter((e) => e.offset + e.length <= length)
    .map((e) => ({
      type: e.type,
      offset: e.offset,
      length: e.length,
      ...(e.url === undefined ? {} : { url: e.url }),
      ...(e.language === undefined ? {} : { language: e.language }),
      ...(e.custom_id === undefined ? {} : { customId: e.custom_id }),
      ...(e.collapsed === undefined ? {} : { collapsed: e.collapsed }),
    }))
}

function withSafeUrl(entity: Entity): Entity[] {
  if (entity.url === undefined) return [entity]
  const url = safeUrl(entity.url)
  return url === null ? [] : [{ ...entity, url }]
}

/** The same check as for addresses read from a page. */
function webAddress(given: string | null): string | null {
  const url = safeUrl(given ?? undefined)
  return url === null || /^mailto:/i.test(url) ? null : url
}
