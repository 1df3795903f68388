import { planLook } from '../plan/copy.ts'
import type { Store } from '../store.ts'

/** The username of the channel that has this number on the platform; undefined where none is known to. */
export async function findByPlatformId(
  store: Store,
  platformId: number,
): Promise<string | undefined> {
  const known = await store.run(() => planLook({ channels: { platformIds: [platformId] } }))
  return known.channels?.find((channel) => channel.platformId === platformId)?.username
}
