import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createCursorCodec } from '../../src/model/cursor.ts'
import { count, makePost, startService, type Service } from './harness.ts'
import { DAY } from './world.ts'

describe('cursors', () => {
  let service: Service
  before(async () => {
    service = await startService({ index: 'embedded' })
    const now = Math.floor(service.clock.now() / 1000) * 1000
    await service.publish(
      { username: 'walked_one', platformId: 1, subscribers: count(10, now) },
      Array.from({ length: 60 }, (_, i) =>
        // Three posts share each second: a walk must not rely on time alone.
        makePost({
          number: i + 1,
          publishedAt: now - DAY + Math.floor(i / 3) * 1000,
          text: `walking post ${i + 1}`,
        }),
      ),
    )
  })
  after(() => service[Symbol.asyncDispose]())

  const nextOf = async (path: string) => (await service.get(path)).json.meta.next_cursor as string

  test('limit, format and detail may change between pages', async () => {
    const whole = (await service.get('/v1/search?q=walking&sort=newest&limit=10')).json.data
    const cursor = await nextOf('/v1/search?q=walking&sort=newest&limit=7')
    const walk = '/v1/search?q=walking&sort=newest'
    const { json } = await service.get(`${walk}&limit=3&detail=ids&cursor=${cursor}`)
    const ids = (hits: { id: string }[]) => hits.map(({ id }) => id)
    assert.deepEqual(ids(json.data), ids(whole).slice(7))
    assert.equal(
      (await service.get(`/v1/search?q=walking&sort=newest&format=csv&cursor=${cursor}`)).status,
      200,
    )
  })

  test('a cursor of another query is rejected as a mismatch', async () => {
    const cursor = await nextOf('/v1/search?q=walking&sort=newest&limit=7')
    for (const path of [
      `/v1/search?q=walking&sort=oldest&cursor=${cursor}`,
      `/v1/search?q=post&sort=newest&cursor=${cursor}`,
      `/v1/channels/walked_one/posts?cursor=${cursor}`,
      `/v1/channels?cursor=${cursor}`,
    ]) {
      const { status, json } = await service.get(path)
      assert.deepEqual([status, json.code], [400, 'cursor_mismatch'], path)
      assert.equal(json.errors[0].parameter, 'cursor')
    }
  })

  test('a tampered, truncated or foreign cursor is rejected as invalid', async () => {
    const cursor = await nextOf('/v1/channels/walked_one/posts?limit=7')
    const foreign = createCursorCodec('another secret', () => service.clock.now()).encode([], [1])
    const tampered = cursor.slice(0, -2) + (cursor.endsWith('AA') ? 'BB' : 'AA')
    for (const bad of [tampered, foreign, 'x', 'a'.repeat(3000), '%00', cursor.slice(0, 10)]) {
      const { status, json } = await service.get(`/v1/channels/walked_one/posts?cursor=${bad}`)
      assert.deepEqual([status, json.code], [400, 'invalid_cursor'], bad.slice(0, 20))
    }
  })

  test('a cursor works after 25 hours and has expired a month later', async () => {
    await using aging = await startService()
    const now = aging.clock.now()
    await aging.publish(
      { username: 'walked_two' },
      [1, 2, 3].map((number) => makePost({ number, publishedAt: now - DAY })),
    )
    const { json } = await aging.get('/v1/channels/walked_two/posts?limit=1')
    const path = `/v1/channels/walked_two/posts?limit=1&cursor=${json.meta.next_cursor}`
    aging.pass(25 * 60 * 60_000)
    assert.equal((await aging.get(path)).status, 200)
    aging.pass(30 * DAY)
    const expired = await aging.get(path)
    assert.deepEqual([expired.status, expired.json.code], [400, 'cursor_expired'])
  })

  test('a time in the query that counts back from now does not move during a walk', async () => {
    await using aging = await startService()
    const now = aging.clock.now()
    await aging.publish(
      { username: 'walked_two' },
      [1, 2, 3].map((number) => makePost({ number, publishedAt: now - DAY + number * 60_000 })),
    )
    const path = '/v1/search?q=after:24h&sort=newest&limit=1'
    const first = (await aging.get(path)).json.meta
    aging.pass(150_000)
    const { data, meta } = (await aging.get(`${path}&cursor=${first.next_cursor}`)).json
    assert.deepEqual([data.length, meta.total], [1, first.total])
  })

  test('a client that is told that nothing has changed holds a cursor that works', async () => {
    await using aging = await startService()
    const publishedAt = aging.clock.now() - DAY
    await aging.publish(
      { username: 'walked_two' },
      [1, 2, 3].map((number) => makePost({ number, publishedAt })),
    )
    const path = '/v1/channels/walked_two/posts?order=oldest&limit=1'
    let held = await aging.get(path)
    let unchanged = 0
    for (let day = 0; day < 16; day++) {
      aging.pass(DAY)
      const polled = await aging.get(path, { 'If-None-Match': held.headers.get('etag')! })
      if (polled.status === 200) held = polled
      else unchanged++
      const { status } = await aging.get(`${path}&cursor=${held.json.meta.next_cursor}`)
      assert.equal(status, 200, `after ${day + 1} days`)
    }
    assert.ok(unchanged > 8, `${unchanged} of 16 were 304`)
  })

  test('a relative age such as `since=90m` means the same moment on every page', async () => {
    const since =
      Math.round(
        (service.clock.now() -
          Date.parse(
            (await service.get('/v1/channels/walked_one/posts?order=oldest&limit=1')).json.data[0]
              .published_at,
          )) /
          60_000,
      ) + 1
    const walked: string[] = []
    for await (const page of service.client.pages('search_posts', {
      since: `${since}m`,
      sort: 'oldest',
      limit: 20,
    })) {
      walked.push(...(page.data as { slug: string }[]).map(({ slug }) => slug))
      service.pass(10 * 60_000)
    }
    assert.equal(walked.length, 60)
  })
})
