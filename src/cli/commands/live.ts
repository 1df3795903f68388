import type { CommandCall, ExitCode } from '../command.ts'
import { showPost } from '../show-posts.ts'
import type { ShownPost } from '../show-posts.ts'
import { query } from './query.ts'

export function live(call: CommandCall): Promise<ExitCode> {
  const { print } = call
  return query(call, 'get_live_channel', { username: call.operands[0] }, (reply) => {
    const data = reply.data as {
      source: string
      fetched_at: string
      channel: { title: string; username: string; subscribers: { raw: string } | null }
      posts: ShownPost[]
    }
    print.line(
      `${print.style.bold(data.channel.title)} @${data.channel.username}, ${data.channel.subscribers?.raw ?? '?'} subscribers`,
    )
    print.note(`source: ${data.source}, read ${data.fetched_at}`)
    print.line()
    for (const post of data.posts) showPost(post, print)
  })
}
