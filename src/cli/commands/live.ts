import { minute } from '../../operations/render/markdown-words.ts'
import type { CommandCall } from '../command.ts'
import { formatTold } from '../format.ts'
import { showPost } from '../show-posts.ts'
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
