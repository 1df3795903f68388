import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { whyNoEngines } from '../../../test/engines.ts'
import { openTemporary } from '../../../test/open-temporary.ts'
import { createSchemas } from '../../../test/postgres.ts'
import { makeMedia, type ArchivedPost } from '../../model/post.ts'
import {
  HOUR,
  MINUTE,
  NOON,
  addChannel,
  browse,
  ended,
  hashtagged,
  samplePost,
  sampleProfile,
  sampleReading,
  take,
} from '../contract/samples.ts'
import { sampleWatch } from '../contract/watches.ts'
import type { LoggedPost } from '../events.ts'
import type { Store } from '../store.ts'
import { compareStores } from './compare-stores.ts'
import { OtherDataError } from '../unfinished-copy.ts'
import { moveStore } from './move-store.ts'

const clock = { now: () => NOON, elapsed: () => NOON, sleep: async () => {} }
const never = new AbortController().signal

const openFiles = () => openTemporary(clock, { pictures: true })

function move(from: Store, to: Store, signal = never) {
  return moveStore({ from, to, at: NOON, signal, onProgress: () => {} })
}

/** Everything that has a history: edits, albums, deletions, names, gaps, opt-outs, keys, watches. */
async function fill(store: Store): Promise<void> {
  const { archive, frontier, removals, ledger } = store
  await addChannel(store, 'gone')
  const durov = await addChannel(store, 'durov')
  const news = await addChannel(store, 'news')
  const album = samplePost(10, { albumNumbers: [10, 11, 12] })
  const posts = [samplePost(1), hashtagged(2, 'quince'), samplePost(3), album]
  const profile = sampleProfile('durov', { platformId: 7 })
  await archive.record(sampleReading(durov.id, { profile, posts }))
  const edited = { posts: [samplePost(1, { text: 'another text' })], deleted: [3] }
  await archive.record(sampleReading(durov.id, { at: NOON + MINUTE, ...edited }))
  const renamed = { profile: sampleProfile('pavel', { platformId: 7 }) }
  await archive.record(sampleReading(durov.id, { at: NOON + 2 * MINUTE, ...renamed }))
  const many = Array.from({ length: 50 }, (_, i) => samplePost(i + 1))
  await archive.record(sampleReading(news.id, { posts: many }))
  const visit = (await take(store)).find(({ channel }) => channel.id === news.id)!
  const gap = { kind: 'backfill', before: 1, downTo: 1, until: null } as const
  await frontier.settle(visit.lease, ended(visit, { gaps: [gap] }))
  await removals.removeChannel('gone', 'asked', NOON)
  await removals.removePost('news', 5, 'asked', NOON)
  await ledger.addKey({ id: 'aaaaaaaa', name: 'x', tier: 'free', createdAt: 1, secretHash: 'h1' })
  await ledger.addSecret('aaaaaaaa', 'h2')
  await ledger.addKey({ id: 'bbbbbbbb', name: null, tier: 'pro', createdAt: 2, secretHash: 'h3' })
  await ledger.revokeKey('bbbbbbbb', 3)
  await store.watches.put(sampleWatch('storms'))
  await keepPictures(store, durov.id, news.id)
}

/** A channel's own picture, and the pictures of an album, of which one could not be fetched. */
async function keepPictures(store: Store, channelId: number, other: number): Promise<void> {
  const url = 'https://cdn4.telesco.pe/file/a.jpg'
  const media = ['a', 'b'].map((fileId) => makeMedia('photo', { url, fileId }))
  const posts = [samplePost(60, { media })]
  const profile = sampleProfile('pavel', { platformId: 7, avatarUrl: url })
  await store.archive.record(sampleReading(channelId, { at: NOON + 3 * MINUTE, profile, posts }))
  await store.archive.record(sampleReading(other, { at: NOON, posts }))
  const due = await store.pictures.due(NOON + HOUR, 10)
  for (const [i, picture] of due.entries()) {
    if (picture.slot === 1 && picture.channelId === other)
      await store.pictures.miss(picture, { kind: 'refused' })
    else await store.pictures.keep(picture, { ...FILE, sha256: `${i % 4}`.repeat(64) }, NOON)
  }
}

const FILE = { type: 'jpeg', bytes: 100, width: 8, height: 6 } as const

/** Everything in the store that callers and crawlers can see. */
async function seen(store: Store): Promise<unknown> {
  const { archive, edits, frontier, removals, ledger, watches, pictures } = store
  const { items } = await archive.channels(browse({ sort: 'username' }))
  const channels = []
  for (const channel of items) {
    const posts = []
    for await (const batch of archive.scan({ channelId: channel.id, batch: 7 }))
      for (const post of batch)
        posts.push({
          post,
          versions: await archive.versions(post),
          edits: await edits.ofPost(post),
        })
    channels.push({
      channel,
      posts,
      stats: await archive.stats(channel.id, NOON + HOUR),
      schedule: await frontier.schedule(channel.id),
      gaps: (await frontier.gaps(channel.id)).map((gap) => ({ ...gap, id: 0 })),
      former: (await archive.channel('durov'))?.id,
      member: (await archive.post(channel.id, 12))?.number,
      pictures: await pictures.of([0, 60].map((number) => ({ channelId: channel.id, number }))),
    })
  }
  const { removals: _, ...totals } = await archive.totals()
  const saved = (await watches.list(null, 10)).map((watch) => ({ ...watch, id: 0 }))
  const keys = await ledger.keys()
  return { channels, totals, keys, register: await removals.list(), saved }
}

async function comesBack(openMiddle: () => Promise<Store>): Promise<void> {
  await using first = await openFiles()
  await fill(first)
  await using middle = await openMiddle()
  const told = await move(first, middle)
  const counts = { channels: 2, posts: 55, keys: 2, removals: 2, watches: 1, pictures: 4 }
  assert.deepEqual(told, counts)
  assert.deepEqual(await compareStores(first, middle, never), [])
  assert.deepEqual(await seen(middle), await seen(first))
  assert.deepEqual(await move(first, middle), told, 'again')
  assert.deepEqual(await seen(middle), await seen(first), 'again')

  await using last = await openFiles()
  await move(middle, last)
  assert.deepEqual(await seen(last), await seen(first))
  assert.deepEqual(await last.verify(), [])
  const next = await addChannel(last, 'another')
  assert.ok(next.id > 3, 'no number is given twice')
  assert.ok((await addChannel(middle, 'another')).id > 3, 'no number is given twice')
}

/** The store, failing after the given number of calls. */
function dyingAfter(store: Store, calls: number): Store {
  let left = calls
  const guard = <T extends object>(part: T): T =>
    new Proxy(part, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name)
        if (typeof value === 'object' && value !== null) return guard(value)
        if (typeof value !== 'function') return value
        return (...given: unknown[]) => {
          if (left-- <= 0) return Promise.reject(new Error('cut'))
          return value.apply(target, given) as unknown
        }
      },
    })
  return guard(store)
}

describe('moving a store', () => {
  test('to other files and back changes nothing', () => comesBack(openFiles))

  test('detects what is missing or changed in the copy', async () => {
    await using from = await openFiles()
    await using to = await openFiles()
    await fill(from)
    await move(from, to)
    const news = (await to.archive.channel('news'))!
    await to.archive.record(sampleReading(news.id, { deleted: [9] }))
    await to.removals.removePost('news', 8, 'asked', NOON)
    const problems = await compareStores(from, to, never)
    assert.deepEqual(problems, [
      '54 posts became 52',
      '2 opt-outs became 3',
      'the posts of news are not the same',
    ])
  })

  test('detects damaged posts even if their stored hash is right', async () => {
    await using from = await openFiles()
    await using to = await openFiles()
    await fill(from)
    await move(from, to)
    const damaged = (change: (post: ArchivedPost) => ArchivedPost): Store => ({
      ...to,
      archive: {
        ...to.archive,
        async *scan(options) {
          for await (const posts of to.archive.scan(options)) yield posts.map(change)
        },
      },
    })
    const news = (await to.archive.channel('news'))!
    for (const change of [{ text: '????' }, { author: 'another' }, { publishedAt: NOON - HOUR }]) {
      const isMeant = (post: ArchivedPost) => post.channelId === news.id && post.number === 9
      const other = damaged((post) => (isMeant(post) ? { ...post, ...change } : post))
      const problems = await compareStores(from, other, never)
      assert.deepEqual(problems, ['the posts of news are not the same'], JSON.stringify(change))
    }
  })

  test('gives the same result after a failure between any two calls', async () => {
    await using from = await openFiles()
    await fill(from)
    const whole = await seen(from)
    let cuts = 0
    for (let isCut = true; isCut && cuts < 500; cuts++) {
      await using to = await openFiles()
      isCut = await move(from, dyingAfter(to, cuts)).then(
        () => false,
        (error: Error) => error.message === 'cut',
      )
      await move(from, to)
      assert.deepEqual(await compareStores(from, to, never), [], `cut after ${cuts} calls`)
      assert.deepEqual(await seen(to), whole, `cut after ${cuts} calls`)
    }
    assert.ok(cuts > 20 && cuts < 500, `${cuts} cuts`)
  })

  test('copies the revocation of a key to an earlier copy', async () => {
    await using from = await openFiles()
    await using to = await openFiles()
    await fill(from)
    await move(from, to)
    await from.ledger.revokeKey('aaaaaaaa', 4)
    assert.deepEqual(await compareStores(from, to, never), ['2 revoked keys became 1'])
    await move(from, to)
    assert.deepEqual(await compareStores(from, to, never), [])
  })

  test('copies events that were told, so that only new ones are news in the copy', async () => {
    await using from = await openFiles()
    await using to = await openFiles()
    const { id } = await addChannel(from, 'told')
    const posts = [1, 2, 3, 4].map((number) => samplePost(number))
    await from.archive.record(sampleReading(id, { posts }))
    const made = (number: number, revision = 1): LoggedPost => ({
      channelId: id,
      number,
      revision,
      publishedAt: samplePost(number).publishedAt,
      firstCapturedAt: NOON,
      document: () => Buffer.from(`text${number}`),
    })
    await from.events.append([made(1), made(2), made(3), made(2, 2)])
    await from.archive.record(sampleReading(id, { at: NOON + MINUTE, deleted: [3] }))
    await from.watches.put(sampleWatch('storms'))
    await move(from, to)
    await move(from, to)
    const { last } = await to.events.bounds()
    assert.equal((await to.watches.get('storms'))!.since, last)
    const copied = await to.events.after(0, 10)
    assert.deepEqual(
      copied.map(({ kind, number, document }) => [kind, number, `${Buffer.from(document!)}`]),
      [
        ['post', 1, 'text1'],
        ['post', 2, 'text2'],
        ['edit', 2, 'text2'],
      ],
    )
    assert.equal(await to.events.append([made(1), made(2, 2), made(4)]), 1, 'an indexer begins')
    const [news] = await to.events.after(last, 10)
    assert.equal(news!.number, 4)
  })

  test('copies channels and their gaps in batches', async () => {
    await using from = await openFiles()
    await using to = await openFiles()
    for (let i = 0; i < 250; i++) await addChannel(from, `channel_${i}`)
    const gap = { channelId: 200, kind: 'gap', before: 9, downTo: 1, until: null } as const
    await from.frontier.addGap(gap)
    const asked: string[] = []
    const counted = <Of extends object>(of: Of, names: readonly string[]): Of =>
      new Proxy(of, {
        get(target, name, receiver) {
          if (names.includes(String(name))) asked.push(String(name))
          return Reflect.get(target, name, receiver) as unknown
        },
      })
    await move(
      { ...from, frontier: counted(from.frontier, ['gaps']) },
      counted(to, ['run']) as Store,
    )
    assert.equal((await to.archive.totals()).channels, 250)
    assert.equal((await to.frontier.gaps(200)).length, 1)
    assert.ok(asked.filter((name) => name === 'gaps').length <= 1)
    assert.ok(asked.filter((name) => name === 'run').length <= 10, `${asked.length}`)
  })

  test('refuses a target with other data, and leaves it unchanged', async () => {
    await using from = await openFiles()
    await fill(from)
    const one = ['one', 'two', 'three']
    // The second target has ids that the source lacks, and one of its names; the third has one more channel.
    for (const names of [one, [...one, 'four', 'news'], ['only']]) {
      await using to = await openFiles()
      for (const name of names) await addChannel(to, name, NOON - HOUR)
      for (const name of names === one ? [] : one) await to.removals.removeChannel(name, 'x', NOON)
      const before = await seen(to)
      await assert.rejects(move(from, to), OtherDataError, `${names}`)
      assert.deepEqual(await seen(to), before, `${names}`)
    }
  })

  test('removes from an earlier copy what was removed since', async () => {
    await using from = await openFiles()
    await using to = await openFiles()
    await fill(from)
    await move(from, to)
    await from.removals.removePost('news', 7, 'asked', NOON)
    await from.removals.removeChannel('pavel', 'asked', NOON)
    await move(from, to)
    assert.deepEqual(await compareStores(from, to, never), [])
    assert.deepEqual(await seen(to), await seen(from))
  })

  test('knows the numeric id that an opt-out learnt between two copies', async () => {
    await using from = await openFiles()
    await using to = await openFiles()
    const { id } = await addChannel(from, 'durov')
    await from.archive.record(sampleReading(id, { posts: [samplePost(1), samplePost(2)] }))
    await from.removals.removePost('durov', 1, 'asked', NOON)
    await move(from, to)
    const profile = sampleProfile('durov', { platformId: 7 })
    await from.archive.record(sampleReading(id, { profile }))
    await move(from, to)
    assert.deepEqual(await to.removals.list(), await from.removals.list())
    assert.equal((await to.removals.list())[0]!.platformId, 7)
  })

  test('recognises a channel whose numeric id was learnt between two copies', async () => {
    await using from = await openFiles()
    await using to = await openFiles()
    const { id } = await addChannel(from, 'durov')
    await move(from, to)
    const profile = sampleProfile('durov', { platformId: 7 })
    await from.archive.record(sampleReading(id, { profile, posts: [samplePost(1)] }))
    await move(from, to)
    assert.deepEqual(await compareStores(from, to, never), [])
  })
})

describe('moving a store through PostgreSQL', { skip: whyNoEngines() ?? false }, () => {
  const schemas = createSchemas()
  after(() => schemas.drop())
  test('and back to files changes nothing', () =>
    comesBack(async () => (await schemas.open({ pictures: true })).store))
})
