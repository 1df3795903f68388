import { inBatches } from '../model/in-batches.ts'
import type { Store } from '../store/store.ts'

/** So that neither the store nor the event loop is blocked. */
const AT_ONCE = 100

/** The searches of which a channel has been added since they were read: they have to be read again to know it. */
export async function findJoined<S extends { readonly unknown: readonly string[] }>(
  { store }: { readonly store: Pick<Store, 'archive'> },
  searches: Iterable<S>,
): Promise<readonly S[]> {
  const waiting = [...searches].filter(({ unknown }) => unknown.length > 0)
  const names = new Set(waiting.flatMap(({ unknown }) => unknown))
  const joined = new Set<string>()
  for (const some of inBatches([...names], AT_ONCE)) {
    const channels = await store.archive.channelsByName(some)
    for (const [i, channel] of channels.entries()) if (channel) joined.add(some[i]!)
  }
  return waiting.filter(({ unknown }) => unknown.some((name) => joined.has(name)))
}
