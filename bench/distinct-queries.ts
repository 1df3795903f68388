import { generateQueries, type BulkQuery } from '../test/simulated/bulk-queries.ts'
import { bulkOptions } from './data-folder.ts'

/**
 * Identical queries within a moment share an answer. To measure searches instead, no query is repeated within 2 s, at up
 * to 10 000 queries a second.
 */
const COUNT = 20_000

/** The distinct queries that `pick` makes of those over this many posts; fewer than `COUNT` if there are not enough. */
export function distinctQueries(
  posts: number,
  pick: (query: BulkQuery) => string | undefined,
): string[] {
  const found = new Set<string>()
  for (const query of generateQueries({ ...bulkOptions(posts), queries: 3 * COUNT })) {
    const q = pick(query)
    if (q !== undefined) found.add(q)
    if (found.size === COUNT) break
  }
  if (found.size < COUNT) console.log(`only ${found.size} different queries over ${posts} posts`)
  return [...found]
}
