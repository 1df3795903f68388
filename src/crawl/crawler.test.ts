import assert from 'node:assert/strict'
import { hostname } from 'node:os'
import { describe, test } from 'node:test'
import { START, openCrawler } from '../../test/open-crawler.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../model/time.ts'
import { ended, samplePost, sampleReading } from '../store/contract/samples.ts'
import { createManualClock } from '../simulator/clocks.ts'
import { addChannels } from './add-channels.ts'
import { startBackfill } from './backfill.ts'
import { createOwner, isDeadHere } from '../store/owner.ts'

describe('the crawler', () => {
  test('finds new posts within two minutes while there is budget to spare', async () => {
    const s = await openCrawler()
    const [first, second] = await s.add('first_channel', 'second_channel')
    s.platform.publish(first!, 3)
    s.platform.publish(second!, 3, START - 2 * DAY_MS)
    const crawler = s.start()
    await s.pass(5 * MINUTE_MS)
    for (let i = 0; i < 5; i++) {
      s.platform.publish(second!, 1)
      await s.pass(2 * MINUTE_MS)
      const channel = await s.store.archive.channel('second_channel')
      assert.equal(channel?.posts, second!.posts.length)
    }
    await crawler.stop()
    assert.deepEqual(s.crashes, [])
  })

  test('finds new posts within two minutes after a restart although the next visit was planned a day away', async () => {
    const s = await openCrawler()
    const [channel] = await s.add('first_channel')
    s.platform.publish(channel!, 3)
    const crawler = s.start()
    await s.pass(MINUTE_MS)
    await crawler.stop()
    const { id } = (await s.store.archive.channel('first_channel'))!
    await s.store.frontier.makeDue(id, 0)
    const lease = { owner: 'x', limit: 1, ttlMs: 1, eager: false }
    const [leased] = await s.store.frontier.lease(lease)
    const schedule = { ...leased!.schedule, nextVisitAt: s.clock.now() + DAY_MS }
    await s.store.frontier.settle(leased!.lease, ended(leased!, { schedule }))
    s.platform.publish(channel!, 1)
    const again = s.start()
    await s.pass(2 * MINUTE_MS)
    assert.equal((await s.store.archive.channel('first_channel'))?.posts, 4)
    await again.stop()
  })

  test('stays within its request budget however many channels there are', async () => {
    const s = await openCrawler()
    const names = Array.from({ length: 300 }, (_, i) => `channel_${i}`)
    for (const channel of await s.add(...names)) s.platform.publish(channel, 2)
    const crawler = s.start()
    await s.pass(3 * MINUTE_MS)
    await crawler.stop()
    assert.ok(s.platform.asked.length <= 181, `${s.platform.asked.length} requests`)
    assert.ok(s.platform.asked.length > 150, `${s.platform.asked.length} requests`)
    assert.equal(new Set(s.visits.map((visit) => visit.channel)).size, s.visits.length)
  })

  test('pauses completely when throttled, and counts one throttling', async () => {
    const s = await openCrawler()
    const [channel] = await s.add('first_channel')
    s.platform.publish(channel!, 3)
    s.platform.answers.push({ kind: 'throttled', sign: 'status', retryAfterMs: 300_000 })
    const crawler = s.start()
    await s.pass(4 * MINUTE_MS)
    assert.equal(s.platform.asked.length, 1)
    assert.equal(s.throttled(), 1)
    await s.pass(4 * MINUTE_MS)
    assert.ok(s.platform.asked.length > 1)
    await crawler.stop()
  })

  test('slows down when two channels hide their posts, but not when only one does', async () => {
    const s = await openCrawler()
    const [odd, other] = await s.add('odd_channel', 'other_channel')
    for (const channel of [odd!, other!]) s.platform.publish(channel, 3)
    const crawler = s.start()
    await s.pass(MINUTE_MS)
    s.hiding.add('odd_channel')
    await s.pass(5 * MINUTE_MS)
    assert.equal((await s.store.budget.state(1)).ratePerS, 1)
    s.hiding.add('other_channel')
    await s.pass(2 * MINUTE_MS)
    assert.ok((await s.store.budget.state(1)).ratePerS < 1)
    assert.equal((await s.store.archive.totals()).posts, 6)
    await crawler.stop()
  })

  test('believes that a channel deleted all its posts only while it can read another', async () => {
    for (const emptied of [3, 1]) {
      const clock = createManualClock(START)
      const s = await openCrawler(clock)
      const channels = await s.add('alpha_news', 'beta_news', 'gamma_news')
      for (const channel of channels) s.platform.publish(channel, 3)
      const crawlFor = async (ms: number) => {
        const crawler = s.start()
        await s.pass(ms)
        await crawler.stop()
      }
      await crawlFor(20 * SECOND_MS)
      for (const channel of channels.slice(0, emptied)) channel.posts = []
      await crawlFor(4 * MINUTE_MS)
      assert.equal((await s.store.archive.totals()).posts, 9)
      await clock.advance(7 * HOUR_MS)
      await crawlFor(20 * MINUTE_MS)
      assert.equal((await s.store.archive.totals()).posts, emptied === 3 ? 9 : 6)
    }
  })

  test('stops when most visits fail and tries again one by one', async () => {
    const s = await openCrawler()
    const names = Array.from({ length: 30 }, (_, i) => `channel_${i}`)
    for (const channel of await s.add(...names)) s.platform.publish(channel, 2)
    const down = { kind: 'unreachable', what: 'network', detail: 'reset' } as const
    s.platform.answers.push(...Array.from({ length: 9 }, () => down))
    const crawler = s.start()
    await s.pass(30 * SECOND_MS)
    assert.ok(s.platform.asked.length <= 10, `${s.platform.asked.length} requests while it is down`)
    await s.pass(4 * MINUTE_MS)
    assert.equal((await s.store.archive.totals()).posts, 60)
    await crawler.stop()
  })

  test('reports a visit that throws and retries it later', async () => {
    const s = await openCrawler()
    const [channel] = await s.add('first_channel')
    s.platform.publish(channel!, 3)
    s.broken.add('first_channel')
    const crawler = s.start()
    await s.pass(20 * SECOND_MS)
    assert.equal(s.crashes.length, 1)
    s.broken.clear()
    await s.pass(MINUTE_MS)
    assert.equal((await s.store.archive.totals()).posts, 3)
    await crawler.stop()
  })

  test('takes over the leases of a dead process on this host at once', async () => {
    const s = await openCrawler()
    const [channel] = await s.add('first_channel')
    s.platform.publish(channel!, 3)
    const dead = `${hostname()}/999999999/x`
    assert.equal(isDeadHere(dead, createOwner()), true)
    assert.equal(isDeadHere(createOwner(), 'other'), true)
    assert.equal(isDeadHere('elsewhere/1/x', createOwner()), false)
    await s.store.frontier.lease({ owner: dead, limit: 9, ttlMs: HOUR_MS, eager: true })
    const crawler = s.start()
    await s.pass(5 * SECOND_MS)
    assert.equal((await s.store.archive.totals()).posts, 3)
    await crawler.stop()
  })

  test('loses only the visits under way when another process takes it for dead', async () => {
    const s = await openCrawler()
    const [channel] = await s.add('first_channel')
    s.platform.publish(channel!, 300)
    const living = s.start()
    await s.pass(2 * SECOND_MS)
    // With the same host name and pid, as two containers may have.
    const other = s.start()
    await s.pass(2 * MINUTE_MS)
    const written = s.visits.filter(({ outcome }) => outcome === 'page')
    assert.deepEqual([written[0]?.added, written[1]?.added], [300, 0])
    assert.ok(written[0]!.lateMs >= 2 * SECOND_MS, 'it is the other that wrote')
    assert.deepEqual(s.crashes, [])
    await living.stop()
    await other.stop()
  })

  test('backfills from the reserve without starving other channels', async () => {
    const s = await openCrawler()
    const [deep, other] = await s.add('deep_channel', 'other_channel')
    s.platform.publish(deep!, 1_200)
    s.platform.publish(other!, 1)
    const crawler = s.start()
    await s.pass(2 * MINUTE_MS)
    const { clock } = s
    assert.equal(
      (await startBackfill(s.store, 'unknown_one', { until: null, clock })).outcome,
      'unknown',
    )
    await startBackfill(s.store, 'deep_channel', { until: null, clock })
    s.platform.publish(other!, 1)
    await s.pass(3 * MINUTE_MS)
    assert.equal((await s.store.archive.channel('deep_channel'))?.posts, 1_200)
    assert.equal((await s.store.archive.channel('deep_channel'))?.archiveComplete, true)
    assert.equal((await s.store.archive.channel('other_channel'))?.posts, 2)
    await crawler.stop()
  })

  test('backfills the posts above those that a live read or an import added', async () => {
    const s = await openCrawler()
    const [channel] = await s.add('deep_channel')
    s.platform.publish(channel!, 900)
    const crawler = s.start()
    await s.pass(2 * MINUTE_MS)
    const { id } = (await s.store.archive.channel('deep_channel'))!
    const posts = [samplePost(1), samplePost(30)]
    await s.store.archive.record(sampleReading(id, { capture: 'live', posts }))
    await startBackfill(s.store, 'deep_channel', { until: null, clock: s.clock })
    await s.pass(3 * MINUTE_MS)
    const found = await s.store.archive.channel('deep_channel')
    assert.deepEqual([found?.posts, found?.archiveComplete], [900, true])
    await crawler.stop()
  })

  test('removes a channel that opts out and never requests it again', async () => {
    const s = await openCrawler()
    const [channel] = await s.add('first_channel')
    s.platform.publish(channel!, 3)
    const crawler = s.start()
    await s.pass(10 * SECOND_MS)
    channel!.profile = { ...channel!.profile, description: '#telegrep_optout' }
    await s.pass(3 * MINUTE_MS)
    const asked = s.platform.asked.length
    await s.pass(5 * MINUTE_MS)
    assert.equal(s.platform.asked.length, asked)
    assert.equal(await s.store.archive.channel('first_channel'), undefined)
    assert.equal((await s.store.archive.totals()).posts, 0)
    const added = await addChannels(s.store, ['@First_Channel', 'no name'], s.clock)
    assert.deepEqual(added, [
      { name: 'First_Channel', outcome: 'removed' },
      { name: 'no name', outcome: 'invalid' },
    ])
    await crawler.stop()
  })

  test('erases and registers only the channel that took over a name when that channel opts out', async () => {
    const clock = createManualClock(START)
    const s = await openCrawler(clock)
    const [victim, other] = await s.add('released_name', 'other_name')
    for (const channel of [victim!, other!]) s.platform.publish(channel, 3)
    const crawlFor = async (ms: number) => {
      const crawler = s.start()
      await s.pass(ms)
      await crawler.stop()
    }
    await crawlFor(10 * SECOND_MS)
    const { id } = (await s.store.archive.channel('released_name'))!
    const reason = async () => (await s.store.archive.channelsById([id]))[0]?.reason
    const taker = s.platform.add('released_name', 666)
    taker.profile = { ...taker.profile, description: '#telegrep_optout' }
    s.platform.publish(taker, 2)
    await crawlFor(5 * MINUTE_MS)
    assert.equal(await reason(), 'parser_mismatch')
    // The doubt outlives a restart; its second look comes after a read of the other channel.
    await clock.advance(7 * HOUR_MS)
    const { id: otherId } = (await s.store.archive.channel('other_name'))!
    const crawler = s.start()
    for (const due of [otherId, id]) {
      await s.store.frontier.makeDue(due, s.clock.now())
      await s.pass(10 * SECOND_MS)
    }
    await crawler.stop()
    assert.equal(await reason(), 'name_taken')
    await crawlFor(MINUTE_MS)
    assert.equal((await s.store.archive.totals()).posts, 6)
    const registered = await s.store.removals.list()
    assert.deepEqual(
      registered.map(({ name, platformId }) => [name, platformId]),
      [['released_name', 666]],
    )
    assert.deepEqual(s.crashes, [])
  })

  test('does not visit an imported channel until it is added or backfilled', async () => {
    const s = await openCrawler()
    for (const [i, name] of ['only_imported', 'then_added', 'then_filled'].entries()) {
      s.platform.publish(s.platform.add(name, 1000 + i), 3)
      await s.store.archive.addChannel(name, { at: START, status: 'imported' })
    }
    const crawler = s.start()
    await s.pass(10 * SECOND_MS)
    assert.equal(s.visits.length, 0)
    await addChannels(s.store, ['then_added'], s.clock)
    await startBackfill(s.store, 'then_filled', { until: null, clock: s.clock })
    await s.pass(MINUTE_MS)
    await crawler.stop()
    const visited = new Set(s.visits.map((event) => event.channel))
    assert.deepEqual(visited, new Set(['then_added', 'then_filled']))
    assert.equal((await s.store.archive.channel('then_added'))?.posts, 3)
  })

  test('follows a rename by the numeric id once the new name is known', async () => {
    const s = await openCrawler()
    const [channel] = await s.add('first_name')
    s.platform.publish(channel!, 3)
    const crawler = s.start()
    await s.pass(10 * SECOND_MS)
    const { id } = (await s.store.archive.channel('first_name'))!
    s.platform.rename('first_name', 'second_name')
    s.platform.publish(channel!, 2)
    await addChannels(s.store, ['second_name'], s.clock)
    await s.pass(2 * MINUTE_MS)
    const found = await s.store.archive.channel('second_name')
    assert.equal(found?.id, id)
    assert.equal(found.posts, 5)
    assert.deepEqual(found.aliases, ['first_name'])
    assert.deepEqual(await addChannels(s.store, ['first_name', 'second_name'], s.clock), [
      { name: 'first_name', outcome: 'known', username: 'second_name' },
      { name: 'second_name', outcome: 'known' },
    ])
    await s.pass(5 * MINUTE_MS)
    s.platform.publish(channel!, 1)
    await s.pass(2 * MINUTE_MS)
    assert.equal((await s.store.archive.channel('second_name'))?.posts, 6)
    await crawler.stop()
  })

  test('follows a channel that takes a former name again', async () => {
    const s = await openCrawler()
    const [channel] = await s.add('first_name')
    s.platform.publish(channel!, 3)
    const crawler = s.start()
    await s.pass(10 * SECOND_MS)
    s.platform.rename('first_name', 'second_name')
    await addChannels(s.store, ['second_name'], s.clock)
    await s.pass(2 * MINUTE_MS)
    const before = await s.store.archive.channel('first_name')
    s.platform.rename('second_name', 'first_name')
    s.platform.publish(channel!, 2)
    await s.pass(10 * MINUTE_MS)
    await crawler.stop()
    const after = await s.store.archive.channel('second_name')
    assert.deepEqual([before?.username, before?.aliases], ['second_name', ['first_name']])
    assert.deepEqual([after?.username, after?.aliases], ['first_name', ['second_name']])
    assert.equal(after?.posts, 5)
  })

  test('does not take the owner of a former name for the channel that had it', async () => {
    const s = await openCrawler()
    const [channel] = await s.add('first_name')
    s.platform.publish(channel!, 3)
    const crawler = s.start()
    await s.pass(10 * SECOND_MS)
    s.platform.rename('first_name', 'second_name')
    await addChannels(s.store, ['second_name'], s.clock)
    await s.pass(2 * MINUTE_MS)
    s.platform.rename('second_name', 'third_name')
    s.platform.publish(s.platform.add('first_name', 666), 2)
    await s.pass(10 * MINUTE_MS)
    await crawler.stop()
    const { username, posts } = (await s.store.archive.channel('second_name'))!
    assert.deepEqual([username, posts], ['second_name', 3])
    assert.deepEqual((await s.store.archive.totals()).channels, 1)
  })
})
