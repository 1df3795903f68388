import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { inBatches } from '../model/in-batches.ts'
import type { Store } from '../store/store.ts'

/** The channels that a search names, by their ids; null for a name that is not in the archive. */
export type NamedChannels = ReadonlyMap<string, number | null>

/** So that neither the store nor the event loop is blocked. */
const AT_ONCE = 100

/**
 * The searches in which a name no longer means the channel that it meant when they were read. A channel may be added, removed
 * and added again, or turn out to be the same as another, and its name may go over to another.
 */
export async function findOutdated<S extends { readonly named: NamedChannels }>(
  { store }: { readonly store: Pick<Store, 'archive'> },
  searches: Iterable<S>,
): Promise<readonly S[]> {
  const naming = [...searches].filter(({ named }) => named.size > 0)
  const names = new Set<string>()
  for (const some of inBatches(naming, AT_ONCE)) {
    for (const { named } of some) for (const name of named.keys()) names.add(name)
    await yieldToEventLoop()
  }
  const ids = new Map<string, number>()
  for (const some of inBatches([...names], AT_ONCE)) {
    const channels = await store.archive.channelsByName(some)
    for (const [i, channel] of channels.entries()) if (channel) ids.set(some[i]!, channel.id)
    await yieldToEventLoop()
  }
  const outdated: S[] = []
  for (const some of inBatches(naming, AT_ONCE)) {
    outdated.push(...some.filter(({ named }) => isOutdated(named, ids)))
    await yieldToEventLoop()
  }
  return outdated
}

function isOutdated(named: NamedChannels, ids: ReadonlyMap<string, number>): boolean {
  for (const [name, id] of named) if ((ids.get(name) ?? null) !== id) return true
  return false
}
