import type { Channel } from '../model/channel.ts'
import { nameKey } from '../model/channel-name.ts'
import type { Context } from './context.ts'
import {
  archiveBegins,
  isUnread,
  notIndexed,
  notReadYet,
  removedError,
  renamed,
} from './find-channel.ts'
import type { Warning } from './warnings.ts'

/** The indexed channels among these names, keyed by the name as it was asked for. */
export async function lookUpChannels(
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

/** Channel names as the caller gave them, by parameter. */
type Names = Readonly<Record<string, readonly string[] | undefined>>

/**
 * What a caller should know about the channels named in a request: those without any post that could be found, and why, and
 * those that have been renamed. For excluded channels only a renaming matters.
 */
export async function checkChannels(
  { store }: Pick<Context, 'store'>,
  known: ReadonlyMap<string, Channel>,
  {
    wanted,
    unwanted,
    reach = null,
  }: {
    readonly wanted: Names
    readonly unwanted: Names
    /**
     * The start of the window, if the caller gave one. The default window goes back further than many archives, so it warns
     * of nothing.
     */
    readonly reach?: number | null
  },
): Promise<{ readonly notIndexed: readonly string[]; readonly warnings: readonly Warning[] }> {
  const absent: string[] = []
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
      absent.push(name)
      warnings.push({ code: 'channel_not_indexed', parameter, ...notIndexed(name) })
    }
  }
  for (const [name, parameter] of eachOnce(unwanted)) {
    const found = known.get(nameKey(name))
    if (found) warnings.push(...renamed(name, found.username, parameter))
  }
  return { notIndexed: absent, warnings }
}

function eachOnce(names: Names): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>()
  for (const [parameter, list = []] of Object.entries(names)) {
    for (const name of list) if (!parameters.has(name)) parameters.set(name, parameter)
  }
  return parameters
}
