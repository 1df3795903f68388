import type { PostRef } from './post.ts'

/**
 * What an edit touched. `text`: words that are none of the kinds before it. `other`: not the text, but formatting, media,
 * poll, buttons or signature. `deleted`: the whole post.
 */
export const EDIT_KINDS = [
  'number',
  'name',
  'link',
  'negation',
  'text',
  'other',
  'deleted',
] as const
export type EditKind = (typeof EDIT_KINDS)[number]

/** One thing that changed, as the text has it. `before` is null when it was added, `after` when it was removed. */
export interface NamedChange {
  readonly kind: EditKind
  readonly before: string | null
  readonly after: string | null
}

/** The kinds of an edit in the order of `EDIT_KINDS`, and the individual changes that can be named. */
export interface Classified {
  readonly kinds: readonly EditKind[]
  readonly named: readonly NamedChange[]
}

/** What the author did to a post after it was first archived: an edit or a deletion. */
export interface Edit extends PostRef, Classified {
  /** The revision that was replaced or deleted. */
  readonly revision: number
  /** When it was noticed. */
  readonly at: number
}

export const DELETED: Classified = { kinds: ['deleted'], named: [] }
