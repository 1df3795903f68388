import type { Edit, EditKind } from '../model/edit.ts'
import type { PostRef, PostVersion } from '../model/post.ts'
import type { Inclusion } from '../model/query.ts'
import type { Page } from './archive.ts'

/** Edits and deletions of all channels, written with the reading that noticed them and gone with their post. */
export interface Edits {
  /**
   * One page, each order total: a walk by `next` shows nothing twice. By views a post stands once, with its latest edit that
   * matches. A listing that has looked at many gives what it has found, which may be nothing, and where to go on.
   */
  list(query: EditQuery): Promise<Page<ListedEdit, string>>
  /** What happened to one post, oldest first; the latest so many, or all. */
  ofPost(ref: PostRef, latest?: number): Promise<readonly Edit[]>
  /** For each the version that was replaced, and the one that took its place where that was replaced, too. */
  texts(edits: readonly Edit[]): Promise<readonly EditTexts[]>
}

export interface EditQuery {
  /** When it was noticed, latest first; or how often the post was seen, most first. */
  readonly order: 'newest' | 'views'
  /** Any of them; none: all. */
  readonly kinds: readonly EditKind[]
  /** Null: all channels. */
  readonly channelIds: readonly number[] | null
  /** Of posts in one of these languages; none: any. */
  readonly lang: readonly string[]
  readonly since: number | null
  readonly until: number | null
  readonly minViews: number | null
  /** Edits of posts that were deleted since, and the deletions themselves. */
  readonly deleted: Inclusion
  readonly limit: number
  /** `next` of the page before; only the adapter understands it. */
  readonly after: string | null
}

export interface ListedEdit extends Edit {
  /** `after` of a page that begins behind it. */
  readonly next: string
}

export interface EditTexts {
  /** Null for a deletion. */
  readonly before: PostVersion | null
  /** Null where the post as it is took its place. */
  readonly next: PostVersion | null
}
