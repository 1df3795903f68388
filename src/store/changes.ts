import type { PostRef } from '../model/post.ts'

/**
 * Changes that consumers have not been told of yet. Each registered consumer has its own queue: the index of every analyzer
 * version in use, and whatever else follows the archive.
 */
export interface Changes {
  /**
   * Makes a consumer known, or notes that it is still alive. The first consumer inherits all changes that have waited for one;
   * a further consumer starts with the changes that wait for any other, and its rebuild is due: other changes may have passed
   * it by.
   */
  register(consumer: string): Promise<{ readonly rebuild: RebuildState }>
  /**
   * Notes how far a consumer's rebuild has come, so that a crash does not make it forget that one is due. Does nothing if the
   * consumer is no longer at `from`: it was unregistered meanwhile, and has missed changes again.
   */
  noteRebuild(consumer: string, from: RebuildState, to: RebuildState): Promise<void>
  /** Forgets a consumer and its changes. The changes of the last consumer are kept for the next one to register. */
  unregister(consumer: string): Promise<void>
  consumers(): Promise<readonly Consumer[]>

  /**
   * Claims up to `limit` changes that nobody holds, the longest waiting first; undefined when there are none. They are held
   * until `done`, `release` or the end of `ttlMs`, whichever comes first.
   */
  claim(
    consumer: string,
    options: { readonly limit: number; readonly ttlMs: number },
  ): Promise<Claim | undefined>
  /** Extends a claim. False when it has run out and others have taken its changes. */
  renew(claim: Claim, ttlMs: number): Promise<boolean>
  /** Forgets the changes of a claim, except those that changed again meanwhile or were claimed by others. */
  done(claim: Claim): Promise<void>
  /** Gives the changes of a claim back. */
  release(claim: Claim): Promise<void>

  /** How many changes wait, counted up to `bound`. For an unknown consumer, what would hold once it is registered. */
  pending(consumer: string, bound: number): Promise<Pending>
  /** Makes the rebuild of every consumer due. */
  expectRebuilds(): Promise<void>
  /**
   * Marks those posts of a channel as changed, for all consumers, whose language differs from the channel's; posts that
   * already wait to be read are left as they are. Done in steps, each a transaction.
   */
  markForeign(channelId: number): Promise<void>
}

/** Something that changed. */
export type Change =
  /** Read the post as it now is: put it into the index, or take it out when it is gone or deleted. */
  | { readonly kind: 'post'; readonly channelId: number; readonly number: number }
  /** Only its counters moved. */
  | { readonly kind: 'counters'; readonly channelId: number; readonly number: number }
  /** Its name or subscribers changed; or it was removed, and then it is no longer found. */
  | { readonly kind: 'channel'; readonly channelId: number }
  /** Its language changed, and perhaps the rest: posts whose own text tells no language take the channel's new one. */
  | { readonly kind: 'language'; readonly channelId: number }

export interface Claim {
  readonly id: string
  readonly consumer: string
  readonly changes: readonly Change[]
}

/**
 * Whether a consumer has to build what it derives from scratch. `begun`: it has started to, and since then it has been told
 * of every change, so that it may resume where it stopped. `filled`: it lacks nothing, but what the archive keeps of posts and channels may still
 * be of another version's analysis.
 */
export type RebuildState = 'none' | 'due' | 'begun' | 'filled'

export interface Consumer {
  readonly name: string
  /** How long ago it was last registered, by the store's clock: that of the process may be wrong. */
  readonly idleMs: number
}

export interface Pending {
  /** At most the bound asked for. */
  readonly count: number
  /** Since when the oldest change has waited; null when none waits. */
  readonly since: number | null
  /** Other changes have passed the consumer by, and it was not rebuilt since. */
  readonly isBehind: boolean
}

/** For adapters: kinds as databases store them. When something changes again while it waits, the stronger kind is kept. */
export const STRENGTH = { counters: 1, post: 2, channel: 3, language: 4 } as const
const BY_STRENGTH = Object.keys(STRENGTH) as Change['kind'][]

export function strongerKind(a: Change['kind'], b: Change['kind']): Change['kind'] {
  return STRENGTH[a] > STRENGTH[b] ? a : b
}

/** The change of that strength. Changes of a channel itself are stored under post number 0. */
export function changeOf(strength: number, { channelId, number }: PostRef): Change {
  const kind = BY_STRENGTH[strength - 1]!
  return kind === 'channel' || kind === 'language'
    ? { kind, channelId }
    : { kind, channelId, number }
}

/** Up to where waiting changes are counted for people to read. */
export const PENDING_BOUND = 100_000

/** The consumer that holds the changes while no other is known. */
export const NOBODY = ''

const INDEX = 'index-'

/** The consumer name of the index of an analyzer version. */
export function indexConsumer(analyzerVersion: number): string {
  return `${INDEX}${analyzerVersion}`
}

export function isIndexConsumer(name: string): boolean {
  return name.startsWith(INDEX)
}
