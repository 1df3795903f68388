import { z } from 'zod'
import { SORTS, type QueryNode } from '../model/query.ts'
import { leavesOf } from '../model/query-tree.ts'
import { countTerms } from '../text/query/lex-query.ts'
import { explainQuery, printQuery } from '../text/query/print-query.ts'
import type { ReadSearch } from './search-query.ts'
import { timeView, viewTimeOrNull } from './views/common.ts'

export const explanationView = z
  .strictObject({
    parsed: z.strictObject({
      query: z
        .string()
        .nullable()
        .meta({ description: 'Canonical form; parses to the same query.' }),
      tree: z.record(z.string(), z.unknown()).nullable(),
      sort: z.enum(SORTS),
      match: z.enum(['stem', 'exact']),
      strict: z.boolean(),
      since: timeView.nullable().meta({ description: 'As requested; null if not given.' }),
      until: timeView.nullable(),
    }),
    cost: z.strictObject({
      terms: z.int().meta({ description: 'At most 64; each word of a phrase counts.' }),
      depth: z.int(),
      daily: z.int().meta({ description: 'What the search itself would spend of `daily`.' }),
    }),
  })
  .meta({ id: 'Explanation' })

export function explainSearch({
  root,
  query,
  asked,
}: ReadSearch): z.output<typeof explanationView> {
  return {
    parsed: {
      query: root && printQuery(root),
      tree: root && explainQuery(root),
      sort: query.sort,
      match: query.match,
      strict: query.strict,
      since: viewTimeOrNull(asked.since),
      until: viewTimeOrNull(asked.until),
    },
    cost: {
      terms: countTerms(leavesOf(root)),
      depth: root ? depthOf(root) : 0,
      daily: 1,
    },
  }
}

function depthOf(node: QueryNode): number {
  switch (node.kind) {
    case 'and':
    case 'or':
      return 1 + Math.max(0, ...node.nodes.map(depthOf))
    case 'not':
      return depthOf(node.node)
    default:
      return 0
  }
}
