import type { PostRef } from './post.ts'

/**
 * What an edit touched. `text`: words beyond the other kinds. `other`: nothing of the text, but its formatting, media, poll,
 * buttons or signature. `deleted`: the post as a whole.
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

/** One thing that changed, as it stood in the text; null where it was added or taken away. */
export interface NamedChange {
  readonly kind: EditKind
  readonly before: string | null
  readonly after: string | null
}

/** Kinds in the order of their list, and what can be named of them. */
export interface Classified {
  readonly kinds: readonly EditKind[]
  readonly named: readonly NamedChange[]
}

/** What its author did to a post after it was first seen: an edit, or its deletion. */
export interface Edit extends PostRef, Classified {
  /** The revision that was replaced or deleted. */
  readonly revision: number
  /** When it was noticed. */
  readonly at: number
}

export const DELETED: Classified = { kinds: ['deleted'], named: [] }
