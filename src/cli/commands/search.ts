import type { ReplyOf } from '../../client/client.ts'
import { WHY_INCOMPLETE } from '../../model/incomplete.ts'
import { hasFilter } from '../../operations/search-input.ts'
import { searchPosts } from '../../operations/search-posts.ts'
import { UsageError, type CommandCall } from '../command.ts'
import { formatCount, plural } from '../format.ts'
import { wordsOf } from '../operands.ts'
import { inputOf } from '../operation-flags.ts'
import { showPost } from '../show-posts.ts'
import { showRow } from '../show-row.ts'
import { tableLines } from '../table.ts'
import { timeline } from '../timeline.ts'
import { whyNothing } from '../why-nothing.ts'
import { query } from './query.ts'

type SearchMeta = ReplyOf<'search_posts'>['meta']

export function checkSearch({ operands, flags }: CommandCall): void {
  if (operands.length > 0 || hasFilter(inputOf(searchPosts, flags))) return
  throw new UsageError('expected words to search for or at least one filter')
}

export function search(call: CommandCall): Promise<void> {
  const { print } = call
  return query(call, 'search_posts', wordsOf(call), async (reply, isFirst, asker) => {
    const { data, meta } = reply
    if ('parsed' in data) {
      print.line(JSON.stringify(data, null, 2))
      return
    }
    for (const post of data) {
      if ('channel' in post) showPost(post, print)
      else print.line(post.id)
    }
    if (!isFirst) return
    showFacets(meta, call)
    const isEmpty = meta.coverage?.posts === 0
    const told = isEmpty
      ? whyNothing((await asker.ask('get_status', {})).data, call)
      : outcomeOf(meta)
    print.note(told)
  })
}

/** How many posts were found, and among how many. */
function outcomeOf(meta: SearchMeta): string {
  const { coverage } = meta
  const found = foundOf(meta)
  if (!coverage) return found
  const { posts, channels, reason } = coverage
  const partial = reason === null ? '' : `; not all was searched: ${WHY_INCOMPLETE[reason]}`
  return `${found}searched ${plural(posts, 'post')} of ${plural(channels, 'channel')}${partial}`
}

/** The total counts posts that hold all the words; posts that hold some may be shown as well. */
function foundOf({ total, query: { relaxed } }: SearchMeta): string {
  if (!total) return ''
  if (relaxed && total.value === 0) return 'no post contains all the words, these contain some; '
  const all = `${total.relation === 'gte' ? 'more than ' : ''}${plural(total.value, 'post')}`
  const one = total.value === 1
  return relaxed
    ? `${all} ${one ? 'holds' : 'hold'} all the words, the others some; `
    : `${all} ${one ? 'matches' : 'match'}; `
}

function showFacets(meta: SearchMeta, { print }: CommandCall): void {
  for (const [name, values] of Object.entries(meta.facets ?? {})) {
    if (name === 'day' || name === 'hour') {
      showRow(`${print.style.bold(name)}  `, timeline(values, name), print)
      continue
    }
    print.line(print.style.bold(name))
    const titled = values.some((v) => v.title !== undefined)
    const rows = values.map((v) => [
      v.value,
      ...(titled ? [v.title ?? ''] : []),
      formatCount(v.count),
    ])
    for (const line of tableLines(
      [
        { title: '' },
        ...(titled ? [{ title: '', shrinks: 1 }] : []),
        { title: '', align: 'right' },
      ],
      rows,
      print.width,
    ).slice(1))
      print.line(`  ${line}`)
  }
}
