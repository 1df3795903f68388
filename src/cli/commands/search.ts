import type { CommandCall, ExitCode } from '../command.ts'
import { formatCount, sparkline } from '../format.ts'
import { TELEGREP } from '../invocation.ts'
import { showPost } from '../show-posts.ts'
import type { ShownPost } from '../show-posts.ts'
import { tableLines } from '../table.ts'
import { query } from './query.ts'

interface SearchMeta {
  readonly total?: { readonly value: number; readonly relation: string }
  readonly next_cursor: string | null
  readonly coverage?: {
    readonly posts: number
    readonly channels: number
    readonly complete: boolean
    readonly reason: string | null
  }
  readonly facets?: Readonly<
    Record<string, readonly { readonly value: string; readonly count: number }[]>
  >
}

export function search(call: CommandCall): Promise<ExitCode> {
  const { operands, print } = call
  const input = operands.length === 0 ? {} : { q: operands.join(' ') }
  return query(call, 'search_posts', input, (reply, isFirst) => {
    const meta = reply.meta as SearchMeta
    if (!Array.isArray(reply.data)) {
      print.line(JSON.stringify(reply.data, null, 2))
      return
    }
    if (call.flags['detail'] === 'ids')
      for (const { id } of reply.data as { id: string }[]) print.line(id)
    else for (const post of reply.data as ShownPost[]) showPost(post, print)
    if (!isFirst) return
    showFacets(meta, call)
    print.note(outcomeOf(meta))
  })
}

/** How much was found, and in how much. */
function outcomeOf({ total, coverage }: SearchMeta): string {
  if (coverage?.posts === 0) {
    return `No post is indexed yet: "${TELEGREP} add durov" names a channel, "${TELEGREP} serve" reads it`
  }
  const found = total
    ? `${total.relation === 'gte' ? 'more than ' : ''}${formatCount(total.value)} posts match; `
    : ''
  if (!coverage) return found
  const { posts, channels, complete, reason } = coverage
  const cut = complete ? '' : `, cut short${reason === null ? '' : ` (${reason})`}`
  return `${found}searched ${formatCount(posts)} posts of ${formatCount(channels)} channels${cut}`
}

function showFacets(meta: SearchMeta, { print }: CommandCall): void {
  for (const [name, values] of Object.entries(meta.facets ?? {})) {
    if (name === 'day' || name === 'hour') {
      print.line(`${print.style.bold(name)}  ${sparkline(values.map((v) => v.count))}`)
      continue
    }
    print.line(print.style.bold(name))
    const rows = values.map((v) => [v.value, formatCount(v.count)])
    for (const line of tableLines(
      [{ title: '' }, { title: '', align: 'right' }],
      rows,
      print.width,
    ).slice(1))
      print.line(`  ${line}`)
  }
}
