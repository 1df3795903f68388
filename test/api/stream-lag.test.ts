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
  const before = service.ctx.streams.open
  const stop = new AbortController()
  const events: StreamEvent[] = []
  const options = { url: service.url, signal: stop.signal, sinceId }
  const reading = (async () => {
    for await (const event of followSearch({ q, detail: 'ids' }, options)) events.push(event)
  })()
  await until(() => service.ctx.streams.open === before + 1)
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
      await until(() => service.ctx.streams.open === before)
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

test('an event that cannot be read is reported as lost, and what comes after it is told', async () => {
  await using service = await startService()
  const { store, clock } = service
  const publish = (number: number) => {
    const text = `The river rose ${number} times`
    return service.publish({ username: 'floods' }, [
      makePost({ number, publishedAt: clock.now() - 60_000, text }),
    ])
  }
  const channelId = await publish(1)
  await using reader = await follow(service, 'river')
  const at = clock.now()
  const edit = { channelId, number: 1, publishedAt: at, firstCapturedAt: at }
  const [first] = await store.events.after(0, 1)
  const damaged = new Uint8Array([1, 2, 3])
  await store.events.append([{ ...edit, revision: 8, document: () => damaged }])
  await publish(2)
  await until(() => reader.events.length === 2)
  assert.deepEqual(reader.told(), ['lag unreadable', 'post floods/2'])
  await store.events.append([{ ...edit, revision: 9, document: () => first!.document! }])
  await until(() => reader.events.length === 3)
  const told = ['lag unreadable', 'post floods/2', 'post floods/1']
  assert.deepEqual(reader.told(), told, 'an edit of what cannot be read is told as a post')

  await using late = await follow(service, 'river', `${(await store.events.bounds()).log}-1`)
  await until(() => late.events.length === 3)
  assert.deepEqual(late.told(), told)
})

test('events lost in a row are reported as one', async () => {
  await using service = await startService()
  const { store, clock } = service
  const channelId = await service.publish({ username: 'floods' }, [
    makePost({ number: 1, publishedAt: clock.now() - 60_000, text: 'The river rose' }),
  ])
  const begin = `${(await store.events.bounds()).log}-0`
  await using reader = await follow(service, 'river')
  const at = clock.now()
  const edit = { channelId, number: 1, publishedAt: at, firstCapturedAt: at }
  const damaged = new Uint8Array([1, 2, 3])
  const [first] = await store.events.after(0, 1)
  const revisions = [2, 3, 4, 5].map((revision) => ({ ...edit, revision }))
  await store.events.append([
    ...revisions.map((each) => ({ ...each, document: () => damaged })),
    { ...edit, revision: 6, document: () => first!.document! },
  ])
  await until(() => reader.told().includes('post floods/1'))
  await using late = await follow(service, 'river', begin)
  await until(() => late.events.length === 3)
  assert.deepEqual(late.told(), ['post floods/1', 'lag unreadable', 'post floods/1'])
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
