/** A saved search: its name, its query, and where to send what it finds. */
export interface Watch {
  readonly id: number
  readonly name: string
  /** Parameters of `/search` as they were given; parsed each time they are needed. */
  readonly query: Readonly<Record<string, string>>
  readonly sinks: Sinks
  readonly options: WatchOptions
  readonly createdAt: number
  /** Events of the log up to this number are older than the watch and are not sent. */
  readonly since: number
  /** Sinks that nothing is sent to any more, each with the reason. */
  readonly stopped: Readonly<Partial<Record<SinkKind, string>>>
}

/** Where a watch sends what it finds: at most one sink of each kind. */
export interface Sinks {
  readonly webhook?: {
    readonly url: string
    /** `whsec_…`: signs each message. */
    readonly secret: string
    /** `text`: an object with a `text` and nothing else, as chat services accept it. */
    readonly body: (typeof WEBHOOK_BODIES)[number]
    readonly allowPrivate: boolean
  }
  /** A program and its arguments, run without a shell. */
  readonly command?: { readonly argv: readonly string[] }
  /** A chat that the operator's bot writes to: its number, or the @name of a channel. */
  readonly telegram?: { readonly chat: string }
  readonly email?: { readonly to: string }
  /** An unguessable part of the feed's address. */
  readonly feed?: { readonly token: string }
}

export type SinkKind = keyof Sinks

export const WEBHOOK_BODIES = ['standard', 'text'] as const

export interface WatchOptions {
  /** Send only the first of posts that say the same. */
  readonly oncePerStory: boolean
  /** Also send edits of posts that were sent. */
  readonly edits: boolean
  /** Also send deletions of posts that were sent. */
  readonly deletions: boolean
  /** Send everything found within this many minutes together; null sends each post at once. */
  readonly digestMinutes: number | null
  /** What is found in these hours is sent when they end. */
  readonly quiet: QuietHours | null
}

export interface QuietHours {
  /** Minutes of the day, in the zone. */
  readonly from: number
  /** May be earlier than `from`: the hours then pass midnight. */
  readonly to: number
  readonly zone: string
}
