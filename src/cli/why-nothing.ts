import type { ReplyOf } from '../client/client.ts'
import type { CommandCall } from './command.ts'
import { formatCount, plural } from './format.ts'
import { nextCommand } from './invocation.ts'

type Status = Pick<ReplyOf<'get_status'>['data'], 'archive' | 'index'>
type Call = Pick<CommandCall, 'flags' | 'config' | 'url'>

const STATUS = ['status', 'tells how far that is'] as const
const DOCTOR = ['doctor', 'tells what hinders it'] as const

/** Why the index holds no posts, and what helps. */
export function whyNothing({ archive, index }: Status, call: Call): string {
  const { channels, posts } = archive
  if (posts > 0 && (index.rebuilding || index.pending_changes > 0)) {
    const said = `No post is indexed yet, of ${formatCount(posts)} in the archive`
    return withSteps(said, [['serve', 'makes the index, where none runs yet'], STATUS], call)
  }
  if (posts > 0) {
    const said = `No post of the last 30 days is indexed, of ${formatCount(posts)} in the archive`
    return withSteps(said, [['export', 'writes them']], call)
  }
  if (channels > 0) {
    const said = `No post is indexed yet, ${plural(channels, 'channel')} to be read first`
    return withSteps(said, [['serve', 'reads, where none runs yet'], STATUS, DOCTOR], call)
  }
  const first = ['add durov', 'names a channel'] as const
  const second = ['serve', 'reads it and makes the index'] as const
  return withSteps('No post is indexed yet', [first, second, STATUS, DOCTOR], call)
}

function withSteps(
  said: string,
  steps: readonly (readonly [string, string])[],
  call: Call,
): string {
  // Only its operator can fix a server.
  if (call.url !== null) return said
  const commands = steps.map(([command, does]) => [nextCommand(call, command), does] as const)
  const width = Math.max(...commands.map(([command]) => command.length))
  return [
    `${said}:`,
    ...commands.map(([command, does]) => `  ${command.padEnd(width)}  ${does}`),
  ].join('\n')
}
