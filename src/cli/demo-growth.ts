import type { Clock } from '../model/clock.ts'
import { DAY_MS } from '../model/time.ts'
import type { World } from '../simulator/world.ts'
import type { Store } from '../store/store.ts'

/** This many channels count as known for a month, in which they were read every third day; the others are new. */
const KNOWN = 6
const DAYS = 30
const STEP = 3

/**
 * Growth is recorded from the first visit on, and a demo is only minutes old. So the visits of the last month are simulated
 * for some channels, and recorded as real ones would have been.
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
      // Under another name it would be another channel's history.
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
