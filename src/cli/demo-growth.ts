import type { Clock } from '../model/clock.ts'
import { DAY_MS } from '../model/time.ts'
import type { World } from '../simulator/world.ts'
import type { Store } from '../store/store.ts'

/** So many channels were "known for a month", and read every third day of it; the rest are new. */
const KNOWN = 6
const DAYS = 30
const STEP = 3

/**
 * Growth is kept from the first visit on, and a demo is a few minutes old: what visits of the last month would have seen of some
 * channels is written as they would have written it.
 */
export async function rememberGrowth(
  store: Store,
  {
    world,
    names,
    at,
  }: { readonly world: World; readonly names: readonly string[]; readonly at: number },
  clock: Clock,
): Promise<void> {
  const now = clock.now()
  for (const name of names.slice(0, KNOWN)) {
    const channel = world.truth.channelAt(name, at)
    if (!channel) continue
    const added = await store.archive.addChannel(name, {
      at: now - DAYS * DAY_MS,
      status: 'queued',
    })
    if (added.outcome === 'removed') continue
    for (let ago = DAYS; ago > 0; ago -= STEP) {
      const profile = world.truth.channelAt(name, at - ago * DAY_MS)
      // Under another name it would be another channel's past.
      if (profile?.platformId !== channel.platformId || profile.username !== name) continue
      await store.archive.record({
        channelId: added.channel.id,
        at: now - ago * DAY_MS,
        capture: 'crawl',
        parserVersion: 1,
        profile,
        posts: [],
        deleted: [],
      })
    }
  }
}
