import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEventReader } from '../../src/follow/event-reader.ts'
import { createFollower, readNews, type Follower } from '../../src/follow/follower.ts'
import type { News } from '../../src/follow/news.ts'
import { createTail } from '../../src/follow/tail.ts'
import type { Post } from '../../src/model/post.ts'
import { plainSearch } from '../../src/search/contract/sample.ts'
import { createStillClock } from '../../src/simulator/clocks.ts'
import { NEWS_MS } from '../../src/store/events.ts'
import { parseQuery } from '../../src/text/query/parse-query.ts'
import { openTemporary } from '../open-temporary.ts'
import { openPlainIndex } from '../plain-index.ts'
import { createPlainIndexer } from '../plain-indexer.ts'
import { until } from '../until.ts'
import { createHistory } from './history.ts'

const NOW = Date.UTC(2026, 3, 1, 12)
const FOR_EVER = Number.MAX_SAFE_INTEGER

/** What a follower of one search is told: `post 3`, `edit 3`, and `left 3` for a post that the search no longer finds. */
type Line = string

function lineOf({ kind, matches, number }: News): Line {
  return `${matches ? kind : 'left'} ${number}`
}

for (const seed of [1, 2, 3]) {
  test(`a follower receives exactly what repeated searches would find, history ${seed}`, async () => {
    const clock = createStillClock(NOW)
    const store = await openTemporary(clock)
    await using plain = await openPlainIndex(clock)
    const indexer = createPlainIndexer({ store, writer: plain.writer, clock })
    const added = await store.archive.addChannel('rivers', { at: NOW, status: 'queued' })
    assert.ok(added.outcome === 'added')
    const channelId = added.channel.id
    const history = createHistory(seed)
    const reader = createEventReader(store.events, () => assert.fail())
    const source = { reader, groups: store.groups }

    const told = new Map<Follower, Line[]>()
    const followers = Array.from({ length: 25 }, () => {
      const root = parseQuery(history.query(), { now: NOW, hasFilters: false })
      const query = plainSearch(NOW, { root, since: 0, until: FOR_EVER, limit: 100 })
      const follower = createFollower(query, false, NOW)
      told.set(follower, [])
      return follower
    })
    let failure: unknown
    await using tail = createTail<Follower>({
      log: store.events,
      ...source,
      clock: { ...clock, sleep: () => new Promise((resolve) => setTimeout(resolve, 5)) },
      async deliver(deliveries) {
        for (const { follower, news } of deliveries) told.get(follower)!.push(...news.map(lineOf))
      },
      onFailure: (error) => (failure = error),
      onRenamed: () => (failure = new Error('renamed')),
    })
    await tail.start()
    for (const follower of followers) tail.join(follower)

    const expected = new Map(followers.map((follower) => [follower, [] as Line[]]))
    const found = new Map(followers.map((follower) => [follower, new Set<number>()]))
    const fresh = new Set<number>()
    const changed = new Set<number>()
    const starts = new Map<Line[], number>()
    const texts = new Map<number, string>()
    const note = (posts: readonly Post[], now: number) => {
      for (const { number, publishedAt, text } of posts) {
        if (!texts.has(number) && publishedAt >= now - NEWS_MS) fresh.add(number)
        if (texts.get(number) !== text) changed.add(number)
        texts.set(number, text)
      }
    }
    for (let step = 0; step < 25; step++) {
      clock.pass(60_000)
      // A lagging indexer sees several changes of a post as one.
      for (let i = 0; i < (step % 3 === 0 ? 2 : 1); i++) {
        const { posts, deleted } = history.step(clock.now())
        note(posts, clock.now())
        const reading = { at: clock.now(), capture: 'crawl', parserVersion: 1 } as const
        await store.archive.record({ ...reading, channelId, profile: null, posts, deleted })
        clock.pass(1_000)
      }
      await indexer.drain()
      for (const follower of followers) {
        const { hits } = await plain.index.search(follower.query)
        const is = new Set(hits.map(({ number }) => number).filter((each) => fresh.has(each)))
        const was = found.get(follower)!
        const lines = [...is.union(was)].flatMap((number) => {
          if (!was.has(number)) return [`post ${number}`]
          if (!is.has(number)) return [`left ${number}`]
          return changed.has(number) ? [`edit ${number}`] : []
        })
        expected.get(follower)!.push(...lines.toSorted())
        found.set(follower, is)
      }
      changed.clear()
      const { last } = await store.events.bounds()
      await until(() => tail.deliveredSeq === last || failure !== undefined)
      assert.equal(failure, undefined)
      // Within a step the log has its own order; from step to step it is that of the searches.
      for (const lines of told.values()) {
        const start = starts.get(lines) ?? 0
        lines.push(...lines.splice(start).toSorted())
        starts.set(lines, lines.length)
      }
    }

    let lines = 0
    for (const follower of followers) {
      assert.deepEqual(told.get(follower), expected.get(follower))
      lines += expected.get(follower)!.length
      // A follower that comes back later reads the same, whatever the page sizes.
      const again: News[] = []
      for (let seq = 0; ;) {
        const page = await readNews(source, follower, seq, 1 + Math.floor(history.random() * 20))
        if (page.seq === seq) break
        again.push(...page.news)
        seq = page.seq
      }
      const numbers = again.map(({ seq }) => seq)
      assert.deepEqual(
        numbers,
        [...new Set(numbers)].toSorted((a, b) => a - b),
        'once, in order',
      )
      assert.deepEqual(again.map(lineOf).toSorted(), told.get(follower)!.toSorted())
    }
    assert.ok(lines > 100, `${lines} lines`)
  })
}
