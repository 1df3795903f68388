/** What the columns tell of a post without a look at any list. */
import { HAS_VALUES } from '../../model/query.ts'
import type { ColumnBounds, Plan } from '../plan.ts'
import { hasTerm, languageTerm } from '../terms.ts'
import type { Columns } from './columns.ts'
import type { Test } from './postings/postings.ts'
import type { Snapshot } from './snapshot.ts'

export type ColumnFilter = (match: { readonly columns: Columns; readonly slot: number }) => boolean

/** Whether a post is within the bounds on columns; null where there are none. */
export function createColumnFilter(
  snapshot: Snapshot,
  plan: Plan,
  maxSeq = Infinity,
): ColumnFilter | null {
  const { bounds, isBounded } = plan
  if (!isBounded && maxSeq === Infinity) return null
  return ({ columns, slot }) =>
    columns.seq[slot]! <= maxSeq && (!isBounded || isWithin(snapshot, bounds, columns, slot))
}

function isWithin(
  snapshot: Snapshot,
  bounds: ColumnBounds,
  columns: Columns,
  slot: number,
): boolean {
  return (
    columns.views[slot]! >= bounds.minViews &&
    columns.views[slot]! < bounds.maxViews &&
    columns.reactions[slot]! >= bounds.minReactions &&
    columns.arrived[slot]! >= bounds.arrivedSince &&
    (bounds.minSubscribers === 0 ||
      snapshot.subscribers(columns.channel[slot]!) >= bounds.minSubscribers)
  )
}

const FLAGS = new Map(HAS_VALUES.map((value, bit) => [hasTerm(value), 1 << bit]))
const LANGUAGE = languageTerm('')

/** The terms whose posts the columns tell: what a post has, and its language. */
export function createTests(
  columns: Columns,
  languages: ReadonlyMap<string, number>,
): (term: string) => Test | undefined {
  return (term) => {
    const flag = FLAGS.get(term)
    if (flag !== undefined) return (slot) => (columns.flags[slot]! & flag) !== 0
    if (!term.startsWith(LANGUAGE)) return undefined
    const language = languages.get(term.slice(LANGUAGE.length))
    return language === undefined ? () => false : (slot) => columns.language[slot] === language
  }
}
