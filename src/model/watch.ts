/** A search that is saved by name, and whom to tell what it finds. */
export interface Watch {
  readonly id: number
  readonly name: string
  /** Parameters of `/search` as they were given: read anew by whoever needs them. */
  readonly query: Readonly<Record<string, string>>
  readonly sinks: Sinks
  readonly options: WatchOptions
  readonly createdAt: number
  /** Events of the log up to this number were there before the watch, and are not told. */
  readonly since: number
  /** Sinks that are told nothing more, each with the reason. */
  readonly stopped: Readonly<Partial<Record<SinkKind, string>>>
}

/** Where a watch tells what it found: at most one of a kind. */
export interface Sinks {
  readonly webhook?: {
    readonly url: string
    /** `whsec_…`, which signs what is sent. */
    readonly secret: string
    /** `text`: an object of nothing but a text, as chats take it. */
    readonly body: (typeof WEBHOOK_BODIES)[number]
    readonly allowPrivate: boolean
  }
  /** A program and its arguments; no shell reads them. */
  readonly command?: { readonly argv: readonly string[] }
  /** A chat that the operator's bot writes to: its number, or the @name of a channel. */
  readonly telegram?: { readonly chat: string }
  readonly email?: { readonly to: string }
  /** What stands in the feed's address and cannot be guessed. */
  readonly feed?: { readonly token: string }
}

export type SinkKind = keyof Sinks

export const WEBHOOK_BODIES = ['standard', 'text'] as const

export interface WatchOptions {
  /** Of posts that say the same only the first. */
  readonly oncePerStory: boolean
  /** When a post that was told is edited, that is told too. */
  readonly edits: boolean
  /** When a post that was told is deleted, that is told too. */
  readonly deletions: boolean
  /** What is found within so many minutes is told together; null: each at once. */
  readonly digestMinutes: number | null
  /** What is found in these hours is told at their end; minutes of the day in the zone. */
  readonly quiet: QuietHours | null
}

export interface QuietHours {
  readonly from: number
  /** May be earlier than `from`: the hours then pass midnight. */
  readonly to: number
  readonly zone: string
}
