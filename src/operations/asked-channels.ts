import type { Channel } from '../model/channel.ts'
import { nameKey } from '../model/channel-name.ts'
import type { Context } from './context.ts'
import {
  archiveBegins,
  isUnread,
  liveHint,
  notReadYet,
  removedError,
  renamed,
} from './find-channel.ts'
import type { Warning } from './warnings.ts'

/** The indexed ones, by the key of the name they were asked for by. */
export async function lookUp(
  { store }: Pick<Context, 'store'>,
  names: readonly string[],
): Promise<ReadonlyMap<string, Channel>> {
  const found = new Map<string, Channel>()
  if (names.length === 0) return found
  const keys = [...new Set(names.map(nameKey))]
  const channels = await store.archive.channelsByName(keys)
  for (const [i, channel] of channels.entries()) if (channel) found.set(keys[i]!, channel)
  return found
}

/** Names as a caller gave them, by the parameter they stand in. */
type Names = Readonly<Record<string, readonly string[] | undefined>>

/**
 * What a caller should know of the channels that a list was asked for by: of which of them no post can be found, and why,
 * and which of them have another name by now. Of those that are left out only the latter matters.
 */
export async function judgeAsked(
  { store }: Pick<Context, 'store'>,
  known: ReadonlyMap<string, Channel>,
  {
    wanted,
    unwanted,
    reach = null,
  }: {
    readonly wanted: Names
    readonly unwanted: Names
    /** How far back, where a window was asked for: the usual one goes back further than many archives do. */
    readonly reach?: number | null
  },
): Promise<{ readonly notIndexed: readonly string[]; readonly warnings: readonly Warning[] }> {
  const notIndexed: string[] = []
  const warnings: Warning[] = []
  for (const [name, parameter] of eachOnce(wanted)) {
    const found = known.get(nameKey(name))
    if (found) {
      warnings.push(...renamed(name, found.username, parameter))
      if (isUnread(found)) warnings.push(notReadYet(name, parameter))
      else if (reach !== null) warnings.push(...archiveBegins(found, reach, parameter))
    } else if (await store.removals.find({ name })) {
      warnings.push({ code: 'channel_removed', parameter, detail: removedError(name).message })
    } else {
      notIndexed.push(name)
      const detail = `${name} is not indexed here; ${liveHint(name)}`
      warnings.push({ code: 'channel_not_indexed', parameter, detail })
    }
  }
  for (const [name, parameter] of eachOnce(unwanted)) {
    const found = known.get(nameKey(name))
    if (found) warnings.push(...renamed(name, found.username, parameter))
  }
  return { notIndexed, warnings }
}

function eachOnce(names: Names): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>()
  for (const [parameter, list = []] of Object.entries(names)) {
    for (const name of list) if (!parameters.has(name)) parameters.set(name, parameter)
  }
  return parameters
}
