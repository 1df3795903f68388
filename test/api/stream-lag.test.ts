import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StreamEvent } from '../../src/client/event-stream.ts'
import { followSearch } from '../../src/client/follow.ts'
import { sampleReading } from '../../src/store/contract/samples.ts'
import { EVENTS_PRUNED_MS } from '../../src/store/events.ts'
import { until } from '../until.ts'
import { makePost, startService, type Service } from './harness.ts'

const HOUR = 3_600_000

/** Reads until disposed of. */
async function follow(service: Service, q: string, sinceId?: string) {
  const stop = new AbortController()
  const events: StreamEvent[] = []
  const options = { url: service.url, signal: stop.signal, sinceId }
  const reading = (async () => {
    for await (const event of followSearch({ q, detail: 'ids' }, options)) events.push(event)
  })()
  await until(() => service.ctx.streams.open === 1)
  return {
    events,
    told: () =>
      events.map(({ event, data }) => {
        const { id, reason } = data as { id?: string; reason?: string }
        return `${event} ${id ?? reason}`
      }),
    async [Symbol.asyncDispose]() {
      stop.abort()
      await reading
      await until(() => service.ctx.streams.open === 0)
    },
  }
}

test('an event id is valid for a day; after pruning, the stream reports that events are missing', async () => {
  await using service = await startService()
  const publish = (number: number) => {
    const publishedAt = service.clock.now() - 60_000
    const post = makePost({ number, publishedAt, text: `The river rose ${number} times` })
    return service.publish({ username: 'floods' }, [post])
  }
  await publish(1)
  let sinceId: string | undefined
  {
    await using reader = await follow(service, 'river')
    await publish(2)
    await until(() => reader.events.length === 1)
    sinceId = reader.events[0]!.id
  }
  await publish(3)
  service.pass(24 * HOUR)
  await publish(4)
  {
    await using reader = await follow(service, 'river', sinceId)
    await until(() => reader.events.length === 2)
    assert.deepEqual(reader.told(), ['post floods/3', 'post floods/4'])
  }
  service.pass(EVENTS_PRUNED_MS - 23 * HOUR)
  await service.store.events.prune(service.clock.now() - EVENTS_PRUNED_MS, 100)
  await using reader = await follow(service, 'river', sinceId)
  await until(() => reader.events.length === 2)
  assert.deepEqual(reader.told(), ['lag forgotten', 'post floods/4'])
})

test('a stream reports that the index is behind, and when it has caught up', async () => {
  await using service = await startService()
  const channelId = await service.publish({ username: 'floods' }, [])
  await using reader = await follow(service, 'river')
  const at = service.clock.now()
  const post = makePost({ number: 1, publishedAt: at - 60_000, text: 'The river rose' })
  await service.store.archive.record(sampleReading(channelId, { at, posts: [post] }))
  service.pass(5 * 60_000)
  await until(() => reader.events.length === 1)
  assert.deepEqual(reader.told(), ['lag index'])
  assert.ok((reader.events[0]!.data as { index_lag_s: number }).index_lag_s >= 300)
  await service.index()
  service.pass(5_000)
  await until(() => reader.events.length === 3)
  assert.deepEqual(reader.told().toSorted(), ['lag index', 'lag index', 'post floods/1'])
  const lags = reader.events.filter(({ event }) => event === 'lag')
  assert.equal((lags[1]!.data as { index_lag_s: number }).index_lag_s, 0)
})
