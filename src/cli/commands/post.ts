import { parsePostRef } from '../../model/post-ref.ts'
import { UsageError, type CommandCall, type ExitCode } from '../command.ts'
import { showVersions } from '../show-change.ts'
import { showPost } from '../show-posts.ts'
import { query } from './query.ts'

export async function post(call: CommandCall): Promise<ExitCode> {
  const { print } = call
  const [given = ''] = call.operands
  const ref = parsePostRef(given)
  if (ref === undefined)
    throw new UsageError(`expected a post such as durov/342; found ${JSON.stringify(given)}`)
  const input = { username: ref.username, slug: String(ref.number) }
  return query(call, 'get_post', input, (reply) => {
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
