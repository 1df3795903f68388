import type { Edit, EditKind } from '../model/edit.ts'
import type { PostRef, PostVersion } from '../model/post.ts'
import type { Inclusion } from '../model/query.ts'
import type { Page } from './archive.ts'

/** Edits and deletions in all channels, written by the reading that noticed them and erased with their post. */
export interface Edits {
  /**
   * One page. Each order is total, so that paging by `next` shows nothing twice. Sorted by views a post appears once, with its
   * latest matching edit. After looking at many edits it returns what it has found so far, maybe nothing, with a cursor.
   */
  list(query: EditQuery): Promise<Page<ListedEdit, string>>
  /** What happened to one post, oldest first. `latest` limits it to the latest edits. */
  ofPost(ref: PostRef, latest?: number): Promise<readonly Edit[]>
  /** For each edit, the version that was replaced and, where that was replaced in turn, the version that followed it. */
  texts(edits: readonly Edit[]): Promise<readonly EditTexts[]>
}

export interface EditQuery {
  /** By the time the edit was noticed, latest first; or by the views of the post, most first. */
  readonly order: 'newest' | 'views'
  /** Edits of any of these kinds; empty for all kinds. */
  readonly kinds: readonly EditKind[]
  /** Null for all channels. */
  readonly channelIds: readonly number[] | null
  /** Edits of posts in one of these languages; empty for all languages. */
  readonly lang: readonly string[]
  readonly since: number | null
  readonly until: number | null
  readonly minViews: number | null
  /** Whether to list deletions, and edits of posts that have since been deleted. */
  readonly deleted: Inclusion
  readonly limit: number
  /** `next` of the previous page; opaque to everything but the adapter. */
  readonly after: string | null
}

export interface ListedEdit extends Edit {
  /** The `after` of a page that starts after this edit. */
  readonly next: string
}

export interface EditTexts {
  /** Null for a deletion. */
  readonly before: PostVersion | null
  /** Null when the current state of the post replaced it. */
  readonly next: PostVersion | null
}
