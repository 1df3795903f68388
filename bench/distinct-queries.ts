import { generateQueries, type BulkQuery } from '../test/simulated/bulk-queries.ts'
import { bulkOptions } from './data-folder.ts'

/**
 * Who asks the same within a moment shares an answer. So that it is not this that is measured, no query comes back within
 * 2 s, at up to 10 000 a second.
 */
const COUNT = 20_000

/** Of the queries over so many posts, those that `pick` makes something of; as many as there are, where that is fewer. */
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
