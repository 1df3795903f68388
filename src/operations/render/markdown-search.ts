import type { z } from 'zod'
import { WHY_INCOMPLETE } from '../../model/incomplete.ts'
import type { Reply } from '../operation.ts'
import type { searchMeta } from '../search-meta.ts'
import type { explanationView } from '../explain-search.ts'
import type { Item } from './items.ts'
import { markdownPosts } from './markdown-post.ts'
import { counted, line, minute, ORIGIN } from './markdown-words.ts'

type SearchMeta = z.output<typeof searchMeta>

/** The query, the number of posts found, and the posts. */
export function markdownSearch({
  data,
  meta,
}: Reply<readonly Item[] | z.output<typeof explanationView>, SearchMeta>): string {
  const heading = `# Search${meta.query.parsed ? `: ${line(meta.query.parsed)}` : ''}`
  if ('parsed' in data) return `${heading}\n\n\`\`\`json\n${JSON.stringify(data, null, 1)}\n\`\`\``
  const header = `${foundOf(meta, data.length)} ${searchedOf(meta)} ${ORIGIN}`
  return [heading, header, ...markdownPosts(data), ...facetsOf(meta)].join('\n\n')
}

/** The total counts posts that hold all the words; posts that hold some may be shown as well. */
function foundOf({ total, query }: SearchMeta, shown: number): string {
  if (!total) return ''
  const { value, relation } = total
  const all = `${relation === 'gte' ? 'at least ' : ''}${value}`
  if (query.relaxed)
    return value === 0
      ? `No post contains all the words; ${shown} ${shown === 1 ? 'contains' : 'contain'} some.`
      : `${posts(shown)}; ${all} ${value === 1 ? 'holds' : 'hold'} all the words, the others some.`
  if (value === 0 && relation === 'eq') return 'No post matches.'
  return relation === 'eq' && shown === value ? `${posts(shown)}.` : `${shown} of ${all} posts.`
}

function posts(count: number): string {
  return `${count} ${count === 1 ? 'post' : 'posts'}`
}

function searchedOf({ window, coverage }: SearchMeta): string {
  const when = `Published ${minute(window.since)} to ${minute(window.until)} UTC.`
  if (!coverage) return when
  const { channels, posts, newest_post_at: newest, reason } = coverage
  const newestSaid = newest === null ? '' : `, the newest of ${minute(newest)}`
  const held = `${counted(posts, 'post')} of ${counted(channels, 'channel')}${newestSaid}`
  return reason === null
    ? `${when} Searched all ${held}.`
    : `${when} Not all of ${held} was searched: ${WHY_INCOMPLETE[reason]}.`
}

/** A month of hours would take more room than the posts. */
const MAX_FACET = 48

/** One line per facet. */
function facetsOf({ facets = {} }: SearchMeta): string[] {
  const rows = Object.entries(facets).map(([name, values]) => {
    const shown = values.slice(0, MAX_FACET).map(({ value, count }) => `${line(value)} ${count}`)
    const more = values.length > MAX_FACET ? `, and ${values.length - MAX_FACET} more` : ''
    return `By ${name}: ${shown.length > 0 ? shown.join(', ') : 'none'}${more}`
  })
  return rows.length > 0 ? [rows.join('\n')] : []
}
