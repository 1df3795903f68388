/** One channel on a platform in memory, visited by hand, while the clock stands still between visits. */
import { DAY_MS, MINUTE_MS } from '../src/model/time.ts'
import { createHiddenPosts } from '../src/crawl/reading-builder.ts'
import { SECOND_LOOK_MS } from '../src/crawl/second-look.ts'
import assert from 'node:assert/strict'
import { visit, type VisitEnd } from '../src/crawl/visit.ts'
import { MAX_POST_NUMBER } from '../src/model/post.ts'
import { findByPlatformId } from '../src/store/find-by-platform-id.ts'
import type { Frontier } from '../src/store/frontier.ts'
import { createFakePlatform } from './fake-platform.ts'
import { openTemporary } from './open-temporary.ts'

export const START = Date.UTC(2026, 8, 1)

export async function openStage(name = 'daily_news') {
  let now = START
  const clock = {
    now: () => now,
    elapsed: () => now,
    sleep: async (ms: number) => {
      now += ms
    },
  }
  const store = await openTemporary(clock)
  const platform = createFakePlatform(clock)
  const channel = platform.add(name, 1000)
  const added = await store.archive.addChannel(name, { at: now, status: 'queued' })
  assert.ok(added.outcome === 'added')
  const { id } = added.channel
  const hidden = createHiddenPosts(clock)
  const stage = {
    clock,
    platform,
    store,
    channel,
    id,
    pass(ms: number) {
      now += ms
    },
    /** `isKilled`: nothing but the checkpoints is written. `isAlone`: no other channel can be read. */
    async visit(
      options: { reserve?: number; isKilled?: boolean; isAlone?: boolean } = {},
    ): Promise<VisitEnd> {
      await store.frontier.makeDue(id, 0)
      const lease = { owner: 'test', limit: 1, ttlMs: MINUTE_MS, eager: false }
      const [leased] = await store.frontier.lease(lease)
      assert.equal(leased?.channel.id, id)
      let reserve = options.reserve ?? 1000
      const deps = {
        source: platform.source,
        archive: store.archive,
        isKnownId: async (id: number) => (await findByPlatformId(store, id)) !== undefined,
        clock,
        pricing: { price: 0.001, maxIntervalMs: DAY_MS },
        random: () => 0.5,
        mayUseReserve: async () => reserve-- > 0,
        hidden,
        secondLookMs: async () => (options.isAlone ? null : SECOND_LOOK_MS),
        keptSince: -Infinity,
        checkpoint: async (part: Parameters<Frontier['checkpoint']>[1]) =>
          (await store.frontier.checkpoint(leased.lease, part)) !== 'stale',
      }
      const end = await visit(leased, deps as never, new AbortController().signal)
      if ('result' in end && !options.isKilled) {
        await store.frontier.settle(leased.lease, end.result)
      } else await store.frontier.release(leased.lease)
      return end
    },
    archived: () => store.archive.numbersBetween(id, 1, MAX_POST_NUMBER),
    schedule: async () => (await store.frontier.schedule(id))!,
    status: async () => (await store.archive.channelsById([id]))[0]!,
    gaps: async () =>
      (await store.frontier.gaps(id)).map((g) => `${g.kind} ${g.downTo}–${g.before}`),
  }
  return stage
}
