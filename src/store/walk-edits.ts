import type { Page } from './archive.ts'
import type { EditHead } from './edit-rules.ts'
import type { EditQuery, ListedEdit } from './edits.ts'

/** How a listing walks over edits, shared by every adapter. */

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

function listedEdit(head: EditHead, order: EditQuery['order']): ListedEdit {
  const { views: _views, language: _language, isDeleted: _isDeleted, ...edit } = head
  return { ...edit, next: JSON.stringify(cursorOf(head, order)) }
}

/** How many edits a listing reads in one step, and in all before it returns a cursor. */
const HEADS_A_STEP = 1_000
const MAX_HEADS = 20_000

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
  for (let walked = 0; walked < MAX_HEADS; walked += rows) {
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
  }
  return { heads, edge: at }
}
