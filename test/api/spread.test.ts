import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { count, makePost, startService, type Service } from './harness.ts'

const HOUR = 3_600_000
const TEXT =
  'The bridge over the northern canal is closed until Friday morning, the harbour master said, after a barge struck its middle pier.'

interface Member {
  readonly id: string
  readonly came: string
  readonly delay_s: number
  readonly views: { readonly value: number } | null
}

describe('/spread and /status', () => {
  let service: Service
  before(async () => {
    service = await startService()
    const now = Math.floor(service.clock.now() / 1000) * 1000
    const publish = (
      username: string,
      subscribers: number,
      posts: Parameters<typeof makePost>[0][],
    ) =>
      service.publish(
        { username, title: username, subscribers: count(subscribers, now) },
        posts.map((post) => makePost(post)),
      )
    await publish('canal_watch', 900, [
      { number: 6, publishedAt: now - 5 * HOUR, text: TEXT, views: count(70, now) },
      { number: 7, publishedAt: now - HOUR, text: 'Nobody else says a word about these herons' },
    ])
    await publish('town_echo', 77, [
      { number: 2, publishedAt: now - 60 * 24 * HOUR, text: 'Years ago there was a ferry here' },
      { number: 3, publishedAt: now - 3 * HOUR, text: TEXT, views: count(9, now) },
    ])
    const forwardedFrom = {
      name: 'Canal watch',
      username: 'canal_watch',
      postUrl: 'https://t.me/canal_watch/6',
      author: null,
    }
    await publish('carrier_news', 30, [
      { number: 4, publishedAt: now - 4 * HOUR, text: TEXT, forwardedFrom },
    ])
    await publish('reading_list', 5, [
      {
        number: 8,
        publishedAt: now - 2 * HOUR,
        text: 'Worth a look: https://t.me/Town_Echo/3',
        entities: [{ type: 'link', offset: 15, length: 24, url: 'https://t.me/town_echo/3' }],
      },
    ])
  })
  after(() => service[Symbol.asyncDispose]())

  test('/spread lists the group earliest first, with how each post came, its delay, and the reach', async () => {
    const { json } = await service.get('/v1/channels/town_echo/posts/3/spread')
    assert.deepEqual(
      json.data.members.map(({ id, came, delay_s: delay, views }: Member) => [
        id,
        came,
        delay,
        views?.value,
      ]),
      [
        ['canal_watch/6', 'original', 0, 70],
        ['carrier_news/4', 'forward', 3_600, undefined],
        ['town_echo/3', 'copy', 7_200, 9],
        ['reading_list/8', 'link', 10_800, undefined],
      ],
    )
    const { id, size, channels, members } = json.data
    assert.deepEqual([id, size, channels], ['town_echo/3', 3, 3])
    assert.deepEqual([json.data.first, json.data.linked], ['canal_watch/6', 1])
    assert.deepEqual(json.data.reach, { views: 79, subscribers: 1012 })
    assert.deepEqual(json.data.edges, [
      { from: 'canal_watch/6', to: 'carrier_news/4', came: 'forward', told: true },
      { from: 'canal_watch/6', to: 'town_echo/3', came: 'copy', told: false },
      { from: 'town_echo/3', to: 'reading_list/8', came: 'link', told: true },
    ])
    assert.equal(members[3].source_delay_s, 3_600)
    assert.equal(members[2].channel.subscribers.value, 77)
    assert.deepEqual([json.meta.coverage.complete, json.meta.coverage.posts], [true, 5])
  })

  test('/spread keeps to its limit and is available as Markdown', async () => {
    const few = await service.get('/v1/channels/town_echo/posts/3/spread?limit=1')
    assert.deepEqual([few.json.data.members.length, few.json.data.size], [1, 3])
    const { text } = await service.get('/v1/channels/town_echo/posts/3/spread?format=md')
    assert.match(
      text,
      /^# Spread of town_echo\/3\n\nSaid by 3 posts of 3 channels\. Linked by 1\. First in what is indexed, 5 posts of 4 channels: canal_watch\/6\. /,
    )
    assert.match(text, /\nlink to town_echo\/3, 3 h after the first/)
    assert.match(text, /\ncopy, 2 h after the first, to 77 subscribers\n/)
    assert.equal(text.split('The bridge over').length, 2, 'copies repeat no words')
    assert.equal(text.match(/^\(begins with the same words as canal_watch\/6\)$/gm)?.length, 2)
    assert.match(text, /Worth a look: /)
  })

  test('/spread of a post without copies has that post alone; outside the window coverage is incomplete', async () => {
    const alone = await service.get('/v1/channels/canal_watch/posts/7/spread')
    assert.deepEqual(
      alone.json.data.members.map(({ id, came }: Member) => [id, came]),
      [['canal_watch/7', 'original']],
    )
    assert.deepEqual([alone.json.data.size, alone.json.meta.coverage.complete], [1, true])
    const old = await service.get('/v1/channels/town_echo/posts/2/spread')
    const { complete, reason } = old.json.meta.coverage
    assert.deepEqual([old.json.data.size, complete, reason], [1, false, 'window'])
    const none = await service.get('/v1/channels/canal_watch/posts/999/spread')
    assert.deepEqual([none.status, none.json.code], [404, 'post_not_found'])
  })

  test('/status reports on the archive, visits, the index and requests to the platform', async () => {
    const { archive, visits, index, requests } = (await service.get('/v1/status')).json.data
    assert.deepEqual(archive.channels_by_status, { active: 4 })
    assert.deepEqual([archive.channels, archive.posts, index.posts], [4, 6, 5])
    assert.deepEqual([index.problem, index.rebuilding, index.pending_changes], [null, false, 0])
    assert.deepEqual([visits.due, visits.failures], [4, {}])
    assert.deepEqual([requests.rate_per_s, requests.last_hour, requests.paused_until], [1, 0, null])
    const { text } = await service.get('/v1/status?format=md')
    assert.match(
      text,
      /^# Status\n\n- Archive: 6 posts of 4 channels \(4 active\), published .* to .*\n- Visits: 4 due/,
    )
  })

  test('/status counts failing channels by the failure of their last visit', async () => {
    const owner = 'test'
    const [leased] = await service.store.frontier.lease({
      owner,
      limit: 1,
      ttlMs: 1000,
      eager: false,
    })
    const { lease, schedule, channel } = leased!
    await service.store.frontier.settle(lease, {
      reading: null,
      schedule: { ...schedule, fails: 1, lastFailure: 'unreachable_timeout' },
      status: channel.status,
      reason: null,
      gaps: [],
      walked: [],
    })
    service.pass(3_000)
    const { visits } = (await service.get('/v1/status')).json.data
    assert.deepEqual(visits.failures, { unreachable_timeout: 1 })
  })
})
