import type { CommandCall } from '../command.ts'
import { postOf } from '../operands.ts'
import { showVersions } from '../show-change.ts'
import { showPost } from '../show-posts.ts'
import { query } from './query.ts'

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
