import type { Channel } from '../model/channel.ts'
import { nameKey } from '../model/channel-name.ts'
import { AppError } from '../model/errors.ts'
import { hinted, type Hint } from '../model/hint.ts'
import type { Context } from './context.ts'
import type { Warning } from './warnings.ts'
import { viewTime } from './views/common.ts'

/** The indexed channel with this name; throws `channel_removed` or `channel_not_indexed`. */
export async function findChannel(
  { store, settings }: Context,
  name: string,
): Promise<{ readonly channel: Channel; readonly warnings: readonly Warning[] }> {
  const channel = await store.archive.channel(name)
  if (channel) return { channel, warnings: renamed(name, channel.username) }
  if (await store.removals.find({ name })) throw removedError(name)
  const { detail, hint } = notIndexed(name)
  throw new AppError('channel_not_indexed', detail, {
    hint,
    extra: { links: { live: liveLink(settings.publicUrl, name) } },
  })
}

/** True for a channel that is queued but neither visited nor imported yet. */
export function isUnread(channel: Channel): boolean {
  return channel.lastVisitedAt === null && channel.posts === 0
}

/** For a channel whose posts are not there yet, but may be soon. */
export function notReadYet(name: string, parameter: string): Warning {
  const sentence = `the channel ${name} waits for its first visit, nothing of it is searchable so far`
  return { code: 'channel_not_read_yet', parameter, ...hinted(sentence, liveHint(name)) }
}

/** Warns when the archive does not reach back to `since`: a list that ends where reading began would pass for complete. */
export function archiveBegins(
  channel: Channel,
  since: number | null,
  parameter: string,
): Warning[] {
  const { username, archiveFrom, archiveComplete } = channel
  if (archiveComplete || archiveFrom === null || (since ?? 0) >= archiveFrom) return []
  const detail = `not all posts of ${username} from before ${viewTime(archiveFrom)} were read`
  return [{ code: 'archive_begins', parameter, detail }]
}

export function notIndexed(name: string): { detail: string; hint: Hint } {
  return hinted(`the channel ${name} is not indexed here`, liveHint(name))
}

function liveHint(username: string): Hint {
  return { operation: 'get_live_channel', input: { username }, does: 'reads it now' }
}

export function removedError(name: string): AppError {
  return new AppError('channel_removed', `the channel ${name} was removed on request`)
}

export function renamed(asked: string, username: string, parameter = 'username'): Warning[] {
  if (nameKey(asked) === nameKey(username)) return []
  return [
    {
      code: 'renamed',
      parameter,
      detail: `the channel was asked for as ${asked}, a former or further name of ${username}`,
    },
  ]
}

export function liveLink(publicUrl: string, name: string): string {
  return `${publicUrl}/v1/channels/${name}/live`
}
