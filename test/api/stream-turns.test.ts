import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { News } from '../../src/follow/news.ts'
import { streamPosts } from '../../src/operations/stream-posts.ts'
import type { Detail } from '../../src/operations/search-input.ts'
import { readSearch } from '../../src/operations/search-query.ts'
import type { RenderOptions } from '../../src/operations/streams/render-news.ts'
import { renderKeyOf, shareFrames } from '../../src/operations/streams/shared-frames.ts'
import { yardstickMs } from '../processor-time.ts'
import { until } from '../until.ts'
import { longestHoldMs } from '../watch-loop.ts'
import { makePost, startService } from './harness.ts'

test('a stream that missed little catches up before those far behind, and a closed stream is not kept', async () => {
  await using service = await startService()
  const { ctx, clock } = service
  const caller = ctx.access.anonymous('203.0.113.7')
  const local = { ...caller, tier: { ...caller.tier, streams: 100 } }
  const open = (lastEventId?: string) =>
    streamPosts.prepare({ q: 'beacon' }).open(ctx, { caller: local, lastEventId })
  const order: string[] = []
  const sink = (name: string, signal: AbortSignal) => ({
    signal,
    write(text: string) {
      if (text.includes('event: post')) order.push(name)
      return true
    },
    isFull: false,
    drained: async () => {},
    end() {},
  })

  const publishedAt = clock.now() - 60_000
  const posts = Array.from({ length: 600 }, (_, i) =>
    makePost({ number: i + 1, publishedAt, text: i === 599 ? 'The beacon is lit' : `Tide ${i}` }),
  )
  await service.publish({ username: 'coast' }, posts)
  const { log, last } = await ctx.store.events.bounds()
  assert.equal(last, 600)

  const left = await open()
  left(sink('left', AbortSignal.abort()))
  assert.equal(ctx.streams.open, 0)
  assert.equal(ctx.streams.openBy(local), 0)

  const starts = []
  for (let i = 0; i < 8; i++) starts.push(await open(`${log}-0`))
  starts.push(await open(`${log}-${last - 1}`))
  const stop = new AbortController()
  for (const [i, start] of starts.entries()) start(sink(i < 8 ? 'far' : 'near', stop.signal))
  await until(() => order.length === 9)
  stop.abort()
  assert.equal(order[0], 'near')
  assert.equal(ctx.streams.open, 0)
})

test('sending one event to many streams does not block the event loop', async () => {
  await using service = await startService()
  const { ctx, clock } = service
  const caller = ctx.access.anonymous('203.0.113.7')
  const local = { ...caller, tier: { ...caller.tier, streams: 100 } }
  await service.publish({ username: 'coast' }, [
    makePost({ number: 1, publishedAt: clock.now() - 60_000, text: 'Tide' }),
  ])
  const stop = new AbortController()
  let told = 0
  let turns = 0
  const turnsBetween: number[] = []
  const count = () => {
    turns++
    if (!stop.signal.aborted) setImmediate(count)
  }
  const sink = {
    signal: stop.signal,
    write(text: string) {
      if (!text.includes('event: post')) return true
      told++
      turnsBetween.push(turns)
      const startedAt = performance.now()
      while (performance.now() - startedAt < 2);
      return true
    },
    isFull: false,
    drained: async () => {},
    end() {},
  }
  for (let i = 0; i < 60; i++) {
    const start = await streamPosts
      .prepare({ q: 'beacon' })
      .open(ctx, { caller: local, lastEventId: undefined })
    start(sink)
  }
  count()
  await service.publish({ username: 'coast' }, [
    makePost({ number: 2, publishedAt: clock.now() - 60_000, text: 'The beacon is lit' }),
  ])
  await until(() => told === 60)
  stop.abort()
  assert.ok(new Set(turnsBetween).size > 5, `${new Set(turnsBetween).size} turns of the loop`)
})

/** A stream whose writes take two milliseconds each; when done, in how many turns of the event loop they were. */
function slowSink(posts: number) {
  const over = Promise.withResolvers<number>()
  const stop = new AbortController()
  const turns = new Set<number>()
  let turn = 0
  const count = () => {
    turn++
    if (!stop.signal.aborted) setImmediate(count)
  }
  count()
  const sink = {
    signal: stop.signal,
    write(text: string) {
      if (!text.includes('event: post')) return true
      turns.add(turn)
      const startedAt = performance.now()
      while (performance.now() - startedAt < 2);
      if (--posts === 0) {
        stop.abort()
        over.resolve(turns.size)
      }
      return true
    },
    isFull: false,
    drained: async () => {},
    end() {},
  }
  return { sink, turns: over.promise }
}

test('sending many events to one stream does not block the event loop, be they new or missed', async () => {
  await using service = await startService()
  const { ctx, clock } = service
  const caller = ctx.access.anonymous('203.0.113.7')
  const prepared = streamPosts.prepare({ q: 'beacon', detail: 'full' })
  const fresh = slowSink(60)
  const start = await prepared.open(ctx, { caller, lastEventId: undefined })
  start(fresh.sink)
  const publishedAt = clock.now() - 60_000
  const posts = Array.from({ length: 60 }, (_, i) =>
    makePost({ number: i + 1, publishedAt, text: `Beacon ${i}` }),
  )
  const { log } = await ctx.store.events.bounds()
  await service.publish({ username: 'coast' }, posts)
  assert.ok((await fresh.turns) > 20)
  const missed = slowSink(60)
  const again = await prepared.open(ctx, { caller, lastEventId: `${log}-0` })
  again(missed.sink)
  assert.ok((await missed.turns) > 20)
})

test('a stream that finds nothing in a long log does not block the event loop', async () => {
  await using service = await startService()
  const { ctx, clock, store } = service
  const publishedAt = clock.now() - 60_000
  const publish = (number: number, text: string) =>
    service.publish({ username: 'coast' }, [makePost({ number, publishedAt, text })])
  const channelId = await publish(1, 'Tide')
  const [first] = await store.events.after(0, 1)
  const edits = Array.from({ length: 4_000 }, (_, i) => ({
    channelId,
    number: 1,
    revision: i + 2,
    publishedAt,
    firstCapturedAt: publishedAt,
    document: () => first!.document!,
  }))
  await store.events.append(edits)
  await publish(2, 'The beacon is lit')
  const { log } = await store.events.bounds()
  const caller = ctx.access.anonymous('203.0.113.7')
  const prepared = streamPosts.prepare({ q: 'beacon' })
  const start = await prepared.open(ctx, { caller, lastEventId: `${log}-0` })
  const stop = new AbortController()
  const found = Promise.withResolvers<void>()
  const held = await longestHoldMs(async () => {
    start({
      signal: stop.signal,
      write(text) {
        if (text.includes('event: post')) found.resolve()
        return true
      },
      isFull: false,
      drained: async () => {},
      end() {},
    })
    await found.promise
  })
  stop.abort()
  // A turn takes a few milliseconds, all of it several hundred.
  assert.ok(held < 50 * yardstickMs(), `the event loop was held for ${held} ms`)
})

test('an event rendered in the same way for many streams is serialised once', async () => {
  await using service = await startService()
  const { ctx, clock } = service
  const publishedAt = clock.now() - 60_000
  const post = makePost({ number: 1, publishedAt, text: 'The beacon is lit' })
  const channelId = await service.publish({ username: 'coast' }, [post])
  const ref = { channelId, number: 1 }
  const news: News = { ...ref, seq: 1, at: publishedAt, kind: 'post', matches: true, group: null }
  const search = (q: string) => readSearch(ctx, { q })
  let shown = 0
  const lookOf = async (q: string, detail: Detail): Promise<RenderOptions> => {
    const read = await search(q)
    const options = {
      detail,
      maxChars: undefined,
      get search() {
        shown++
        return read
      },
    }
    return Object.assign(options, { renderKey: renderKeyOf({ ...options, search: read }) })
  }
  const wanted = [
    await lookOf('beacon', 'brief'),
    await lookOf('beacon', 'brief'),
    await lookOf('lit', 'brief'),
    await lookOf('beacon', 'ids'),
    await lookOf('lit', 'ids'),
  ]
  const frameOf = await shareFrames(
    ctx,
    'log',
    wanted.map((options) => ({ news, options })),
  )
  shown = 0
  const texts = wanted.map((options) => frameOf(news, options)!.text)
  assert.equal(shown, 3)
  assert.equal(texts[0], texts[1])
  assert.match(
    texts[0]!,
    /^id: log-1\nevent: post\ndata: .*"highlights":\[\{"start":4,"end":10\}\]/,
  )
  assert.match(texts[2]!, /"highlights":\[\{"start":14,"end":17\}\]/)
  assert.equal(texts[3], texts[4])
})
