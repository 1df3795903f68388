import type { PostRef } from '../model/post.ts'

/**
 * Groups of posts that say the same, shared by all indexes. They are formed in the order in which posts arrive and are
 * stored, so that a rebuilt index shows the same groups.
 */
export interface Groups {
  /**
   * Each post joins the group that it resembles, or leads a new one. A post that comes again with the same fingerprint stays
   * where it is, so a batch may be repeated. Resolves to the standing of each post. Every other post whose standing changes as
   * a result gets a change of its own, for all consumers.
   */
  join(posts: readonly Fingerprinted[]): Promise<readonly Standing[]>
  /** The members of a group, the earliest first; empty for an unknown group. */
  members(group: number, limit: number): Promise<readonly PostRef[]>
  /** Takes posts out of their groups; every other post whose standing changes gets a change. */
  leave(posts: readonly PostRef[]): Promise<void>
  leaveChannel(channelId: number): Promise<void>
  /** Forgets posts published before then, in steps; the others keep their groups. */
  expire(publishedBefore: number): Promise<void>
}

/** A post with what it is compared by. */
export interface Fingerprinted extends PostRef {
  readonly publishedAt: number
  /** Posts that share one of these say the same. Safe integers, as are the bands. */
  readonly keys: readonly number[]
  /** Posts that share one of these may say the same: their sketches decide. */
  readonly bands: readonly number[]
  /** Bytes; similar texts have many of them in common. */
  readonly sketch: readonly number[]
}

/** The place of a post among those that say the same. */
export interface Standing {
  /** Null for a post that no other resembles. */
  readonly group: number | null
  /** Whether another member of the group is earlier. */
  readonly isCopy: boolean
}
