import { addChannels } from '../crawl/add-channels.ts'
import type { App } from '../app.ts'
import { HOUR_MS, MINUTE_MS } from '../model/time.ts'
import { STORY_CHANNELS, tellDemoStory } from '../simulator/demo-story.ts'
import type { Simulator } from '../simulator/server.ts'
import { rememberGrowth } from './demo-growth.ts'

const STORY_MS = 8 * HOUR_MS
const STORY_EDIT_MS = 45 * MINUTE_MS

/**
 * Scripts the demo's story on the platform and lets the store know the channels and the story; resolves to the channels'
 * names.
 */
export async function prepareDemo(
  { store, clock, context }: Pick<App, 'store' | 'clock' | 'context'>,
  { world, now }: Pick<Simulator, 'world' | 'now'>,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const at = now()
  // Published before anybody looks, edited in the demo's first and second minute.
  tellDemoStory(world.script, { at: at - STORY_MS, editAt: at + STORY_EDIT_MS })
  const names = world.truth.readableNames(at)
  await rememberGrowth(store, { world, names, at }, clock)
  await addChannels(store, names, clock)
  // Read at once: on a slow machine their turn might come after the edits, which would then go unnoticed.
  for (const name of STORY_CHANNELS) {
    await context.live.read({ name, limit: null, before: null, maxAgeMs: 0, signal })
  }
  return names
}
