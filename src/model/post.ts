import type { Count } from './count.ts'

export const ENTITY_TYPES = [
  'bold',
  'italic',
  'underline',
  'strike',
  'code',
  'pre',
  'spoiler',
  'quote',
  'link',
  'text_link',
  'mention',
  'hashtag',
  'cashtag',
  'custom_emoji',
] as const
export type EntityType = (typeof ENTITY_TYPES)[number]

/** A formatted or linked range of the text; offset and length count UTF-16 units. */
export interface Entity {
  readonly type: EntityType
  readonly offset: number
  readonly length: number
  /** `link` and `text_link`: the address, http(s), tg or mailto only. `mention`: `https://t.me/name`. */
  readonly url?: string
  /** `pre`: the programming language named by the author. */
  readonly language?: string
  /** `custom_emoji`: the platform's id of the picture. */
  readonly customId?: string
  /** `quote`: folded by the author. */
  readonly collapsed?: boolean
}

export const MEDIA_KINDS = [
  'photo',
  'video',
  'gif',
  'audio',
  'voice',
  'document',
  'sticker',
  'location',
  'contact',
  'game',
  'invoice',
  'unsupported',
] as const
export type MediaKind = (typeof MEDIA_KINDS)[number]

export interface Media {
  readonly kind: MediaKind
  /** Addresses of the platform's CDN die after about two days. */
  readonly url: string | null
  readonly thumbnailUrl: string | null
  readonly width: number | null
  readonly height: number | null
  readonly durationS: number | null
  readonly fileName: string | null
  /** Size in bytes; pages round it. */
  readonly size: Count | null
  readonly mime: string | null
  /** Document title or track, place name, contact's name. */
  readonly title: string | null
  /** Performer, address, telephone number: the second line the page shows. */
  readonly detail: string | null
  readonly latitude: number | null
  readonly longitude: number | null
  /** A round video message. */
  readonly round: boolean
  /** The page shows no file, because it is too big for the platform's web preview. */
  readonly tooBig: boolean
  /** The number of the album member this is, where the page shows it. */
  readonly number: number | null
  /** An id that stays the same when the CDN address changes; null where the page has nothing stable. */
  readonly fileId: string | null
}

const UNKNOWN: Omit<Media, 'kind'> = {
  url: null,
  thumbnailUrl: null,
  width: null,
  height: null,
  durationS: null,
  fileName: null,
  size: null,
  mime: null,
  title: null,
  detail: null,
  latitude: null,
  longitude: null,
  round: false,
  tooBig: false,
  number: null,
  fileId: null,
}

/** An attachment with only the known fields set; the others are null or false. */
export function makeMedia(kind: MediaKind, known: Partial<Media> = {}): Media {
  return { kind, ...UNKNOWN, ...known }
}

export interface Poll {
  readonly question: string
  /** As shown: "Anonymous Poll", "Anonymous Quiz", "Final Results". */
  readonly type: string
  readonly options: readonly { readonly text: string; readonly percent: number | null }[]
  readonly voters: Count | null
}

export interface LinkPreview {
  readonly url: string
  readonly siteName: string | null
  readonly title: string | null
  readonly description: string | null
  readonly imageUrl: string | null
}

export interface Button {
  readonly text: string
  /** Null for a callback button. */
  readonly url: string | null
}

export interface Forward {
  readonly name: string
  /** The channel's or user's username; null for a hidden sender. */
  readonly username: string | null
  /** The original post, when it was forwarded from a channel. */
  readonly postUrl: string | null
  /** The original's signature. */
  readonly author: string | null
}

export interface Reply {
  readonly url: string
  readonly author: string | null
  readonly text: string | null
}

export interface Reaction {
  /** Exactly one of `emoji`, `customId` and `paid` is set. */
  readonly emoji: string | null
  readonly customId: string | null
  readonly paid: boolean
  readonly count: Count
}

/** The platform started in August 2013; no post is older. */
export const EARLIEST_POST_AT = Date.UTC(2013, 7, 1)

/** The highest number of a post: store keys hold no more, and no channel has come within a tenth of it. */
export const MAX_POST_NUMBER = 2 ** 26 - 1

/** A number that identifies a post in this installation; number 0 stands for the channel itself. */
export function refKey({ channelId, number }: PostRef): number {
  return channelId * (MAX_POST_NUMBER + 1) + number
}

export function isPostNumber(number: number): boolean {
  return Number.isInteger(number) && number > 0 && number <= MAX_POST_NUMBER
}

/** How many numbers one post may take: the platform allows ten files in an album. */
export const MAX_ALBUM = 10

/** Whether the number can belong to the album. Its files are numbered consecutively, and the album has the first number. */
export function isAlbumMember(album: number, number: number): boolean {
  return isPostNumber(number) && number > album && number < album + MAX_ALBUM
}

/** The value of `albumNumbers` for an album whose page names these members. */
export function albumNumbersOf(album: number, named: readonly number[]): number[] {
  const members = new Set(named.filter((number) => isAlbumMember(album, number)))
  return members.size === 0 ? [] : [album, ...[...members].sort((a, b) => a - b)]
}

/** A post as one page shows it. */
export interface Post {
  /** Its number on its channel; an album's first member. */
  readonly number: number
  readonly kind: 'post' | 'service'
  readonly publishedAt: number
  readonly edited: boolean
  /** As the author wrote it, hidden characters included: cleaned only when served. */
  readonly text: string
  readonly entities: readonly Entity[]
  readonly media: readonly Media[]
  readonly poll: Poll | null
  readonly linkPreview: LinkPreview | null
  readonly buttons: readonly (readonly Button[])[]
  readonly author: string | null
  readonly viaBot: string | null
  readonly forwardedFrom: Forward | null
  readonly replyTo: Reply | null
  /** All numbers of an album, its own first; empty when it is none. */
  readonly albumNumbers: readonly number[]
  readonly views: Count | null
  readonly reactions: readonly Reaction[]
  /**
   * The channel's page shows neither text nor media, only "open Telegram to view this post". Its text, if any, is the
   * beginning that the post's own page gives.
   */
  readonly orphan: boolean
}

/** The content of an empty post. */
export const NO_CONTENT = {
  text: '',
  entities: [],
  media: [],
  poll: null,
  linkPreview: null,
  buttons: [],
  author: null,
  viaBot: null,
  forwardedFrom: null,
  replyTo: null,
} as const satisfies Partial<Post>

/** What is missing from a post that the platform shows in full only in its app. */
export const INCOMPLETE = ['not_shown', 'text_cut', 'text_only'] as const

/** `not_shown`: everything is missing. `text_cut`: all but the beginning of the text. `text_only`: any media and formatting. */
export function incompleteOf(post: Post): (typeof INCOMPLETE)[number] | null {
  if (!post.orphan) return null
  if (post.text === '') return 'not_shown'
  return isCutText(post.text) ? 'text_cut' : 'text_only'
}

/** The platform cuts descriptions after about a thousand characters and ends them with an ellipsis. */
function isCutText(text: string): boolean {
  return text.length > 500 && text.endsWith('…')
}

/** How a post came into the archive. */
export const CAPTURES = ['crawl', 'live', 'import'] as const
export type Capture = (typeof CAPTURES)[number]

/** A post as the archive keeps it. */
export interface ArchivedPost extends Post {
  readonly channelId: number
  /** Starts at 1 and grows by one each time the author changed the post. */
  readonly revision: number
  readonly contentSha256: string
  readonly firstCapturedAt: number
  readonly lastCapturedAt: number
  readonly capture: Capture
  readonly parserVersion: number
  /** When the deletion was confirmed; its text is then empty unless the operator keeps deleted text. */
  readonly deletedAt: number | null
  /** The post's language, or its channel's where the text is short or unsure; null until derived. */
  readonly language: string | null
}

/** An earlier state of a post. */
export interface PostVersion {
  readonly capturedAt: number
  /** Null where the operator keeps hashes only. */
  readonly text: string | null
  readonly sha256: string
}

/** Names one post inside this installation. */
export interface PostRef {
  readonly channelId: number
  readonly number: number
}
