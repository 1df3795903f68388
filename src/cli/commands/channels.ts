import { minute } from '../../operations/render/markdown-words.ts'
import type { CommandCall } from '../command.ts'
import { formatCount, formatTold, plural, sparkline } from '../format.ts'
import { nextCommand } from '../invocation.ts'
import { wordsOf } from '../operands.ts'
import { showRow } from '../show-row.ts'
import { showText } from '../show-posts.ts'
import { tableLines } from '../table.ts'
import { query } from './query.ts'

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
    const rows = reply.data.map((c) => [
      c.username,
      c.title,
      c.language ?? '',
      formatTold(c.subscribers, ''),
      formatCount(c.posts),
      c.last_post_at?.slice(0, 10) ?? '',
      c.index.reason === null ? c.index.status : `${c.index.status}: ${c.index.reason}`,
    ])
    if (rows.length === 0) {
      const said = 'No channel is indexed that matches.'
      // Only its operator can add channels to a server.
      print.note(call.url === null ? `${said} Add some: ${nextCommand(call, 'add durov')}` : said)
      return
    }
    const columns = [
      { title: 'channel' },
      { title: 'title', shrinks: 1, mayGo: 1 },
      { title: 'lang', mayGo: 2 },
      { title: 'subscribers', align: 'right' as const, mayGo: 3 },
      { title: 'posts', align: 'right' as const },
      { title: 'last post', mayGo: 5 },
      { title: 'status', shrinks: 2, mayGo: 4 },
    ]
    for (const line of tableLines(columns, rows, print.width)) print.line(line)
  })
}
