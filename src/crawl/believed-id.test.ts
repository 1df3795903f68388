import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openCrawler } from '../../test/open-crawler.ts'
import { openLive } from '../../test/open-live.ts'
import { openStage as open } from '../../test/visit-stage.ts'
import { HOUR_MS, MINUTE_MS } from '../model/time.ts'

test('another numeric id beside the archived posts is a parser mismatch, and not another channel', async () => {
  const s = await open()
  s.platform.publish(s.channel, 3)
  await s.visit()
  const own = s.channel.profile
  s.channel.profile = { ...own, platformId: 1_000_000_001_000 }
  s.platform.publish(s.channel, 2)
  for (let i = 0; i < 3; i++) {
    await s.visit()
    const { username, platformId, reason } = await s.status()
    assert.deepEqual([username, platformId, reason], ['daily_news', 1000, 'parser_mismatch'])
    s.pass(HOUR_MS)
  }
  s.channel.profile = own
  assert.equal((await s.visit()).kind, 'read')
  assert.deepEqual(await s.archived(), [1, 2, 3, 4, 5])
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

test('another name of a known channel is recognised by its posts', async () => {
  const { known, met, post } = await meet((number) => `post ${number}`)
  assert.deepEqual([met.id, met.posts, post.revision], [known.id, 5, 1])
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
