import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import type { RequestServed } from '../../src/model/request-served.ts'
import type { LiveReader } from '../../src/crawl/live.ts'
import { makePost, startService, type Answer, type Service } from './harness.ts'
import { until } from '../until.ts'

/** A platform that answers when told to, and records when a reader goes away. */
function slowPlatform() {
  let release = () => {}
  const opened = new Promise<void>((resolve) => (release = resolve))
  const aborted: unknown[] = []
  let started = 0
  const live: LiveReader = {
    cached: () => undefined,
    async read({ signal }) {
      started++
      signal.addEventListener('abort', () => aborted.push(signal.reason))
      await Promise.race([
        opened,
        new Promise((_, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason as Error)),
        ),
      ])
      return { kind: 'nobody' }
    },
  }
  return { live: () => live, release: () => release(), aborted, started: () => started }
}

async function withPosts(service: Service, count: number, text: string): Promise<void> {
  const publishedAt = service.clock.now() - 60_000
  await service.publish(
    { username: 'long_channel' },
    Array.from({ length: count }, (_, i) => makePost({ number: i + 1, publishedAt, text })),
  )
}

describe('lifecycle', () => {
  test('a client that disconnects aborts its live read, which is reported as 499', async () => {
    const platform = slowPlatform()
    const events: RequestServed[] = []
    await using service = await startService({
      live: platform.live,
      events: { requestServed: (event) => events.push(event) },
    })
    const leaving = new AbortController()
    const asked = service
      .get('/v1/channels/durov/live', {}, { signal: leaving.signal })
      .catch(() => 'gone')
    await until(() => platform.started() === 1)
    leaving.abort()
    assert.equal(await asked, 'gone')
    await until(() => platform.aborted.length === 1)
    assert.match(String(platform.aborted[0]), /went away/)
    await until(() => events.length === 1)
    assert.equal(events[0]?.status, 499, 'no failure of ours')
  })

  test('health probes are counted under no operation, so that the alert on failing requests ignores them', async () => {
    const events: RequestServed[] = []
    await using service = await startService({
      events: { requestServed: (event) => events.push(event) },
    })
    await service.get('/healthz')
    await service.get('/readyz')
    await until(() => events.length === 2)
    assert.deepEqual(
      events.map(({ operation }) => operation),
      ['none', 'none'],
    )
  })

  test('live reads that find no place get 503 after two seconds, and later ones are admitted again', async () => {
    const platform = slowPlatform()
    await using service = await startService({ live: platform.live, places: { elsewhere: 2 } })
    const asked = Array.from({ length: 5 }, () => service.get('/v1/channels/durov/live'))
    const refused: Answer[] = []
    for (const answer of asked) void answer.then((early) => refused.push(early))
    await until(() => platform.started() === 2)
    service.pass(2_000)
    await until(() => refused.length === 3)
    for (const { status, json, headers } of refused) {
      assert.deepEqual([status, json.code], [503, 'overloaded'])
      assert.equal(headers.get('retry-after'), '1')
    }
    assert.equal((await service.get('/v1/languages')).status, 200)
    platform.release()
    const statuses = (await Promise.all(asked)).map((answer) => answer.status)
    assert.equal(statuses.filter((status) => status === 404).length, 2)
    assert.equal((await service.get('/v1/channels/durov/live')).status, 404)
  })

  test('a stopping server lets running requests finish', async () => {
    const platform = slowPlatform()
    const service = await startService({ live: platform.live })
    const running = service.get('/v1/channels/durov/live')
    await until(() => platform.started() === 1)
    const stopped = service[Symbol.asyncDispose]()
    platform.release()
    assert.equal((await running).status, 404)
    await stopped
    await assert.rejects(service.get('/v1/languages'))
  })

  test('a stopping server does not wait for idle connections', async (t) => {
    const service = await startService()
    const silent = connect(Number(new URL(service.url).port), '127.0.0.1')
    await once(silent, 'connect')
    assert.equal((await service.get('/v1/languages')).status, 200)
    const { mock } = t.mock.method(service.clock, 'sleep')
    const closed = once(silent, 'close')
    await service[Symbol.asyncDispose]()
    await closed
    // A server that waits checks every 25 ms, for seconds.
    const looks = mock.calls.filter((call) => call.arguments[0] === 25).length
    assert.ok(looks < 20, `it looked ${looks} times`)
  })

  test('an internal error is a 500 that does not reveal its message', async () => {
    const failures: unknown[] = []
    const broken: LiveReader = {
      cached: () => undefined,
      read: () => Promise.reject(new Error('secret table is missing')),
    }
    await using service = await startService({
      live: () => broken,
      events: { requestFailed: (error) => failures.push(error) },
    })
    const { status, text } = await service.get('/v1/channels/durov/live')
    assert.equal(status, 500)
    assert.ok(!text.includes('secret table'))
    assert.match(String(failures[0]), /secret table/)
  })

  test('the event of a served request contains no query, key or address', async () => {
    const events: RequestServed[] = []
    await using service = await startService({
      events: { requestServed: (event) => events.push(event) },
    })
    await withPosts(service, 1, 'words')
    await service.get('/v1/search?q=confidential', { 'X-Request-Id': 'seen' })
    await until(() => events.length > 0)
    assert.deepEqual(
      { ...events[0], ms: 0 },
      {
        requestId: 'seen',
        operation: 'search_posts',
        status: 200,
        ms: 0,
        tier: 'unlimited',
        format: 'json',
      },
    )
  })
})
