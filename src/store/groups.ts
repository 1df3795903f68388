import type { PostRef } from '../model/post.ts'

/**
 * Groups of posts that say the same, for every index alike. They are formed in the order in which posts arrive and kept, so
 * that an index built anew shows the same ones.
 */
export interface Groups {
  /**
   * Each post joins the group that it resembles, or leads one of its own; one that comes again with the same fingerprint stays
   * where it is, so a batch may be repeated. Resolves to where each then stands. Whoever else stands elsewhere by it gets a
   * change of its own, for all consumers.
   */
  join(posts: readonly Fingerprinted[]): Promise<readonly Standing[]>
  /** Who is in a group, the earliest first; nobody where it is not known. */
  members(group: number, limit: number): Promise<readonly PostRef[]>
  /** Takes posts out; whoever stands elsewhere by it gets a change. */
  leave(posts: readonly PostRef[]): Promise<void>
  leaveChannel(channelId: number): Promise<void>
  /** Forgets posts published before, a part at a time; the others stay where they are. */
  expire(publishedBefore: number): Promise<void>
}

/** What tells whether a post says the same as another. */
export interface Fingerprinted extends PostRef {
  readonly publishedAt: number
  /** Whoever shares one of these says the same. Safe integers, as are those of `bands`. */
  readonly keys: readonly number[]
  /** Whoever shares one of these may say the same: the sketches decide. */
  readonly bands: readonly number[]
  /** Bytes, of which similar texts have many in common. */
  readonly sketch: readonly number[]
}

/** Where a post stands among those that say the same. */
export interface Standing {
  /** Null for a post that is alone. */
  readonly group: number | null
  /** Another of the group is earlier. */
  readonly isCopy: boolean
}
