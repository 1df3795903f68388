import {
  DELETED,
  EDIT_KINDS,
  type Classified,
  type Edit,
  type EditKind,
  type NamedChange,
} from '../model/edit.ts'
import type { ArchivedPost, PostRef, PostVersion } from '../model/post.ts'
import { classifyEdit } from '../text/edits/classify-edit.ts'
import { FLAG } from './post-codec.ts'
import { isRedacted } from './redaction.ts'
import type { Retention } from './retention.ts'

/** What an edit is and how it is stored, shared by every adapter. */

/** Classifies an edit. The facts that changed (`named`) are recorded only where earlier versions keep their text. */
export function classifyReplaced(
  old: ArchivedPost,
  next: ArchivedPost,
  retention: Retention,
): Classified {
  // The old text was redacted when the post was deleted, so there is nothing to compare the restored text with.
  if (isRedacted(old)) return { kinds: ['text'], named: [] }
  const { kinds, named } = classifyEdit(old, next, old.language)
  return { kinds, named: retention.versions === 'keep' ? named : [] }
}

/**
 * The edits that a stored history implies: one for each version, dated by when that version was last seen because the time of
 * its replacement is not known, and then the deletion.
 */
export function editsOfHistory(
  post: ArchivedPost,
  versions: readonly PostVersion[],
): Pick<Edit, 'revision' | 'at' | 'kinds' | 'named'>[] {
  const texts = [...versions.slice(1).map(({ text }) => text), post.text]
  const { revision, deletedAt } = post
  const replaced = versions.map(({ capturedAt, text }, i) => ({
    revision: i + 1,
    at: capturedAt,
    ...classifyTexts(text, texts[i] ?? null, post.language),
  }))
  return deletedAt === null ? replaced : [...replaced, { revision, at: deletedAt, ...DELETED }]
}

function classifyTexts(
  before: string | null,
  after: string | null,
  language: string | null,
): Classified {
  if (before === null || after === null) return { kinds: ['text'], named: [] }
  return classifyEdit({ text: before }, { text: after }, language)
}

/** Bits in the order of EDIT_KINDS, as on disk. */
export function packKinds(kinds: readonly EditKind[]): number {
  return kinds.reduce((bits, kind) => bits | (1 << EDIT_KINDS.indexOf(kind)), 0)
}

function unpackKinds(bits: number): EditKind[] {
  return EDIT_KINDS.filter((_, i) => (bits & (1 << i)) !== 0)
}

export function packNamed(named: readonly NamedChange[]): string | null {
  if (named.length === 0) return null
  const rows = named.map(({ kind, before, after }) => [EDIT_KINDS.indexOf(kind), before, after])
  return JSON.stringify(rows)
}

function unpackNamed(packed: string | null): NamedChange[] {
  if (packed === null) return []
  const rows = JSON.parse(packed) as [number, string | null, string | null][]
  return rows.map(([kind, before, after]) => ({ kind: EDIT_KINDS[kind]!, before, after }))
}

/** The columns of an edit, without the key of its post. */
export interface EditRow {
  readonly revision: number
  readonly at: number
  readonly kinds: number
  readonly named: string | null
}

export interface EditHeadRow extends EditRow {
  readonly views: number
  readonly language: string | null
  readonly flags: number
}

export function unpackEdit({ channelId, number }: PostRef, row: EditRow): Edit {
  const { revision, at, kinds, named } = row
  const found = { kinds: unpackKinds(kinds), named: unpackNamed(named) }
  return { channelId, number, revision, at, ...found }
}

export function unpackEditHead(ref: PostRef, row: EditHeadRow): EditHead {
  const { views, language, flags } = row
  return { ...unpackEdit(ref, row), views, language, isDeleted: (flags & FLAG.deleted) !== 0 }
}

/** An edit with the fields of its post by which listings filter and sort. */
export interface EditHead extends Edit {
  /** -1 when the post shows no views. */
  readonly views: number
  readonly language: string | null
  readonly isDeleted: boolean
}
