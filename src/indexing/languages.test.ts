import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { openPlainIndex } from '../../test/plain-index.ts'
import { createPlainIndexer } from '../../test/plain-indexer.ts'
import { readLanguageModel } from '../language-model.ts'
import type { Post } from '../model/post.ts'
import { plainSearch } from '../search/contract/sample.ts'
import { createStillClock } from '../simulator/clocks.ts'
import { createWorld, type World } from '../simulator/world.ts'
import { makePost } from '../store/contract/make-post.ts'
import { openStore } from '../store/open-store.ts'
import { sampleProfile } from '../store/contract/samples.ts'
import { createLanguageDetector } from '../text/language.ts'
import { createDerive, type Derive } from './derive.ts'

/** A post whose own text tells no language takes its channel's, whenever it was read. */

const NOW = Date.UTC(2026, 8, 1, 12)
const HOUR = 3_600_000

async function setUp(t: TestContext, batch?: number) {
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-languages-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const clock = createStillClock(NOW)
  const retention = { deleted: 'redact', versions: 'keep' } as const
  const store = await openStore({ kind: 'sqlite', folder, retention, clock })
  t.after(() => store[Symbol.asyncDispose]())
  const { index, writer, ...opened } = await openPlainIndex(clock)
  t.after(() => opened[Symbol.asyncDispose]())
  const derived: number[] = []
  const detector = createLanguageDetector(await readLanguageModel())
  const plain = createDerive(detector)
  const derive: Derive = async (posts, ...known) => {
    derived.push(...posts.flatMap((post) => post?.number ?? []))
    return plain(posts, ...known)
  }
  const size = batch === undefined ? {} : { batch }
  const indexer = createPlainIndexer({ store, writer, clock, derive, ...size })
  const read = async (name: string, posts: readonly Post[], profile = sampleProfile(name)) => {
    clock.pass(1000)
    const at = clock.now()
    const added = await store.archive.addChannel(name, { at, status: 'queued' })
    assert.ok(added.outcome !== 'removed')
    const { id: channelId } = added.channel
    const reading = { channelId, at, capture: 'crawl', parserVersion: 1, deleted: [] } as const
    await store.archive.record({ ...reading, profile, posts })
    await indexer.drain()
    return channelId
  }
  return {
    store,
    indexer,
    read,
    /** The numbers of the posts derived since the last call. */
    derived: () => derived.splice(0).toSorted((a, b) => a - b),
    /** How many posts each language has, by the index and by the archive. */
    async told() {
      const query = plainSearch(NOW, { facets: ['lang'], limit: 1 })
      const { total, facets } = await index.search(query)
      const languages = await store.archive.languages(clock.now())
      return { total: total.value, lang: facets.lang ?? [], languages }
    },
    rebuild: () => indexer.rebuild(new AbortController().signal),
  }
}

/** Everything that the world's channels show, as a first visit reads it: the newest page, then those below. */
function visits(world: World): { name: string; pages: Post[][]; code: string }[] {
  const { truth } = world
  return world.channels.map((channel) => {
    const slots = truth.slotsAt(channel, NOW)
    const posts = slots.map((slot) => truth.shownAt(channel, slot, NOW).post)
    const { username } = world.profileAt(channel, NOW)
    return {
      name: username,
      pages: [posts.slice(-20), posts.slice(-120, -20)],
      code: channel.language.code,
    }
  })
}

for (const [seed, batch] of [
  ['five', undefined],
  ['two', 50],
] as const) {
  test(`languages after the first visit equal those after a rebuild (world ${seed})`, async (t) => {
    const { read, told, rebuild } = await setUp(t, batch)
    const world = createWorld({
      seed,
      channels: 9,
      startAt: NOW,
      days: 9,
      activity: 2,
      steady: true,
    })
    const spoken = visits(world)
    for (const { name, pages } of spoken) {
      for (const page of pages) if (page.length > 0) await read(name, page)
    }
    const first = await told()
    const codes = new Set(spoken.map(({ code }) => code))
    assert.ok(codes.size >= 5 && first.total > 200, `${first.total} posts in ${codes.size}`)
    const counted = first.lang.reduce((sum, { count }) => sum + count, 0)
    assert.equal(counted, first.total, 'every post has a language')
    for (const { value } of first.lang) assert.ok(codes.has(value), `nobody speaks ${value}`)
    for (const { code } of first.languages) assert.ok(codes.has(code), `nobody speaks ${code}`)
    await rebuild()
    assert.deepEqual(await told(), first)
  })
}

const ENGLISH = 'The river has risen again and the old bridge will stay closed until next week'
const RUSSIAN = 'Сегодня вечером в центре города перекроют движение из-за праздничного концерта'
const FURTHER = 'Жители жалуются, что автобусы теперь ходят реже и почти всегда опаздывают утром'

function postOf(number: number, text: string): Post {
  return makePost({ number, publishedAt: NOW - (100 - number) * HOUR, text })
}

test('posts without words take the language of their channel, and follow when it changes', async (t) => {
  const { store, read, told, derived, rebuild } = await setUp(t)
  const codes = async () => (await told()).lang.map(({ value, count }) => `${value} ${count}`)
  const id = await read('photos', [postOf(1, ''), postOf(2, '👍'), postOf(3, '2026')])
  assert.deepEqual(await codes(), [])
  await read('photos', [postOf(4, ENGLISH)])
  assert.deepEqual(await codes(), ['en 4'])
  derived()
  await read('photos', [postOf(5, RUSSIAN)])
  assert.deepEqual([await codes(), derived()], [['en 4', 'ru 1'], [5]], 'not yet')
  await read('photos', [postOf(6, FURTHER)])
  assert.equal((await store.archive.channelsById([id]))[0]?.language, 'ru')
  assert.deepEqual(await codes(), ['ru 5', 'en 1'])
  const again = derived()
  assert.deepEqual(again, [1, 2, 3, 4, 6], 'each once, and none that speaks its language')
  const before = await told()
  await rebuild()
  assert.deepEqual(await told(), before)
})

test('ambiguous words take the language of their channel', async (t) => {
  const { read, told } = await setUp(t)
  await read('brands', [postOf(1, 'Grantist'), postOf(2, ENGLISH), postOf(3, 'Numpan')])
  const { lang, languages } = await told()
  assert.deepEqual(lang, [{ value: 'en', count: 3 }])
  assert.deepEqual(
    languages.map(({ code }) => code),
    ['en'],
  )
})
