import { addChannels } from '../crawl/add-channels.ts'
import type { Clock } from '../model/clock.ts'
import { tellDemoStory } from '../simulator/demo-story.ts'
import type { Simulator } from '../simulator/server.ts'
import type { Store } from '../store/store.ts'
import { rememberGrowth } from './demo-growth.ts'

const STORY_MS = 8 * 3_600_000
const STORY_EDIT_MS = 45 * 60_000

/** Has the platform tell its story, and the store know of its channels; resolves to their names. */
export async function prepareDemo(
  store: Store,
  { world, now }: Pick<Simulator, 'world' | 'now'>,
  clock: Clock,
): Promise<readonly string[]> {
  const at = now()
  // Told before anybody looks, edited in the demo's first and second minute.
  tellDemoStory(world.script, { at: at - STORY_MS, editAt: at + STORY_EDIT_MS })
  const names = world.truth.readableNames(at)
  await rememberGrowth(store, { world, names, at }, clock)
  await addChannels(store, names, clock)
  return names
}
