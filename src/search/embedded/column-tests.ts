import { HAS_VALUES } from '../../model/query.ts'
import { hasTerm, languageTerm } from '../terms.ts'
import type { Columns } from './columns.ts'
import type { Test } from './postings/cursors.ts'

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
