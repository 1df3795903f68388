import type { PostRef } from '../model/post.ts'

/**
 * What changed and a consumer has not been told yet. Each registered consumer has its own: an index for every analyzer
 * version that is in use, and whoever else follows the archive.
 */
export interface Changes {
  /**
   * Makes a consumer known, or says that it still lives. The first one begins with all that waited until then, a further one
   * with what waits for any other. `missed`: it was not known although others were, so what it keeps has to be built anew.
   */
  register(consumer: string): Promise<{ readonly missed: boolean }>
  /** Forgets a consumer and what waits for it; what waits for the last one is kept for the next to come. */
  strike(consumer: string): Promise<void>
  consumers(): Promise<readonly Consumer[]>

  /**
   * Takes up to `limit` changes that nobody holds, the longest waiting first; undefined when there are none. They are held
   * until `done`, `release` or the end of `ttlMs`, whichever is first.
   */
  claim(
    consumer: string,
    options: { readonly limit: number; readonly ttlMs: number },
  ): Promise<Claim | undefined>
  /** Holds the changes of a claim longer. False when it ran out and others may have taken them. */
  renew(claim: Claim, ttlMs: number): Promise<boolean>
  /** Forgets the changes of a claim, but for those that moved again meanwhile or were taken by others. */
  done(claim: Claim): Promise<void>
  /** Gives the changes of a claim back. */
  release(claim: Claim): Promise<void>

  /** How many wait, counted no further than to `bound`; of a consumer not known, what it would begin with. */
  pending(consumer: string, bound: number): Promise<Pending>
  /** Marks every post published since then as changed, for all consumers. Resolves to how many. */
  touchAll(publishedSince: number): Promise<number>
  /**
   * Marks the posts of a channel that are in another language than it as changed, for all consumers, but for those that wait to
   * be read anyway. A part at a time.
   */
  touchForeign(channelId: number): Promise<void>
}

/** Something that changed. */
export type Change =
  /** Read the post as it now is: put it, or take it out when it is gone or deleted. */
  | { readonly kind: 'post'; readonly channelId: number; readonly number: number }
  /** Only its counters moved. */
  | { readonly kind: 'counters'; readonly channelId: number; readonly number: number }
  /** Its name or subscribers moved; or it was removed, and is then not found. */
  | { readonly kind: 'channel'; readonly channelId: number }
  /** Its language moved, and perhaps the rest: posts that do not speak for themselves are in another one now. */
  | { readonly kind: 'language'; readonly channelId: number }

export interface Claim {
  readonly id: string
  readonly consumer: string
  readonly changes: readonly Change[]
}

export interface Consumer {
  readonly name: string
  /** When it was last registered. */
  readonly seenAt: number
}

export interface Pending {
  /** At most the bound asked for. */
  readonly count: number
  /** Since when the oldest waits; null when none does. */
  readonly since: number | null
}

/** For adapters: kinds as databases keep them. Where a thing changes again while it waits, the stronger kind stands. */
export const STRENGTH = { counters: 1, post: 2, channel: 3, language: 4 } as const
const BY_STRENGTH = Object.keys(STRENGTH) as Change['kind'][]

export function strongerKind(a: Change['kind'], b: Change['kind']): Change['kind'] {
  return STRENGTH[a] > STRENGTH[b] ? a : b
}

/** The change of that strength; a channel's own has the number 0. */
export function changeOf(strength: number, { channelId, number }: PostRef): Change {
  const kind = BY_STRENGTH[strength - 1]!
  return kind === 'channel' || kind === 'language'
    ? { kind, channelId }
    : { kind, channelId, number }
}

/** How far a count of waiting changes goes where a person reads it. */
export const PENDING_BOUND = 100_000

/** Holds the changes while no consumer is known. */
export const NOBODY = ''

const INDEX = 'index-'

/** The name under which the index of an analyzer version is told of changes. */
export function indexConsumer(analyzerVersion: number): string {
  return `${INDEX}${analyzerVersion}`
}

export function isIndexConsumer(name: string): boolean {
  return name.startsWith(INDEX)
}
