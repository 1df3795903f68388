import {
  NO_CONTENT,
  type Button,
  type Entity,
  type EntityType,
  type Forward,
  type LinkPreview,
  type Reply,
} from '../model/post.ts'

/** The kind and identity of a file. Its address depends on when it is requested, because the platform's addresses rotate. */
export interface MediaSpec {
  readonly shape:
    | 'photo'
    | 'video'
    | 'big_video'
    | 'gif'
    | 'round'
    | 'voice'
    | 'music'
    | 'document'
    | 'sticker'
    | 'animated_sticker'
    | 'video_sticker'
    | 'dice'
    | 'location'
    | 'venue'
    | 'contact'
    | 'game'
    | 'invoice'
    | 'unsupported'
    | 'service_photo'
  /** The same key means the same file. */
  readonly key: number
  /** File name, track, place, person: the first line shown. */
  readonly title?: string
  /** Performer, address, telephone number: the second line shown. */
  readonly detail?: string
}

export interface ReactionSpec {
  readonly emoji?: string
  readonly customId?: string
  readonly paid?: boolean
  /** Share of the viewers who used it. */
  readonly share: number
}

/** A post's content as its author made it, without what time adds: views, edits, rotating addresses. */
export interface Draft {
  readonly kind: 'post' | 'service'
  readonly text: string
  readonly entities: readonly Entity[]
  readonly media: readonly MediaSpec[]
  readonly poll: PollSpec | null
  readonly linkPreview: PreviewSpec | null
  readonly buttons: readonly (readonly Button[])[]
  readonly author: string | null
  readonly viaBot: string | null
  readonly forwardedFrom: Forward | null
  readonly replyTo: Reply | null
  readonly orphan: boolean
  readonly reactions: readonly ReactionSpec[]
  readonly extras: PageExtras
}

/** A link preview whose picture, like all files, is named by a key. */
interface PreviewSpec extends Omit<LinkPreview, 'imageUrl'> {
  readonly imageKey: number | null
}

interface PollSpec {
  readonly question: string
  readonly type: string
  readonly options: readonly { readonly text: string; readonly percent: number }[]
  /** Share of the viewers who voted. */
  readonly share: number
}

/** What a page shows of a post but the model does not keep. */
export interface PageExtras {
  /** The reply names a kind of media ("Photo") instead of quoting words. */
  readonly replyMeta?: boolean
  readonly replyQuote?: boolean
  readonly replyThumbUrl?: string
  /** The stretch of a service message that is set in bold. */
  readonly strong?: readonly [start: number, end: number]
  readonly smallPreview?: boolean
  /** One for each file of an album; the text is all of them, with an empty line between. */
  readonly captions?: readonly string[]
}

export const EMPTY_DRAFT: Draft = {
  ...NO_CONTENT,
  kind: 'post',
  orphan: false,
  reactions: [],
  extras: {},
}

/** Builds a text together with its entities. */
export class TextBuilder {
  text = ''
  readonly entities: Entity[] = []

  plain(text: string): this {
    this.text += text
    return this
  }

  mark(type: EntityType, text: string, extra: Partial<Entity> = {}): this {
    if (text) this.entities.push({ type, offset: this.text.length, length: text.length, ...extra })
    this.text += text
    return this
  }

  /** Marks what `inner` writes, so that entities nest. */
  around(type: EntityType, inner: (builder: this) => void, extra: Partial<Entity> = {}): this {
    const offset = this.text.length
    const place = this.entities.length
    inner(this)
    const length = this.text.length - offset
    if (length > 0) this.entities.splice(place, 0, { type, offset, length, ...extra })
    return this
  }
}
