import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../../test/api/harness.ts'
import { createFakePlatform } from '../../test/fake-platform.ts'
import { createLiveReader } from '../crawl/live.ts'
import { createPoliteness } from '../crawl/politeness.ts'
import { systemClock } from '../model/clock.ts'
import { DAY_MS } from '../model/time.ts'
import { TYPED_CATALOGUE } from '../operations/catalogue.ts'
import { answer } from './answer.ts'

test('a shortened live reply is not fetched again, and its warning says how to continue', async () => {
  const platform = createFakePlatform(systemClock)
  const channel = platform.add('harbour', 7)
  platform.publish(channel, 50)
  channel.posts = channel.posts.map((post) => ({ ...post, text: 'The tide is high. '.repeat(40) }))
  await using service = await startService({
    live: (store, clock) =>
      createLiveReader({
        source: platform.source,
        store,
        politeness: createPoliteness({ budget: store.budget, ratePerS: 1000, clock }),
        clock,
        isClockWrong: () => false,
        autoIndex: 'off',
        // However busy the machine is.
        deadlineMs: DAY_MS,
      }),
  })
  const input = { username: 'harbour', limit: 50, max_age: 0 }
  const { ctx } = service
  const caller = ctx.access.anonymous('203.0.113.7')
  const { signal } = new AbortController()
  const call = { ctx, caller, requestId: 'test', signal, paid: [] }
  const { structuredContent } = await answer(TYPED_CATALOGUE.get_live_channel, input, call)
  const { data, warnings } = structuredContent as {
    data: { posts: { id: string }[] }
    warnings: { code: string; detail: string }[]
  }
  assert.ok(data.posts.length < 50)
  const told = warnings.find(({ code }) => code === 'reply_shortened')
  const [, slug] = data.posts.at(-1)!.id.split('/')
  assert.match(told?.detail ?? '', new RegExp(`before=${slug}$`))
  assert.deepEqual(
    platform.asked.map(({ before }) => before),
    [null, 31, 11],
  )
})
