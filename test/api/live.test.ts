import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createLiveReader, type LiveReader } from '../../src/crawl/live.ts'
import { createPoliteness } from '../../src/crawl/politeness.ts'
import { systemClock, type Clock } from '../../src/model/clock.ts'
import type { SimChannel } from '../../src/simulator/population.ts'
import { startSimulator, type Simulator } from '../../src/simulator/server.ts'
import type { Store } from '../../src/store/store.ts'
import { createWebSource } from '../../src/telegram/web-source.ts'
import { startService, type Service } from './harness.ts'

const MINUTE = 60_000

/** `/live` against the simulated platform, over two sockets. */
describe('a live read', () => {
  let platform: Simulator
  let service: Service
  let indexed: SimChannel
  let foreign: SimChannel
  let linking: SimChannel
  let now: number

  const live = (store: Store, clock: Clock): LiveReader =>
    createLiveReader({
      source: createWebSource({
        origin: platform.url,
        clock,
        userAgent: 'tests',
        permit: () => Promise.resolve(),
      }),
      store,
      politeness: createPoliteness({ budget: store.budget, ratePerS: 1000, clock }),
      clock,
      isClockWrong: () => false,
      autoIndex: 'off',
    })

  before(async () => {
    now = Math.floor(systemClock.now() / 1000) * 1000
    platform = await startSimulator({
      world: {
        seed: 5,
        channels: 3,
        startAt: now,
        days: 5,
        languages: ['en'],
        groups: 2,
        users: 2,
        bots: 2,
      },
    })
    const { script } = platform.world
    indexed = script.addChannel({ username: 'indexed_one', title: 'Indexed' })
    foreign = script.addChannel({ username: 'foreign_one', title: 'Foreign' })
    for (let i = 0; i < 45; i++) {
      script.publish(indexed, now - (60 - i) * MINUTE, { text: `indexed post ${i + 1}` })
      script.publish(foreign, now - (60 - i) * MINUTE, { text: `foreign words ${i + 1}` })
    }
    linking = script.addChannel({ username: 'linking_one', title: 'Linking' })
    for (const page of ['strait-closed-again', 'pilots-strike']) {
      script.publish(linking, now - MINUTE, { text: `Read on: https://example.org/2026/${page}` })
    }
    service = await startService({ live })
    await service.store.archive.addChannel('indexed_one', { at: now, status: 'queued' })
  })
  after(async () => {
    await service[Symbol.asyncDispose]()
    await platform[Symbol.asyncDispose]()
  })

  const read = async (path: string) => service.get(`/v1/channels/${path}`)

  test('returns the newest posts of an unindexed channel in full, without indexing it', async () => {
    const { status, json } = await read('foreign_one/live?limit=5')
    assert.equal(status, 200, JSON.stringify(json))
    assert.equal(json.data.source, 'live')
    assert.equal(json.data.channel.title, 'Foreign')
    assert.equal(json.data.channel.indexed, false)
    assert.deepEqual(
      json.data.posts.map(({ text }: { text: string }) => text),
      [45, 44, 43, 42, 41].map((n) => `foreign words ${n}`),
    )
    assert.equal((await read('foreign_one')).json.code, 'channel_not_indexed')
  })

  test('filters the fetched posts by q', async () => {
    const { json } = await read('foreign_one/live?limit=5&q=word 43')
    assert.deepEqual(
      json.data.posts.map(({ slug }: { slug: string }) => slug),
      ['43'],
    )
  })

  test('with q, says how many posts were looked through, and from where to look further back', async () => {
    const none = await read('foreign_one/live?limit=5&q=zebra')
    const [warning] = none.json.warnings
    assert.deepEqual(none.json.data.posts, [])
    assert.deepEqual([warning.code, warning.parameter], ['looked_through', 'q'])
    const [, looked, before] = /^(\d+) posts .*; before=(\d+) looks/.exec(warning.detail) ?? []
    assert.deepEqual([looked, before], ['5', '41'])
    const further = await read(`foreign_one/live?before=${before}&limit=50&q=word`)
    assert.equal(further.json.data.posts[0].slug, '40')
    assert.equal(further.json.data.posts.at(-1).slug, '1')
    assert.deepEqual(further.json.warnings, [], 'the first post was reached')
    assert.deepEqual((await read('foreign_one/live?limit=5')).json.warnings, [])
  })

  test('matches q with words in linked addresses, as a search does', async () => {
    const { json } = await read('linking_one/live?q=strait')
    assert.deepEqual(
      json.data.posts.map(({ text }: { text: string }) => text),
      ['Read on: https://example.org/2026/strait-closed-again'],
    )
  })

  test('of an indexed channel archives what it finds before replying', async () => {
    const { json } = await read('indexed_one/live?limit=3&max_age=0')
    assert.equal(json.data.channel.indexed, true)
    const stored = await read('indexed_one/posts/45')
    assert.equal(stored.json.data.text, 'indexed post 45')
    assert.equal(stored.json.data.evidence.capture, 'live')
    const { first_captured_at } = json.data.posts[0]
    assert.equal(first_captured_at, stored.json.data.first_captured_at)
  })

  test('costs one unit of the live quota, and nothing when answered from the cache', async () => {
    const { key } = await service.keys.create({ tier: 'free', name: null })
    const headers = { Authorization: `Bearer ${key}` }
    const remaining = async () =>
      (await service.get('/v1/meta', headers)).json.data.policies.find(
        ({ name }: { name: string }) => name === 'live',
      ).remaining
    await service.get('/v1/channels/foreign_one/live?max_age=0', headers)
    assert.equal(await remaining(), 59)
    await service.get('/v1/channels/foreign_one/live?max_age=600', headers)
    assert.equal(await remaining(), 59)
  })

  test('costs nothing when the cache knows that the name belongs to nobody or to a bot', async () => {
    const { key } = await service.keys.create({ tier: 'free', name: null })
    const headers = { Authorization: `Bearer ${key}` }
    const bot = platform.world.peers.find(({ kind }) => kind === 'bot')?.username
    for (const [name, status, left] of [
      ['nobody_at_all', 404, '59'],
      [bot, 422, '58'],
    ] as const) {
      const path = `/v1/channels/${name}/live?max_age`
      await service.get(`${path}=0`, headers)
      const again = await service.get(`${path}=600`, headers)
      const remaining = /"live";r=(\d+)/.exec(again.headers.get('RateLimit') ?? '')?.[1]
      assert.deepEqual([again.status, remaining], [status, left])
    }
  })

  test('says whether a name belongs to nobody, a group, a user or a bot', async () => {
    assert.deepEqual(
      [
        (await read('nobody_of_that_name/live')).status,
        (await read('nobody_of_that_name/live')).json.code,
      ],
      [404, 'channel_not_found'],
    )
    assert.deepEqual([...new Set(platform.world.peers.map(({ kind }) => kind))].toSorted(), [
      'bot',
      'group',
      'user',
    ])
    for (const peer of platform.world.peers) {
      const { status, json } = await read(`${peer.username}/live`)
      assert.deepEqual(
        [status, json.code, json.reason],
        [422, 'channel_unavailable', `is_${peer.kind}`],
      )
    }
  })

  test('says that a channel has no web preview', async () => {
    const closed = platform.world.script.addChannel({ username: 'closed_one' })
    platform.world.script.setAccess(closed, 0, { state: 'preview_off' })
    const { status, json } = await read('closed_one/live')
    assert.deepEqual(
      [status, json.code, json.reason],
      [422, 'channel_unavailable', 'preview_disabled'],
    )
  })

  test('is answered from the archive with a warning when the platform fails, or else with 502', async () => {
    platform.setFaults([{ kind: 'server_error' }])
    try {
      const known = await read('indexed_one/live?max_age=0&limit=3')
      assert.equal(known.json.data.source, 'archive')
      assert.equal(known.json.warnings[0].code, 'served_from_archive')
      assert.equal(known.json.data.posts.length, 3)
      const unknown = await read('foreign_one/live?max_age=0')
      assert.deepEqual([unknown.status, unknown.json.code], [502, 'upstream_failed'])
      await service.store.archive.addChannel('never_read', { at: now, status: 'queued' })
      const queued = await read('never_read/live?max_age=0')
      assert.deepEqual([queued.status, queued.json.code], [502, 'upstream_failed'])
    } finally {
      platform.setFaults([])
    }
  })

  test('that fails on a further page is answered from the archive, or cut short with a warning', async () => {
    const { script } = platform.world
    script.rename(indexed, now - MINUTE, ['indexed_one', 'indexed_too'])
    for (const [name, source, code, posts] of [
      ['indexed_one', 'archive', 'served_from_archive', 45],
      ['indexed_too', 'archive', 'served_from_archive', 45],
      ['foreign_one', 'live', 'read_cut_short', 20],
    ] as const) {
      await read(`${name}/live?max_age=0&limit=45`)
      platform.setFaults([{ kind: 'server_error', skip: 1 }])
      try {
        const { json } = await read(`${name}/live?max_age=0&limit=45`)
        assert.deepEqual(
          [json.data.source, json.warnings.at(-1).code, json.data.posts.length],
          [source, code, posts],
        )
      } finally {
        platform.setFaults([])
      }
    }
  })

  test('gets 503 with Retry-After when the platform throttles', async () => {
    platform.setFaults([{ kind: 'rate_limit', retryAfterS: 7 }])
    try {
      const { status, json, headers } = await read('foreign_one/live?max_age=0')
      assert.deepEqual([status, json.code], [503, 'upstream_throttled'])
      assert.ok(Number(headers.get('retry-after')) >= 7)
    } finally {
      platform.setFaults([])
    }
  })
})
