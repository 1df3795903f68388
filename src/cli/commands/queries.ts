import { summaryOf } from '../../operations/render/change-words.ts'
import { minute } from '../../operations/render/markdown-words.ts'
import type { CommandCall } from '../command.ts'
import { formatCount, formatTold, plural, sparkline } from '../format.ts'
import { nextCommand } from '../invocation.ts'
import { postOf, wordsOf } from '../operands.ts'
import { showChange, showVersions } from '../show-change.ts'
import { showPost, showText } from '../show-posts.ts'
import { showRow } from '../show-row.ts'
import { showTable } from '../table.ts'
import { query } from './query.ts'

export function live(call: CommandCall): Promise<void> {
  const { print } = call
  return query(call, 'get_live_channel', { username: call.operands[0] }, (reply) => {
    const { data } = reply
    print.line(
      `${print.style.bold(data.channel.title)} @${data.channel.username}, ${formatTold(data.channel.subscribers)} subscribers`,
    )
    print.note(`source: ${data.source}, read ${minute(data.fetched_at)}`)
    print.line()
    for (const post of data.posts) showPost(post, print)
  })
}

export function channel(call: CommandCall): Promise<void> {
  const { print } = call
  return query(call, 'get_channel', { username: call.operands[0] }, (reply) => {
    const c = reply.data
    const visitedAt = c.index.last_visited_at
    showRow('', `${print.style.bold(c.title || c.username)} @${c.username}`, print)
    if (c.description !== '') showText(c.description, print)
    showRow(
      '',
      `${formatTold(c.subscribers)} subscribers, ${plural(c.stats.posts, 'post')} archived, ${c.stats.posts_per_day.toFixed(1)} a day${c.language === null ? '' : `, ${c.language}`}`,
      print,
    )
    showRow('', `30 days  ${sparkline(c.stats.daily)}   hours  ${sparkline(c.stats.hours)}`, print)
    showRow(
      '',
      `${c.index.status}${c.index.reason === null ? '' : ` (${c.index.reason})`}, archive from ${c.index.archive_from?.slice(0, 10) ?? '–'}${c.index.archive_complete ? ', complete' : ''}, visited ${visitedAt === null ? 'never' : minute(visitedAt)}`,
      print,
    )
    if (c.similar.length > 0)
      showRow('similar: ', c.similar.map((name) => `@${name}`).join(' '), print)
  })
}

export function channels(call: CommandCall): Promise<void> {
  const { print } = call
  return query(call, 'list_channels', wordsOf(call), (reply) => {
    if (reply.data.length === 0) {
      const said = 'No channel is indexed that matches.'
      // Only its operator can add channels to a server.
      print.note(call.url === null ? `${said} Add some: ${nextCommand(call, 'add durov')}` : said)
      return
    }
    const statusOf = ({ status, reason }: (typeof reply.data)[number]['index']) =>
      reason === null ? status : `${status}: ${reason}`
    showTable(
      reply.data,
      [
        { title: 'channel', cell: (c) => c.username },
        { title: 'title', shrinks: 1, mayGo: 1, cell: (c) => c.title },
        { title: 'lang', mayGo: 2, cell: (c) => c.language ?? '' },
        {
          title: 'subscribers',
          align: 'right',
          mayGo: 3,
          cell: (c) => formatTold(c.subscribers, ''),
        },
        { title: 'posts', align: 'right', cell: (c) => formatCount(c.posts) },
        { title: 'last post', mayGo: 5, cell: (c) => c.last_post_at?.slice(0, 10) ?? '' },
        { title: 'status', shrinks: 2, mayGo: 4, cell: (c) => statusOf(c.index) },
      ],
      print,
    )
  })
}

export async function post(call: CommandCall): Promise<void> {
  const { print } = call
  return query(call, 'get_post', postOf(call.operands[0] ?? ''), (reply) => {
    const { data } = reply
    showPost(data, print)
    showVersions(data, print)
    const { content_sha256, first_captured_at, last_captured_at, capture } = data.evidence
    print.line(print.style.dim(`sha256 ${content_sha256}`))
    print.line(
      print.style.dim(`captured ${first_captured_at} to ${last_captured_at} by ${capture}`),
    )
  })
}

export async function changes(call: CommandCall): Promise<void> {
  const { print } = call
  const { style } = print
  return query(call, 'list_changes', wordsOf(call), ({ data }, isFirst) => {
    if (isFirst && data.length === 0) print.note('no changes')
    for (const change of data) {
      const { channel, changed_at, kinds, before, after, url } = change
      const when = minute(changed_at)
      const facts = style.dim(`@${channel.username}  ${when} · ${kinds.join(', ')}`)
      showRow('', `${style.bold(summaryOf(change))}  ${facts}`, print)
      if (before !== null || after !== null) showChange(before ?? '', after ?? '', print)
      print.line(`  ${style.dim(url)}`)
      print.line()
    }
  })
}
