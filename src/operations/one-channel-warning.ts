import type { SearchResult } from '../model/query.ts'
import { leavesOf } from '../model/query-tree.ts'
import type { HitView } from './views/hit.ts'
import type { ReadSearch } from './search-query.ts'
import type { Warning } from './warnings.ts'

/** With fewer hits it is no surprise that they come from one channel. */
const MIN_HITS = 5

/**
 * Readers of one page take it for everything. If all of its posts come from one channel that the query did not name, the
 * warning says how to see others.
 */
export function oneChannelWarning(
  { query, root }: Pick<ReadSearch, 'query' | 'root'>,
  excluded: readonly string[],
  { hits, next }: Pick<SearchResult, 'hits' | 'next'>,
  [shown]: readonly HitView[],
): Warning[] {
  const isFirst = query.sort === 'relevance' && query.after === null
  if (!isFirst || next === null || hits.length < MIN_HITS || !shown) return []
  const isNamed =
    query.filters.channel.any.length > 0 ||
    leavesOf(root, 'asked').some(({ kind }) => kind === 'channel')
  if (isNamed || new Set(hits.map(({ channelId }) => channelId)).size > 1) return []
  const [username] = shown.id.split('/')
  const detail = `all ${hits.length} posts of this page are of ${username}; \`exclude_channel\` shows those of others`
  const suggestion = [...excluded, username].join(',')
  return [{ code: 'one_channel', parameter: 'exclude_channel', detail, suggestion }]
}
