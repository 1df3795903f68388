import { planRead } from './plan/copy.ts'
import type { Store } from './store.ts'

/** The channel with this numeric id of the platform; undefined when none is known. */
export async function findByPlatformId(
  store: Pick<Store, 'run'>,
  platformId: number,
): Promise<{ readonly id: number; readonly username: string } | undefined> {
  const known = await store.run(() => planRead({ channels: { platformIds: [platformId] } }))
  return known.channels?.find((channel) => channel.platformId === platformId)
}
