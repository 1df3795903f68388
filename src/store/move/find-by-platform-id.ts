import { planRead } from '../plan/copy.ts'
import type { Store } from '../store.ts'

/** The username of the channel with this numeric id of the platform; undefined when none is known. */
export async function findByPlatformId(
  store: Store,
  platformId: number,
): Promise<string | undefined> {
  const known = await store.run(() => planRead({ channels: { platformIds: [platformId] } }))
  return known.channels?.find((channel) => channel.platformId === platformId)?.username
}
