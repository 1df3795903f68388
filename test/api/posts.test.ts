import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  addChannel,
  ended,
  sampleProfile,
  sampleReading,
  take,
} from '../../src/store/contract/samples.ts'
import { makePost, startService, type Service } from './harness.ts'
import { DAY, fillWorld } from './world.ts'

/** Channels and posts, row by row. */
describe('channels and posts', () => {
  let service: Service
  before(async () => {
    service = await startService()
    await fillWorld(service)
  })
  after(() => service[Symbol.asyncDispose]())

  const names = async (query: string) =>
    ((await service.get(`/v1/channels?${query}`)).json.data as { username: string }[]).map(
      ({ username }) => username,
    )
  const slugs = async (query: string) =>
    (
      (await service.get(`/v1/channels/ChessNews/posts?${query}`)).json.data as { slug: string }[]
    ).map(({ slug }) => slug)

  test('channels are filtered by language, subscribers, verification, activity and status', async () => {
    assert.deepEqual(await names('lang=ru'), ['novosti_shahmat'])
    assert.deepEqual(await names('min_subscribers=501'), ['ChessNews'])
    assert.deepEqual(await names('max_subscribers=500&min_subscribers=1'), ['novosti_shahmat'])
    assert.deepEqual(await names('verified=true'), ['ChessNews'])
    assert.deepEqual(await names('active_since=3d&sort=username'), ['ChessNews', 'novosti_shahmat'])
    assert.deepEqual(await names('status=gone'), [])
  })

  test('posts of a channel are filtered by media kind, forwarding, words and age', async () => {
    assert.deepEqual(await slugs('has=poll'), ['14'])
    assert.deepEqual(await slugs('forwards=only'), [])
    assert.deepEqual(await slugs('q=champions'), ['11', '10', '2'])
    assert.deepEqual(await slugs('until=30d'), ['2'])
  })

  test('service messages are listed only when asked for', async () => {
    const posts = await slugs('limit=100')
    assert.deepEqual(posts, ['17', '16', '15', '14', '13', '11', '10', '2'])
    assert.deepEqual(await slugs('limit=100&include_service=true'), [...posts, '1'])
  })

  test('hidden characters are removed from the served text, and entity offsets are adjusted', async () => {
    const { json } = await service.get('/v1/channels/ChessNews/posts/15')
    assert.equal(json.data.text, 'Hidden override in the game')
    assert.equal(json.data.hidden_characters, true)
    assert.deepEqual(json.data.entities, [{ type: 'italic', offset: 0, length: 6 }])
    const clean = await service.get('/v1/channels/ChessNews/posts/10')
    assert.equal(clean.json.data.hidden_characters, undefined)
  })

  test("the HTML of a post has its author's tags escaped", async () => {
    const { json } = await service.get('/v1/channels/ChessNews/posts/16')
    assert.ok(!json.data.html.includes('<script'))
    assert.ok(json.data.html.includes('&lt;script&gt;'))
  })

  test('an edited post has its earlier versions, oldest first', async () => {
    const now = service.clock.now()
    const publish = (text: string, edited: boolean) =>
      service.publish({ username: 'edited_often', platformId: 55 }, [
        makePost({ number: 1, publishedAt: now - DAY, text, edited }),
      ])
    await publish('first words', false)
    service.pass(1000)
    await publish('second words', true)
    service.pass(1000)
    await publish('third words', true)
    const { json } = await service.get('/v1/channels/edited_often/posts/1')
    assert.equal(json.data.text, 'third words')
    assert.equal(json.data.edited, true)
    assert.deepEqual(
      json.data.versions.map(({ text }: { text: string }) => text),
      ['first words', 'second words'],
    )
    assert.match(json.data.versions[0].sha256, /^[0-9a-f]{64}$/)
  })

  test('a post with more than 100 versions shows the latest 100 and warns', async () => {
    const channel = { username: 'ticker_news', platformId: 57 }
    const publishedAt = service.clock.now() - DAY
    for (let i = 1; i <= 102; i++) {
      service.pass(1000)
      await service.publish(channel, [makePost({ number: 1, publishedAt, text: `price ${i}` })])
    }
    const { json } = await service.get('/v1/channels/ticker_news/posts/1')
    const texts = json.data.versions.map(({ text }: { text: string }) => text)
    assert.deepEqual([texts.length, texts[0], texts.at(-1)], [100, 'price 2', 'price 101'])
    assert.deepEqual(
      json.warnings.map(({ code }: { code: string }) => code),
      ['versions_left_out'],
    )
  })

  test('a deleted post is 410 with its evidence and without its text', async () => {
    const now = service.clock.now()
    const post = makePost({ number: 3, publishedAt: now - DAY, text: 'to be regretted' })
    await service.publish({ username: 'regrets_it', platformId: 56 }, [post])
    await service.publish({ username: 'regrets_it', platformId: 56 }, [], [3])
    const { status, json, text } = await service.get('/v1/channels/regrets_it/posts/3')
    assert.equal(status, 410)
    assert.equal(json.code, 'post_deleted')
    assert.equal(
      json.detail,
      `post 3 of regrets_it was deleted on the platform; published ${json.published_at}, found deleted ${json.deleted_at}`,
    )
    assert.match(json.evidence.content_sha256, /^[0-9a-f]{64}$/)
    assert.ok(json.deleted_at)
    assert.ok(!text.includes('regretted'))
    assert.deepEqual((await service.get('/v1/channels/regrets_it/posts')).json.data, [])
    const list = await service.get('/v1/channels/regrets_it/posts?include_deleted=true')
    assert.equal(list.json.data[0].slug, '3')
    assert.ok(list.json.data[0].deleted_at)
    assert.ok(!list.text.includes('regretted'))
  })

  test('a deleted post is served with deleted_at where the operator keeps deleted text, but not searched', async () => {
    await using keeping = await startService({ retention: { deleted: 'keep', versions: 'keep' } })
    const now = keeping.clock.now()
    await keeping.publish({ username: 'regrets_it' }, [
      makePost({ number: 3, publishedAt: now - DAY, text: 'to be regretted' }),
    ])
    await keeping.publish({ username: 'regrets_it' }, [], [3])
    const { status, json } = await keeping.get('/v1/channels/regrets_it/posts/3')
    assert.equal(status, 200)
    const table = await keeping.get('/v1/channels/regrets_it/posts?include_deleted=true&format=csv')
    assert.ok(table.text.trimEnd().endsWith(`,${json.data.deleted_at}`), table.text)
    for (const format of ['rss', 'jsonfeed']) {
      const path = `/v1/channels/regrets_it/posts?include_deleted=true&format=${format}`
      const feed = await keeping.get(path)
      assert.ok(feed.text.includes(`Deleted ${json.data.deleted_at}`), feed.text)
    }
    assert.equal(json.data.text, 'to be regretted')
    assert.ok(json.data.deleted_at)
    assert.equal((await keeping.get('/v1/search?q=regretted')).json.data.length, 0)
  })

  for (const deleted of ['keep', 'redact'] as const) {
    test(`a deleted post without text follows the retention setting: ${deleted}`, async () => {
      await using other = await startService({ retention: { deleted, versions: 'keep' } })
      const at = other.clock.now() - DAY
      const wordless = { publishedAt: at, text: '' }
      const poll = {
        question: 'Who will win?',
        type: 'Anonymous Poll',
        options: [{ text: 'White', percent: 100 }],
        voters: null,
      }
      const preview = {
        url: 'https://example.com/',
        siteName: null,
        title: 'A preview',
        description: null,
        imageUrl: null,
      }
      const posts = [
        makePost({ ...wordless, number: 3, poll }),
        makePost({ ...wordless, number: 4, linkPreview: preview }),
        makePost({
          ...wordless,
          number: 5,
          buttons: [[{ text: 'Open', url: 'https://a.example/' }]],
        }),
      ]
      await other.publish({ username: 'asks_around' }, posts)
      await other.publish({ username: 'asks_around' }, [], [3, 4, 5])
      for (const { number } of posts) {
        for (const more of ['', '/spread', '/evidence?format=json']) {
          const path = `/v1/channels/asks_around/posts/${number}${more}`
          const { status, json } = await other.get(path)
          assert.equal(status, deleted === 'keep' ? 200 : 410, path)
          if (deleted === 'redact') assert.equal(json.code, 'post_deleted')
          else if (more === '') assert.ok(json.data.deleted_at)
        }
      }
    })
  }

  test('an unknown channel and an unknown post are 404 with different codes', async () => {
    const unknown = await service.get('/v1/channels/nobody_here')
    assert.equal(unknown.status, 404)
    assert.equal(unknown.json.code, 'channel_not_indexed')
    assert.equal(unknown.json.links.live, 'https://telegrep.example/v1/channels/nobody_here/live')
    const post = await service.get('/v1/channels/ChessNews/posts/999')
    assert.deepEqual([post.status, post.json.code], [404, 'post_not_found'])
  })

  test('a channel that awaits its first visit is not presented as an empty one', async () => {
    const at = service.clock.now()
    await service.store.archive.addChannel('queued_channel', { at, status: 'queued' })
    const { json } = await service.get('/v1/channels/queued_channel/posts')
    assert.deepEqual(json.data, [])
    const [told] = json.warnings
    assert.deepEqual([told?.code, told?.parameter], ['channel_not_read_yet', 'username'])
    assert.match(told.detail, /\/v1\/channels\/queued_channel\/live reads it now$/)
    for (const path of ['7', '7/spread', '7/evidence?format=json']) {
      const missing = await service.get(`/v1/channels/queued_channel/posts/${path}`)
      assert.equal(missing.json.code, 'post_not_found')
      assert.match(missing.json.detail, /waits for its first visit/)
    }
    assert.deepEqual(
      (await service.get('/v1/channels/ChessNews/posts?has=sticker')).json.warnings,
      [],
    )
  })

  test('a list that reaches the earliest archived post warns that earlier ones were not read', async () => {
    const at = service.clock.now()
    const { id } = await addChannel(service.store, 'half_read', at)
    const visit = (await take(service.store)).find(({ channel }) => channel.id === id)!
    await service.store.frontier.settle(visit.lease, {
      ...ended(visit),
      reading: sampleReading(id, {
        at,
        profile: sampleProfile('half_read', { platformId: 59 }),
        posts: [19, 20].map((number) =>
          makePost({ number, publishedAt: at - (30 - number) * DAY, text: `number ${number}` }),
        ),
      }),
      gaps: [{ kind: 'gap', before: 19, downTo: 3, until: at - 20 * DAY }],
      walked: [{ before: 21, downTo: 18 }],
    })
    const toldBy = async (path: string) =>
      (await service.get(path)).json.warnings.map(({ code }: { code: string }) => code)
    const posts = '/v1/channels/half_read/posts'
    const begins = ['archive_begins']
    assert.deepEqual(await toldBy(posts), begins)
    assert.deepEqual(await toldBy(`${posts}?limit=1`), [])
    assert.deepEqual(await toldBy(`${posts}?limit=1&order=oldest`), begins)
    assert.deepEqual(await toldBy(`${posts}?until=20d`), begins)
    assert.deepEqual(await toldBy(`${posts}?since=2d`), [])
    const search = '/v1/search?channel=half_read'
    assert.deepEqual(await toldBy(search), [])
    assert.deepEqual(await toldBy(`${search}&until=20d`), begins)
    assert.deepEqual(await toldBy(`${search}&since=2d`), [])
    await service.index()
    const nextOf = async (path: string) =>
      `${path}&cursor=${(await service.get(path)).json.meta.next_cursor}`
    assert.deepEqual(await toldBy(await nextOf(`${search}&limit=1`)), [])
    assert.deepEqual(await toldBy(await nextOf(`${search}&until=1d&since=29d&limit=1`)), begins)
    const { json } = await service.get(posts)
    const profile = await service.get('/v1/channels/half_read?format=md')
    assert.match(profile.text, /^- Archive: from 2.*Z on; not all earlier posts were read$/m)
    assert.match(json.warnings[0].detail, /^not all posts of half_read from before 2.*Z were read$/)
  })

  test('a removed channel is 410 at its own paths and absent from searches and lists', async () => {
    const now = service.clock.now()
    await service.publish({ username: 'wants_out', platformId: 57 }, [
      makePost({ number: 1, publishedAt: now - DAY, text: 'unforgettable words' }),
      makePost({ number: 2, publishedAt: now - DAY, text: 'more of it' }),
    ])
    assert.equal((await service.get('/v1/search?q=unforgettable')).json.data.length, 1)
    await service.store.removals.removeChannel('wants_out', 'asked', now)
    service.pass(5_000)
    for (const path of ['', '/posts', '/posts/1', '/posts/1/spread', '/live']) {
      const { status, json } = await service.get(`/v1/channels/wants_out${path}`)
      assert.deepEqual([path, status, json.code], [path, 410, 'channel_removed'])
    }
    assert.equal((await service.get('/v1/search?q=unforgettable')).json.data.length, 0)
    assert.equal((await service.get('/v1/search?q=unforgettable&detail=ids')).json.data.length, 0)
    assert.ok(!(await names('limit=100')).includes('wants_out'))
  })

  test('a removed post is 410, its neighbour is not', async () => {
    const now = service.clock.now()
    await service.publish({ username: 'one_post_out', platformId: 58 }, [
      makePost({ number: 1, publishedAt: now - DAY }),
      makePost({ number: 2, publishedAt: now - DAY }),
    ])
    await service.store.removals.removePost('one_post_out', 1, 'asked', now)
    const path = '/v1/channels/one_post_out/posts'
    for (const more of ['', '/spread']) {
      const { status, json } = await service.get(`${path}/1${more}`)
      assert.deepEqual([status, json.code], [410, 'post_removed'], more)
    }
    assert.equal((await service.get(`${path}/2`)).status, 200)
    const list = await service.get(`${path}?include_deleted=true`)
    assert.deepEqual(
      list.json.data.map(({ slug }: { slug: string }) => slug),
      ['2'],
    )
  })
})
