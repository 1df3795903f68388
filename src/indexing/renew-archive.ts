import type { Clock } from '../model/clock.ts'
import type { ArchivedPost } from '../model/post.ts'
import type { CountedFeatures } from '../store/archive.ts'
import { channelPages } from '../store/channel-pages.ts'
import { featuresOf, type FeatureCount } from '../store/post-features.ts'
import type { Store } from '../store/store.ts'
import { channelsOf, type Derive } from './derive.ts'
import { isSearchable } from './document.ts'
import { windowStart } from './window-start.ts'

/** Posts read in one step; changes that arrive meanwhile wait for its end. */
const BATCH = 1_000
/** A channel that loses or gains posts while it is counted is counted again, but only this often. */
const MAX_TRIES = 3

interface RenewOptions {
  readonly store: Pick<Store, 'archive'>
  readonly derive: Derive
  readonly clock: Clock
}

/**
 * Derives anew what the archive keeps of another version's analysis and a rebuilt index has not renewed: posts that are too old
 * for the index, the words by which channels are found, and counted features. Yields after each step.
 */
export async function* renewArchive(options: RenewOptions): AsyncGenerator<void> {
  const { archive } = options.store
  const publishedBefore = windowStart(options.clock.now(), await archive.totals())
  for await (const channels of channelPages(archive, 'added')) {
    for (const { id } of channels) {
      for (let tries = 1; tries <= MAX_TRIES; tries++) {
        const counted = yield* renewPosts(options, id, publishedBefore)
        if (await archive.renewChannel(id, counted)) break
      }
    }
    yield
  }
}

async function* renewPosts(
  { store: { archive }, derive }: RenewOptions,
  channelId: number,
  publishedBefore: number,
): AsyncGenerator<void, CountedFeatures> {
  const features = new Map<string, FeatureCount>()
  let count = 0
  for await (const posts of archive.scan({ channelId, batch: BATCH })) {
    const old = posts.filter(({ publishedAt }) => publishedAt < publishedBefore)
    if (old.length > 0) {
      const { derived } = await derive(old, await channelsOf(archive, [channelId]), Infinity)
      await archive.saveDerived(derived)
    }
    const counted = posts.filter(isSearchable)
    for (const post of counted) addFeatures(features, post)
    count += counted.length
    yield
  }
  return { posts: count, features: [...features.values()] }
}

function addFeatures(features: Map<string, FeatureCount>, post: ArchivedPost): void {
  for (const feature of featuresOf(post)) {
    const key = `${feature.kind} ${feature.value}`
    features.set(key, { ...feature, posts: (features.get(key)?.posts ?? 0) + 1 })
  }
}
