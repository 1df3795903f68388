import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
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
import type { Page } from './archive.ts'
import type { EditQuery, ListedEdit } from './edits.ts'
import { FLAG } from './post-codec.ts'
import { isRedacted } from './redaction.ts'
import type { Retention } from './store.ts'

/** What an edit is and how a listing walks over edits, shared by every adapter. */

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

export function classifyTexts(
  before: string | null,
  after: string | null,
  language: string | null,
): Classified {
  if (before === null || after === null) return { kinds: ['text'], named: [] }
  return classifyEdit({ text: before }, { text: after }, language)
}

/** Bits in the order of EDIT_KINDS, as on disk; 0 is an edit written before kinds existed. */
export function packKinds(kinds: readonly EditKind[]): number {
  return kinds.reduce((bits, kind) => bits | (1 << EDIT_KINDS.indexOf(kind)), 0)
}

function unpackKinds(bits: number): EditKind[] {
  return bits === 0 ? ['text'] : EDIT_KINDS.filter((_, i) => (bits & (1 << i)) !== 0)
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

export interface HeadRow extends EditRow {
  readonly views: number
  readonly language: string | null
  readonly flags: number
}

export function unpackEdit({ channelId, number }: PostRef, row: EditRow): Edit {
  const { revision, at, kinds, named } = row
  const found = { kinds: unpackKinds(kinds), named: unpackNamed(named) }
  return { channelId, number, revision, at, ...found }
}

export function unpackHead(ref: PostRef, row: HeadRow): EditHead {
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

/** The sort key of an edit: its time or views, then channel, number and revision, all descending. */
export type EditPosition = readonly [
  value: number,
  channelId: number,
  number: number,
  revision: number,
]

const FIRST: EditPosition = [2 ** 52, 0, 0, 0]

export function positionOf(head: EditHead, order: EditQuery['order']): EditPosition {
  const { channelId, number } = head
  return order === 'newest'
    ? [head.at, channelId, number, head.revision]
    : [head.views, channelId, number, head.revision]
}

/** Sorted by views, the cursor skips all other edits of a post that was shown. */
function cursorOf(head: EditHead, order: EditQuery['order']): EditPosition {
  const [value, channelId, number, revision] = positionOf(head, order)
  return [value, channelId, number, order === 'views' ? 0 : revision]
}

/** Negative when `a` comes first. */
export function comparePositions(a: EditPosition, b: EditPosition): number {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return b[i]! - a[i]!
  return 0
}

export function isListed(head: EditHead, query: EditQuery): boolean {
  const { kinds, lang, minViews, deleted } = query
  return (
    (kinds.length === 0 || head.kinds.some((kind) => kinds.includes(kind))) &&
    (lang.length === 0 || lang.includes(head.language ?? '')) &&
    (minViews === null || head.views >= minViews) &&
    (query.since === null || head.at >= query.since) &&
    (query.until === null || head.at < query.until) &&
    (deleted === 'include' || (deleted === 'only') === head.isDeleted)
  )
}

export function listedEdit(head: EditHead, order: EditQuery['order']): ListedEdit {
  const { views: _views, language: _language, isDeleted: _isDeleted, ...edit } = head
  return { ...edit, next: JSON.stringify(cursorOf(head, order)) }
}

/** How many edits a listing reads in one step, and in all before it returns a cursor. */
const HEADS_A_STEP = 1_000
const MAX_WALKED = 20_000

/** Reads the heads after a position, of one channel or, when null, of all. */
type EditStep = (
  channelId: number | null,
  after: EditPosition,
  limit: number,
) => Promise<readonly EditHead[]>

/** For adapters with an index for each order: finds one page by walking along that index. */
export async function walkEdits(
  query: EditQuery,
  step: EditStep,
): Promise<Page<ListedEdit, string>> {
  const { order, limit } = query
  const begin =
    query.after !== null
      ? (JSON.parse(query.after) as EditPosition)
      : order === 'newest' && query.until !== null
        ? ([query.until, 0, 0, 0] as const)
        : FIRST
  const ids = query.channelIds === null ? [null] : [...new Set(query.channelIds)]
  const walks = []
  for (const id of ids) walks.push(await walkOne(query, (at, rows) => step(id, at, rows), begin))
  // A walk may have stopped early: whatever sorts after that point has to wait for the next page.
  const [edge] = walks.flatMap((walk) => (walk.edge ? [walk.edge] : [])).toSorted(comparePositions)
  const found = walks
    .flatMap(({ heads }) => heads)
    .map((head) => ({ head, position: positionOf(head, order) }))
    .filter(({ position }) => edge === undefined || comparePositions(position, edge) <= 0)
    .toSorted((a, b) => comparePositions(a.position, b.position))
  const shown = found.slice(0, limit).map(({ head }) => head)
  const items = shown.map((head) => listedEdit(head, order))
  if (found.length > limit) return { items, next: items.at(-1)!.next }
  return { items, next: edge === undefined ? null : JSON.stringify(edge) }
}

async function walkOne(
  query: EditQuery,
  step: (after: EditPosition, limit: number) => Promise<readonly EditHead[]>,
  begin: EditPosition,
): Promise<{ readonly heads: readonly EditHead[]; readonly edge: EditPosition | null }> {
  const { order, limit, since } = query
  const isSelective =
    order === 'views' ||
    query.kinds.length + query.lang.length > 0 ||
    query.minViews !== null ||
    query.deleted !== 'include'
  const rows = isSelective ? HEADS_A_STEP : limit + 1
  const heads: EditHead[] = []
  let at = begin
  for (let walked = 0; walked < MAX_WALKED; walked += rows) {
    const some = await step(at, rows)
    for (const head of some) {
      if (order === 'newest' && since !== null && head.at < since) return { heads, edge: null }
      const last = heads.at(-1)
      const isShown =
        order === 'views' && last?.number === head.number && last.channelId === head.channelId
      if (isShown) continue
      const isNext = isListed(head, query)
      at = isNext ? cursorOf(head, order) : positionOf(head, order)
      if (!isNext) continue
      heads.push(head)
      if (heads.length > limit) return { heads, edge: at }
    }
    if (some.length < rows) return { heads, edge: null }
    await yieldToEventLoop()
  }
  return { heads, edge: at }
}
