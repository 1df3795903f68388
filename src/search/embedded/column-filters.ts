/** What the columns tell of a post without a look at any list. */
import { HAS_VALUES } from '../../model/query.ts'
import { isWithin } from '../number-ranges.ts'
import type { Plan } from '../plan.ts'
import { hasTerm, languageTerm } from '../terms.ts'
import type { Columns } from './columns.ts'
import type { Test } from './postings/postings.ts'
import type { Snapshot } from './snapshot.ts'

export type ColumnFilter = (match: { readonly columns: Columns; readonly slot: number }) => boolean

/** Whether a post is within the bounds on columns; null where there are none. */
export function createColumnFilter(
  snapshot: Snapshot,
  { ranges }: Plan,
  maxSeq = Infinity,
): ColumnFilter | null {
  if (ranges.length === 0 && maxSeq === Infinity) return null
  return ({ columns, slot }) =>
    columns.seq[slot]! <= maxSeq &&
    isWithin(ranges, (name) =>
      name === 'subscribers' ? snapshot.subscribers(columns.channel[slot]!) : columns[name][slot]!,
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
