import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { postOf } from '../../test/fake-platform.ts'
import { openCrawler } from '../../test/open-crawler.ts'
import { openLive } from '../../test/open-live.ts'
import { openStage as open, START } from '../../test/visit-stage.ts'
import type { Post } from '../model/post.ts'
import { HOUR_MS, MINUTE_MS } from '../model/time.ts'

const through = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i)

type Stage = Awaited<ReturnType<typeof open>>

for (const count of [2, 25, 60]) {
  test(`another numeric id of the same posts is a parser mismatch, and not another channel (${count} posts later)`, async () => {
    const s = await open()
    s.platform.publish(s.channel, 30)
    await s.visit()
    const own = s.channel.profile
    s.channel.profile = { ...own, platformId: 1_000_000_001_000 }
    s.platform.publish(s.channel, count)
    for (let i = 0; i < 3; i++) {
      await s.visit()
      const { username, platformId, reason } = await s.status()
      assert.deepEqual([username, platformId, reason], ['daily_news', 1000, 'parser_mismatch'])
      s.pass(HOUR_MS)
    }
    s.channel.profile = own
    assert.equal((await s.visit()).kind, 'read')
    assert.equal((await s.archived()).length, 30 + count)
  })
}

test('another numeric id is a parser mismatch even if the last archived post on the page was edited', async () => {
  const s = await open()
  s.platform.publish(s.channel, 30)
  await s.visit()
  s.channel.profile = { ...s.channel.profile, platformId: 1_000_000_001_000 }
  s.channel.posts[29] = { ...s.channel.posts[29]!, text: 'edited' }
  s.platform.publish(s.channel, 19)
  await s.visit()
  assert.equal((await s.status()).reason, 'parser_mismatch')
})

describe('a name that went to another channel is recognised', () => {
  const owners: Readonly<Record<string, (s: Stage) => Post[]>> = {
    'with other posts under the same numbers': (s) =>
      s.channel.posts.map((post) => ({ ...post, text: 'of another' })),
    'with higher numbers': () => through(500, 600).map((number) => postOf(number, START)),
    'with other posts below its newest page': () =>
      through(1, 90).map((number) => postOf(number, START - number, 'of another')),
    'with lower numbers': () => through(1, 5).map((number) => postOf(number, START, 'of another')),
  }
  for (const [title, postsOf] of Object.entries(owners)) {
    test(title, async () => {
      const s = await open()
      s.platform.publish(s.channel, 30)
      await s.visit()
      s.channel.posts = postsOf(s)
      s.channel.profile = { ...s.channel.profile, platformId: 7 }
      const ends = []
      for (let i = 0; i < 2; i++) {
        ends.push((await s.visit()).kind)
        s.pass(HOUR_MS)
      }
      assert.deepEqual(ends, ['doubted', 'other_channel'])
    })
  }
})

test('while the older posts cannot be read, nobody loses a name', async () => {
  const s = await open()
  s.platform.publish(s.channel, 30)
  await s.visit()
  s.platform.publish(s.channel, 25)
  s.channel.profile = { ...s.channel.profile, platformId: 1_000_000_001_000 }
  const { page } = s.platform.source
  for (const kind of ['nobody', 'empty'] as const) {
    s.platform.source.page = async (name, before, options) =>
      before === null ? page(name, before, options) : { kind, profile: null }
    for (let i = 0; i < 3; i++) {
      assert.equal((await s.visit()).kind, 'failed')
      s.pass(HOUR_MS)
    }
  }
  assert.equal((await s.status()).username, 'daily_news')
})

/** A crawler that has read one channel, and then meets another with the same numeric id. */
async function meet(textOf: (number: number) => string) {
  const s = await openCrawler()
  const crawler = s.start()
  const [old] = await s.add('old_news')
  s.platform.publish(old!, 5)
  await s.pass(MINUTE_MS)
  const [young] = await s.add('young_news')
  young!.posts = old!.posts.map((post) => ({ ...post, text: textOf(post.number) }))
  young!.profile = { ...old!.profile, username: 'young_news' }
  await s.pass(10 * MINUTE_MS)
  await crawler.stop()
  const [known, met] = await Promise.all(
    ['old_news', 'young_news'].map((name) => s.store.archive.channel(name)),
  )
  const post = await s.store.archive.post(known!.id, 3)
  return { known: known!, met: met!, post: post! }
}

test('a new channel with the numeric id of another, but not its posts, does not become that one', async () => {
  const { known, met, post } = await meet((number) => `young ${number}`)
  assert.notEqual(met.id, known.id)
  assert.deepEqual([known.username, known.posts, post.revision], ['old_news', 5, 1])
  assert.equal(met.reason, 'parser_mismatch')
})

test('new channels that show the same wrong numeric id, and are read at the same moment, stay apart', async () => {
  const s = await openCrawler()
  const names = ['first_news', 'second_news']
  for (const [i, channel] of (await s.add(...names)).entries()) {
    s.platform.publish(channel, 5)
    channel.posts = channel.posts.map((post) => ({ ...post, text: `${names[i]} ${post.number}` }))
    channel.profile = { ...channel.profile, platformId: 7 }
  }
  const crawler = s.start()
  await s.pass(10 * MINUTE_MS)
  await crawler.stop()
  const found = await Promise.all(names.map((name) => s.store.archive.channel(name)))
  assert.deepEqual(
    found.map((channel) => [channel?.username, channel?.posts, channel?.reason]),
    [
      ['first_news', 5, null],
      ['second_news', 0, 'parser_mismatch'],
    ],
  )
  assert.equal((await s.store.archive.post(found[0]!.id, 3))?.revision, 1)
})

test('another name of a known channel is recognised by its posts', async () => {
  const { known, met, post } = await meet((number) => `post ${number}`)
  assert.deepEqual([met.id, met.posts, post.revision], [known.id, 5, 1])
})

/** A crawler that knows posts 201 to 700 of one channel, and meets a new one which shows the same numeric id for a while. */
async function mistake(description = '') {
  const s = await openCrawler()
  const crawler = s.start()
  const [old] = await s.add('old_news')
  s.platform.publish(old!, 700)
  await s.pass(5 * MINUTE_MS)
  await s.store.archive.addChannel('young_news', { at: s.clock.now(), status: 'queued' })
  const young = s.platform.add('young_news', 2000)
  s.platform.publish(young, 20)
  const right = young.profile
  young.profile = { ...right, platformId: 1000, description }
  await s.pass(MINUTE_MS)
  young.profile = right
  await s.pass(15 * MINUTE_MS)
  await crawler.stop()
  const names = ['old_news', 'young_news']
  const found = await Promise.all(names.map((name) => s.store.archive.channel(name)))
  return found.map((channel) => [channel?.username, channel?.platformId, channel?.posts])
}

test('a new channel that shows the numeric id of another on one page stays a channel of its own', async () => {
  const expected = [
    ['old_news', 1000, 500],
    ['young_news', 2000, 20],
  ]
  assert.deepEqual(await mistake(), expected)
  assert.deepEqual(await mistake('#telegrep_optout'), expected)
})

test('a new name of a known channel is recognised when the archived posts have left its page', async () => {
  const s = await openCrawler()
  const crawler = s.start()
  const [old] = await s.add('old_news')
  s.platform.publish(old!, 30)
  await s.pass(MINUTE_MS)
  s.platform.rename('old_news', 'new_news')
  s.platform.publish(old!, 25)
  await s.store.archive.addChannel('new_news', { at: s.clock.now(), status: 'queued' })
  await s.pass(MINUTE_MS)
  await crawler.stop()
  const known = await s.store.archive.channel('new_news')
  assert.deepEqual([known?.id, known?.platformId], [1, 1000])
})

test('a live read of a page with the numeric id of another channel changes nothing of that channel', async () => {
  const s = await openLive({ autoIndex: 'live' })
  await s.read()
  const id = (await s.store.archive.channel('daily_news'))!.id
  const other = s.platform.add('young_news', 1000)
  s.platform.publish(other, 65)
  other.posts = other.posts.map((post) => ({ ...post, text: `young ${post.number}` }))
  const read = await s.read({ name: 'young_news' })
  assert.ok(read.kind === 'read')
  assert.deepEqual([read.posts[0]?.text, read.channelId], ['young 65', null])
  assert.equal((await s.store.archive.post(id, 65))?.text, 'post 65')
  assert.equal((await s.store.archive.channel('daily_news'))?.id, id)
})
