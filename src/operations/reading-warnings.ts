import type { QueryNode } from '../model/query.ts'
import type { QueryReading } from '../text/query/read-query.ts'
import { cutText } from '../model/cut-text.ts'
import { leavesOf } from '../model/query-tree.ts'
import type { Warning } from './warnings.ts'

/** A pasted post is not repeated in full: `suggestion` has it. */
const READ_CHARS = 200

/** Warns when a query was not read literally. */
export function readingWarnings({
  kind,
  repair,
}: Pick<QueryReading, 'kind' | 'repair'>): Warning[] {
  const warnings: Warning[] = []
  if (repair) {
    const detail = `${repair.problem}; read as: ${cutText(repair.read, READ_CHARS)}`
    warnings.push({ code: 'query_repaired', parameter: 'q', detail, suggestion: repair.read })
  }
  if (kind === 'text') {
    const detail =
      'read as running text: its signs are no operators, and its quotes, tags, names, addresses and emoji are wanted, not required; strict=true reads them as operators'
    warnings.push({ code: 'read_as_text', parameter: 'q', detail })
  }
  return warnings
}

/** The parts of a query that posts holding only some of it may lack: quotes, and the optional parts of running text. */
export function relaxableParts(q: string, root: QueryNode | null): string[] {
  const leaves = leavesOf(root)
  const soft = leaves.filter((leaf) => leaf.kind === 'quote' || leaf.wanted)
  return [...new Set(soft.map(({ start, end }) => q.slice(start, end)))]
}
