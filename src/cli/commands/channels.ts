import { minute } from '../../operations/render/markdown-words.ts'
import type { CommandCall } from '../command.ts'
import { formatCount, plural, sparkline } from '../format.ts'
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
      `${c.subscribers?.raw ?? '?'} subscribers, ${plural(c.stats.posts, 'post')} archived, ${c.stats.posts_per_day.toFixed(1)} a day${c.language === null ? '' : `, ${c.language}`}`,
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
      c.subscribers?.raw ?? '',
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
      { title: 'title', shrinks: 1, mayGo: true },
      { title: 'lang' },
      { title: 'subscribers', align: 'right' as const, shrinks: 2 },
      { title: 'posts', align: 'right' as const },
      { title: 'last post' },
      { title: 'status', shrinks: 3 },
    ]
    for (const line of tableLines(columns, rows, print.width)) print.line(line)
  })
}
