import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { InputOf, PagedName } from '../../src/client/client.ts'
import { WINDOW_MS } from '../../src/search/search-index.ts'
import { count, makePost, startService, type Service } from './harness.ts'
import { DAY } from './world.ts'

const POSTS = 120
const CHANNEL = { username: 'busy_channel', platformId: 3 }

/** A channel whose posts reach back 40 days, three a day in the same second, and which changes all the time. */
async function publishBusy(service: Service) {
  const start = Math.floor(service.clock.now() / 1000) * 1000 - 40 * DAY
  const original = Array.from({ length: POSTS }, (_, i) =>
    makePost({
      number: i + 1,
      publishedAt: start + Math.floor(i / 3) * DAY,
      text: `busy post ${i + 1}`,
      views: count(1 + ((i * 37) % 100), start),
    }),
  )
  await service.publish(CHANNEL, original)
  const deleted = new Set<number>()
  let step = 0
  return {
    /** Most of a day passes: a post is published, one is edited, one deleted, and those that are too old are dropped. */
    async disturb() {
      step++
      const gone = original[(step * 31 + 9) % POSTS]!
      deleted.add(gone.number)
      const changed = original[(step * 29 + 41) % POSTS]!
      const number = 1000 + step
      const publishedAt = service.clock.now()
      const posts = [makePost({ number, publishedAt, text: `busy newcomer ${number}` })]
      if (!deleted.has(changed.number)) {
        posts.push({ ...changed, text: `busy post, edited ${step}`, edited: true })
      }
      await service.publish(CHANNEL, posts, [gone.number])
      service.pass(0.8 * DAY)
      await service.expire()
    },
    /** Numbers of the original posts that exist now, published since `since`. */
    there: (since = -Infinity) =>
      original
        .filter(({ number, publishedAt }) => !deleted.has(number) && publishedAt >= since)
        .map(({ number }) => number),
  }
}

async function walk<N extends PagedName>(
  service: Service,
  name: N,
  input: InputOf<N>,
  afterPage: () => Promise<void>,
): Promise<string[]> {
  const seen: string[] = []
  for await (const page of service.client.pages(name, input)) {
    for (const item of page.data as { slug?: string; username?: string }[]) {
      seen.push(item.slug ?? item.username!)
    }
    await afterPage()
  }
  assert.equal(new Set(seen).size, seen.length, `${name}: something came twice`)
  return seen
}

describe('paging while posts are published, edited, deleted and expire', () => {
  const edge = (service: Service) => service.clock.now() - WINDOW_MS

  for (const sort of ['newest', 'oldest'] as const) {
    test(`search by ${sort} skips no post that still exists`, async () => {
      await using service = await startService({ index: 'embedded' })
      const busy = await publishBusy(service)
      const atStart = busy.there(edge(service))
      const seen = await walk(service, 'search_posts', { q: 'busy', sort, limit: 7 }, () =>
        busy.disturb(),
      )
      const stayed = busy.there(edge(service))
      assert.ok(atStart.length - stayed.length > 20, 'hardly anything grew too old')
      assert.deepEqual(
        stayed.filter((number) => !seen.includes(String(number))),
        [],
      )
      const fresh = await walk(service, 'search_posts', { q: 'busy', sort }, async () => {})
      assert.deepEqual(
        fresh.map(Number).filter((number) => number <= POSTS && !stayed.includes(number)),
        [],
        'what is too old or deleted was found',
      )
    })
  }

  for (const sort of ['relevance', 'views'] as const) {
    test(`search by ${sort} repeats no post`, async () => {
      await using service = await startService({ index: 'embedded' })
      const busy = await publishBusy(service)
      const input = { q: 'busy', sort, limit: 7 } as const
      const seen = await walk(service, 'search_posts', input, () => busy.disturb())
      assert.ok(seen.length > 40, `${seen.length} seen`)
    })
  }

  for (const order of ['newest', 'oldest'] as const) {
    for (const q of [undefined, 'busy']) {
      test(`a channel's posts by ${order}${q === undefined ? '' : ' with words'} skip no post of any age`, async () => {
        await using service = await startService()
        const busy = await publishBusy(service)
        const input = { username: CHANNEL.username, order, limit: 7, ...(q && { q }) }
        const seen = await walk(service, 'list_channel_posts', input, () => busy.disturb())
        assert.deepEqual(
          busy.there().filter((number) => !seen.includes(String(number))),
          [],
        )
      })
    }
  }

  for (const sort of [
    'subscribers',
    'username',
    'added',
    'newest_post',
    'posts_per_day',
  ] as const) {
    test(`channels by ${sort} skip no channel while others are added`, async () => {
      await using service = await startService()
      const now = service.clock.now()
      const names = Array.from({ length: 20 }, (_, i) => `quiet_${String(i * 7 + 100)}`)
      for (const [i, username] of names.entries()) {
        await service.publish(
          { username, platformId: i + 1, subscribers: count(100 + (i % 5), now) },
          [makePost({ number: 1, publishedAt: now - 3 * DAY + (i % 4) * 1000 })],
        )
      }
      let step = 0
      const seen = await walk(service, 'list_channels', { sort, limit: 4 }, async () => {
        step++
        // Sorted before, between and after the quiet channels, in every order.
        for (const username of [`a_late_${step}`, `quiet_late_${step}`, `z_late_${step}`]) {
          const at = service.clock.now()
          const subscribers = count(step % 2 === 0 ? 1 : 1_000_000, at)
          await service.publish({ username, platformId: at, subscribers }, [
            makePost({ number: step, publishedAt: at - (step % 3) * 2 * DAY }),
          ])
        }
        service.pass(60_000)
      })
      assert.deepEqual(
        names.filter((name) => !seen.includes(name)),
        [],
      )
    })
  }
})
