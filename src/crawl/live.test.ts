import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { START, openLive as open } from '../../test/open-live.ts'
import { DAY_MS, MINUTE_MS } from '../model/time.ts'
import type { PageOutcome } from '../telegram/source.ts'

describe('a live read', () => {
  test('raises the channel’s demand in the schedule, at most once every few seconds', async () => {
    const s = await open()
    const id = await s.index()
    const demand = async () => (await s.store.frontier.schedule(id))?.demand
    await s.read({ maxAgeMs: 0 })
    assert.equal(await demand(), 1)
    for (let i = 0; i < 3; i++) {
      await s.clock.advance(1_000)
      await s.read({ maxAgeMs: 0 })
    }
    assert.equal(await demand(), 1)
    await s.clock.advance(10_000)
    await s.read({ maxAgeMs: 0 })
    assert.equal(await demand(), 5)
  })

  test('is not cached if its page exceeds the cache’s byte limit, whichever field is long', async () => {
    const s = await open({ maxBytes: 200_000 })
    const url = 'https://example.org/'
    const long = { siteName: null, title: null, description: 'x'.repeat(30_000), imageUrl: null }
    await s.read()
    assert.ok(s.live.cached(s.ask()))
    s.channel.posts = s.channel.posts.map((post) => ({ ...post, linkPreview: { url, ...long } }))
    await s.read({ maxAgeMs: 0 })
    assert.equal(s.live.cached(s.ask()), undefined)
  })

  test('changes nothing if its page contradicts the archive, and makes a visit due', async () => {
    const s = await open()
    const id = await s.index()
    await s.read()
    const known = (await s.store.archive.post(id, 65))!
    const right = s.channel.posts
    for (const change of [{ publishedAt: START - DAY_MS }, { text: '' }]) {
      s.channel.posts = right.map((post) => ({ ...post, ...change }))
      const read = await s.read({ maxAgeMs: 0 })
      assert.deepEqual(read, { kind: 'broken', what: 'contradictory' })
      assert.deepEqual(await s.store.archive.post(id, 65), known)
    }
    assert.ok((await s.store.frontier.schedule(id))!.nextVisitAt <= s.clock.now())
  })

  test('is answered but not archived while the clock is wrong', async () => {
    let isWrong = true
    const s = await open({ isClockWrong: () => isWrong })
    const id = await s.index()
    const read = await s.read()
    assert.equal(read.kind === 'read' && read.posts.length, 20)
    assert.equal(await s.store.archive.post(id, 65), undefined)
    isWrong = false
    await s.read({ maxAgeMs: 0 })
    assert.ok(await s.store.archive.post(id, 65))
  })

  test('is answered but not archived while the channel’s pages are not believed', async () => {
    const s = await open()
    const id = await s.index()
    const asked = { owner: 'test', limit: 1, ttlMs: 60_000, eager: false }
    const [leased] = await s.store.frontier.lease(asked)
    const mismatch = { status: 'unavailable', reason: 'parser_mismatch' } as const
    const rest = { reading: null, gaps: [], walked: [] }
    const schedule = { ...leased!.schedule, nextVisitAt: START + DAY_MS }
    await s.store.frontier.settle(leased!.lease, { schedule, ...mismatch, ...rest })
    const read = await s.read()
    assert.equal(read.kind === 'read' && read.posts.length, 20)
    assert.equal((await s.store.archive.totals()).posts, 0)
    assert.ok((await s.store.frontier.schedule(id))!.nextVisitAt <= s.clock.now())
  })

  test('of a page with the numeric id of another channel changes nothing of that channel', async () => {
    const s = await open({ autoIndex: 'live' })
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

  test('returns the newest page, newest first, and then answers from the cache', async () => {
    const s = await open()
    const first = await s.read()
    assert.ok(first.kind === 'read')
    assert.equal(first.source, 'live')
    assert.deepEqual(
      first.posts.map((post) => post.number),
      Array.from({ length: 20 }, (_, i) => 65 - i),
    )
    const again = await s.read()
    assert.equal(again.kind === 'read' && again.source, 'cache')
    const cached = s.live.cached(s.ask())
    assert.equal(cached?.kind === 'read' && cached.posts.length, 20)
    assert.equal(s.platform.asked.length, 1)
  })

  test('reads further pages up to the limit, or below a given post', async () => {
    const s = await open()
    const fifty = await s.read({ limit: 50 })
    assert.ok(fifty.kind === 'read')
    assert.equal(fifty.posts.length, 50)
    assert.equal(fifty.posts.at(-1)?.number, 16)
    const below = await s.read({ before: 11, limit: 50 })
    assert.ok(below.kind === 'read')
    assert.deepEqual(
      below.posts.map((post) => post.number),
      [10, 9, 8, 7, 6, 5, 4, 3, 2, 1],
    )
    const none = await s.read({ before: 1 })
    assert.ok(none.kind === 'read')
    assert.equal(none.posts.length, 0)
  })

  test('reaches post 1 even if the page above links to no older one', async () => {
    const s = await open()
    s.channel.posts = s.channel.posts.slice(0, 21)
    s.channel.lostLinks.add(2)
    const read = await s.read({ limit: 50 })
    assert.ok(read.kind === 'read')
    assert.equal(read.posts.at(-1)?.number, 1)
  })

  test('is never older than the requested age, and age 0 forces a fetch', async () => {
    const s = await open()
    await s.read()
    await s.clock.advance(10_000)
    assert.equal(s.live.cached(s.ask({ maxAgeMs: 9_999 })), undefined)
    await s.read({ maxAgeMs: 0 })
    assert.equal(s.platform.asked.length, 2)
    const fresh = await s.read({ maxAgeMs: 1_000 })
    assert.equal(fresh.kind === 'read' && fresh.fetchedAt, START + 10_000)
    assert.equal(s.platform.asked.length, 2)
  })

  test('makes one request for a thousand concurrent callers, even if the first one gives up', async () => {
    const gate = Promise.withResolvers<void>()
    const s = await open()
    const page = s.platform.source.page.bind(s.platform.source)
    s.platform.source.page = async (...args): Promise<PageOutcome> => {
      await gate.promise
      return page(...args)
    }
    const leader = new AbortController()
    const led = s.read({ maxAgeMs: 0, signal: leader.signal })
    const others = Array.from({ length: 999 }, () => s.read({ maxAgeMs: 0 }))
    leader.abort(new Error('gone'))
    await assert.rejects(led, /gone/)
    gate.resolve()
    const reads = await Promise.all(others)
    assert.ok(reads.every((read) => read.kind === 'read' && read.posts.length === 20))
    assert.equal(s.platform.asked.length, 1)
  })

  test('stops the fetch when no caller is waiting any more', async () => {
    const s = await open()
    let stopped = false
    s.platform.source.page = (_name, _before, { signal }) =>
      new Promise((_, reject) => {
        signal?.addEventListener('abort', () => {
          stopped = true
          reject(signal.reason as Error)
        })
      })
    const only = new AbortController()
    const read = s.read({ signal: only.signal })
    await s.clock.advance(1)
    only.abort(new Error('gone'))
    await assert.rejects(read, /gone/)
    assert.equal(stopped, true)
  })

  test('is archived before it is answered if the channel is indexed, and not otherwise', async () => {
    const s = await open()
    await s.read()
    assert.equal((await s.store.archive.totals()).posts, 0)
    const id = await s.index()
    const read = await s.read({ maxAgeMs: 0 })
    assert.equal(read.kind === 'read' && read.channelId, id)
    assert.equal((await s.store.archive.numbersBetween(id, 1, 100)).length, 20)
    assert.equal((await s.store.archive.post(id, 65))?.capture, 'live')
  })

  test('indexes the channel if the operator allows it', async () => {
    const s = await open({ autoIndex: 'live' })
    const read = await s.read()
    assert.ok(read.kind === 'read' && read.channelId !== null)
    assert.equal((await s.store.archive.totals()).posts, 20)
  })

  test('puts an imported channel on the crawl schedule if the operator allows it', async () => {
    for (const [autoIndex, isCrawled] of [
      ['off', false],
      ['live', true],
    ] as const) {
      const s = await open({ autoIndex })
      const added = await s.store.archive.addChannel('daily_news', {
        at: START,
        status: 'imported',
      })
      assert.ok(added.outcome === 'added')
      await s.read()
      assert.equal((await s.store.frontier.schedule(added.channel.id)) !== undefined, isCrawled)
    }
  })

  test('of a channel that could not be read any more makes a visit due', async () => {
    const s = await open()
    const id = await s.index()
    const asked = { owner: 'test', limit: 1, ttlMs: 60_000, eager: false }
    for (const status of ['unavailable', 'gone', 'active'] as const) {
      await s.store.frontier.makeDue(id, 0)
      const [leased] = await s.store.frontier.lease(asked)
      const schedule = { ...leased!.schedule, nextVisitAt: START + 30 * DAY_MS }
      const rest = { reading: null, reason: null, gaps: [], walked: [] }
      await s.store.frontier.settle(leased!.lease, { schedule, status, ...rest })
      await s.read({ maxAgeMs: 0 })
      const due = await s.store.frontier.lease(asked)
      assert.equal(due.length, status === 'active' ? 0 : 1, status)
      for (const { lease } of due) await s.store.frontier.release(lease)
      await s.clock.advance(10 * MINUTE_MS)
    }
  })

  test('makes a channel whose visits fail due at most every ten minutes', async () => {
    const s = await open()
    await s.index()
    const asked = { owner: 'test', limit: 1, ttlMs: 60_000, eager: false }
    const due: number[] = []
    for (const minutes of [0, 1, 5, 4, 1]) {
      await s.clock.advance(minutes * MINUTE_MS)
      await s.read({ maxAgeMs: 0 })
      const leased = await s.store.frontier.lease(asked)
      due.push(leased.length)
      for (const { lease, schedule: known } of leased) {
        const schedule = { ...known, nextVisitAt: START + 30 * DAY_MS }
        const rest = { reading: null, reason: null, gaps: [], walked: [] }
        await s.store.frontier.settle(lease, { schedule, status: 'unavailable', ...rest })
      }
    }
    // The first visit is that of a new channel.
    assert.deepEqual(due, [1, 1, 0, 0, 1])
  })

  test('of a removed channel fetches nothing, and a cached page is dropped within a minute', async () => {
    const s = await open()
    await s.read({ maxAgeMs: 3_600_000 })
    await s.store.removals.removeChannel('daily_news', 'asked for', START)
    await s.clock.advance(31_000)
    assert.equal(s.live.cached(s.ask({ maxAgeMs: 3_600_000 })), undefined)
    assert.equal((await s.read({ maxAgeMs: 3_600_000 })).kind, 'removed')
    assert.equal((await s.read({ maxAgeMs: 0 })).kind, 'removed')
    assert.equal(s.platform.asked.length, 1)
  })

  test('that sees an opt-out shows nothing, erases nothing and makes a visit due', async () => {
    const s = await open()
    const id = await s.index()
    await s.read({ maxAgeMs: 0 })
    const posts = (await s.store.archive.totals()).posts
    s.channel.profile = { ...s.channel.profile, description: '#telegrep_optout' }
    assert.equal((await s.read({ maxAgeMs: 0 })).kind, 'removed')
    s.channel.profile = { ...s.channel.profile, platformId: 2000 }
    assert.equal((await s.read({ maxAgeMs: 0 })).kind, 'removed')
    assert.equal((await s.store.archive.totals()).posts, posts)
    assert.deepEqual(await s.store.removals.list(), [])
    assert.ok((await s.store.frontier.schedule(id))!.nextVisitAt <= s.clock.now())
  })

  test('of an empty channel shows nothing if the channel was removed or opts out', async () => {
    const readEmpty = async (s: Awaited<ReturnType<typeof open>>) => {
      s.channel.posts = []
      const asked = s.platform.asked.length
      const reading = s.read({ maxAgeMs: 0 })
      // After "no posts" the page is requested once more, half a second later.
      while (s.platform.asked.length < asked + 2) await s.clock.advance(500)
      return (await reading).kind
    }
    const s = await open()
    assert.equal(await readEmpty(s), 'read')
    await s.store.removals.removeChannel(s.channel.profile.username, 'asked', s.clock.now())
    await s.clock.advance(31_000)
    assert.equal((await s.read({ maxAgeMs: 3_600_000 })).kind, 'removed')

    const wished = await open()
    wished.channel.profile = { ...wished.channel.profile, description: '#telegrep_optout' }
    assert.equal(await readEmpty(wished), 'removed')
  })

  for (const autoIndex of ['off', 'live'] as const) {
    test(`that shows a new owner of a former name gives it to that owner, with autoIndex ${autoIndex}`, async () => {
      const s = await open({ autoIndex })
      const id = await s.index()
      await s.read({ maxAgeMs: 0 })
      const { profile } = s.channel
      const reading = { channelId: id, at: START, parserVersion: 1, posts: [], deleted: [] }
      const renamed = { ...profile, username: 'weekly_news' }
      await s.store.archive.record({ ...reading, profile: renamed, capture: 'crawl' })
      assert.equal((await s.store.archive.channel('daily_news'))?.username, 'weekly_news')
      s.channel.profile = { ...profile, platformId: 2000, title: 'Somebody else' }
      const read = await s.read({ maxAgeMs: 0 })
      assert.equal(read.kind === 'read' && read.profile.title, 'Somebody else')
      const owner = await s.store.archive.channel('daily_news')
      assert.equal(owner?.platformId, autoIndex === 'off' ? undefined : 2000)
      const [former] = await s.store.archive.channelsById([id])
      assert.deepEqual([former?.username, former?.aliases, former?.posts], ['weekly_news', [], 20])
    })
  }

  test('measures its age correctly even if the clock was set back', async () => {
    const s = await open()
    await s.read()
    s.clock.set(START - 3_600_000)
    await s.clock.advance(30_000)
    assert.ok(s.live.cached(s.ask({ maxAgeMs: 30_000 })))
    assert.equal(s.live.cached(s.ask({ maxAgeMs: 29_999 })), undefined)
    await s.store.removals.removeChannel('daily_news', 'asked for', s.clock.now())
    await s.clock.advance(1)
    assert.equal((await s.read({ maxAgeMs: 3_600_000 })).kind, 'removed')
  })

  test('shows no post that was removed', async () => {
    const s = await open()
    await s.index()
    await s.store.removals.removePost('daily_news', 64, 'asked for', START)
    const read = await s.read()
    assert.ok(read.kind === 'read')
    assert.equal(
      read.posts.some((post) => post.number === 64),
      false,
    )
  })

  test('distinguishes failures and caches only lasting ones', async () => {
    const s = await open()
    assert.equal((await s.read({ name: 'nobody_here' })).kind, 'nobody')
    assert.equal((await s.read({ name: 'nobody_here' })).kind, 'nobody')
    assert.equal(s.platform.asked.length, 1)
    s.platform.answers.push({ kind: 'unreachable', what: 'network', detail: 'reset' })
    assert.equal((await s.read()).kind, 'unreachable')
    assert.equal((await s.read()).kind, 'read')
  })

  test('reports a throttling pause at once, without a request', async () => {
    const s = await open()
    await s.politeness.backOff({ retryAfterMs: 300_000 })
    const read = await s.read()
    assert.ok(read.kind === 'throttled')
    assert.equal(read.retryAfterMs, 300_000)
    assert.equal(s.platform.asked.length, 0)
  })

  test('ends at its deadline', async () => {
    const s = await open({ deadlineMs: 5_000 })
    s.platform.source.page = () => new Promise(() => {})
    const read = s.read()
    await s.clock.advance(5_001)
    const end = await read
    assert.ok(end.kind === 'unreachable' && end.what === 'timeout')
  })
})
