import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTemporary } from '../../../test/open-temporary.ts'
import { systemClock } from '../../model/clock.ts'
import { readPost } from '../../operations/views/read-post.ts'
import { makePost } from '../../store/contract/make-post.ts'
import { importPosts, type ImportItem } from './import-posts.ts'

const NOW = Date.UTC(2026, 10, 1)

type Line = { id: number; text: string; album_ids?: number[] }

async function* lines(posts: readonly Line[]): AsyncGenerator<ImportItem> {
  for (const [i, post] of posts.entries()) {
    const line = JSON.stringify({ channel: 'alpha_news', date: '2026-10-01T00:00:00Z', ...post })
    yield { where: `file:${i + 1}`, ...readPost(line, NOW) }
  }
}

/** Imports several files into one store, at increasing times. */
async function run(...files: (readonly Line[])[]) {
  let now = NOW
  const clock = { ...systemClock, now: () => (now += 1) }
  await using store = await openTemporary(clock)
  const results = []
  for (const file of files) {
    const rejected: string[] = []
    const sum = await importPosts(store, lines(file), {
      clock,
      signal: new AbortController().signal,
      onRejected: (where, reason) => rejected.push(`${where}: ${reason}`),
      onProgress: () => {},
    })
    results.push({ ...sum, rejected })
  }
  return results
}

const many = Array.from({ length: 1200 }, (_, i) => ({ id: i + 1, text: `post ${i + 1}` }))

test('a post repeated in a file is counted as unchanged, near or far apart', async () => {
  const [sum] = await run([...many, { id: 1, text: 'post 1' }, { id: 1200, text: 'post 1200' }])
  assert.deepEqual(sum, {
    added: 1200,
    changed: 0,
    unchanged: 2,
    rejected: [],
    tooOld: 0,
    joined: 0,
    channels: 1,
  })
})

test('posts replaced by an album are counted as joined', async () => {
  const singles = [
    { id: 1, text: 'caption' },
    { id: 2, text: '' },
    { id: 3, text: 'another post' },
  ]
  const [, sum] = await run(singles, [{ id: 1, text: 'caption', album_ids: [1, 2, 3] }])
  assert.deepEqual([sum?.joined, sum?.added], [1, 0])
})

test('a different text for the same number in one file is rejected and reported, near or far apart', async () => {
  const [sum] = await run([...many, { id: 1, text: 'other' }, { id: 1200, text: 'other' }])
  assert.deepEqual(sum?.rejected.toSorted(), [
    'file:1201: alpha_news/1 was already in this import, and differs',
    'file:1202: alpha_news/1200 was already at file:1200, and differs',
  ])
  assert.equal(sum.changed, 0)
})

test('a post number out of range and a removed post are rejected, each for its reason', async () => {
  await using store = await openTemporary(systemClock)
  await store.archive.addChannel('alpha_news', { at: NOW, status: 'imported' })
  await store.removals.removePost('alpha_news', 2, 'asked', NOW)
  async function* items(): AsyncGenerator<ImportItem> {
    for (const number of [1, 2, 2 ** 26]) {
      const post = makePost({ number, publishedAt: NOW })
      yield { kind: 'post', where: `file:${number}`, channel: 'alpha_news', title: null, post }
    }
  }
  const rejected: string[] = []
  const sum = await importPosts(store, items(), {
    clock: systemClock,
    signal: new AbortController().signal,
    onRejected: (where, reason) => rejected.push(`${where}: ${reason}`),
    onProgress: () => {},
  })
  assert.deepEqual([sum.added, sum.rejected], [1, 2])
  assert.deepEqual(rejected, [
    'file:67108864: 67108864 is no post’s number: expected 1 to 67108863',
    'alpha_news: it is in the opt-out register',
  ])
})

test('a different text in a later import becomes a new version', async () => {
  const [, again] = await run([{ id: 1, text: 'one' }], [{ id: 1, text: 'two' }])
  assert.deepEqual(again, {
    added: 0,
    changed: 1,
    unchanged: 0,
    rejected: [],
    tooOld: 0,
    joined: 0,
    channels: 1,
  })
})

test('posts too old to be kept are counted separately and do not create their channel', async () => {
  await using store = await openTemporary({ ...systemClock, now: () => NOW }, { days: 31 })
  async function* items(): AsyncGenerator<ImportItem> {
    for (const [channel, number, days] of [
      ['alpha_news', 1, 32],
      ['alpha_news', 2, 30],
      ['beta_news', 1, 32],
    ] as const) {
      const post = makePost({ number, publishedAt: NOW - days * 86_400_000 })
      yield { kind: 'post', where: `file:${number}`, channel, title: null, post }
    }
  }
  const sum = await importPosts(store, items(), {
    clock: { ...systemClock, now: () => NOW },
    signal: new AbortController().signal,
    onRejected: assert.fail,
    onProgress: () => {},
  })
  const none = { changed: 0, unchanged: 0, rejected: 0, joined: 0 }
  assert.deepEqual(sum, { ...none, added: 1, tooOld: 2, channels: 1 })
  assert.equal(await store.archive.channel('beta_news'), undefined)
})

/** A post as an export has it: what it said on a day of October, and what it had said before. */
function told(id: number, day: number, text: string, versions: readonly object[] = []): object {
  const at = `2026-10-${day}T00:00:00Z`
  const times = { first_captured_at: at, last_captured_at: at }
  const made = { capture: 'crawl', parser_version: 1, revision: versions.length + 1 }
  return { id, text, evidence: { content_sha256: '0'.repeat(64), ...times, ...made }, versions }
}

test('what two exports tell of a post is merged, near or far apart in one import', async () => {
  const clock = { ...systemClock, now: () => NOW }
  for (const between of [[], many.slice(1)]) {
    await using store = await openTemporary(clock)
    const rejected: string[] = []
    const sum = await importPosts(
      store,
      lines([told(1, 12, 'twelve') as Line, ...between, told(1, 11, 'eleven') as Line]),
      {
        clock,
        signal: new AbortController().signal,
        onRejected: (where, reason) => rejected.push(`${where}: ${reason}`),
        onProgress: () => {},
      },
    )
    assert.deepEqual(rejected, [])
    assert.deepEqual([sum.added, sum.changed], [1 + between.length, 1])
    const { id: channelId } = (await store.archive.channel('alpha_news'))!
    const post = (await store.archive.post(channelId, 1))!
    assert.equal(post.text, 'twelve')
    const versions = await store.archive.versions(post)
    assert.deepEqual(
      versions.map(({ text }) => text),
      ['eleven'],
    )
  }
})

test('what a second export of one’s own archive tells of a post is not dropped without a word', async () => {
  const clock = { ...systemClock, now: () => NOW }
  await using store = await openTemporary(clock)
  const rejected: string[] = []
  const newer = told(1, 12, 'twelve') as Line
  const sum = await importPosts(store, lines([told(1, 11, 'eleven') as Line, newer, newer]), {
    clock,
    signal: new AbortController().signal,
    isOwn: true,
    onRejected: (where) => rejected.push(where),
    onProgress: () => {},
  })
  assert.deepEqual([sum.added, sum.rejected, rejected.length], [1, 2, 2])
})

test('posts with many versions are written in smaller batches', async () => {
  const at = '2026-10-10T00:00:00Z'
  const versions = Array.from({ length: 400 }, (_, i) => {
    return { captured_at: at, text: `version ${i}`, sha256: '0'.repeat(63) + (i % 2) }
  })
  const posts = [1, 2, 3, 4].map((id) => told(id, 12, `post ${id}`, versions) as Line)
  const clock = { ...systemClock, now: () => NOW }
  await using store = await openTemporary(clock)
  const written: number[] = []
  await importPosts(store, lines(posts), {
    clock,
    signal: new AbortController().signal,
    onRejected: assert.fail,
    onProgress: (done) => written.push(done),
  })
  assert.deepEqual(written, [2, 4, 4])
})

test('a deletion that a file dates before the last capture is one all the same', async () => {
  const deleted = { ...told(1, 12, 'not to be kept'), deleted_at: '2026-10-11T00:00:00Z' }
  const clock = { ...systemClock, now: () => NOW }
  await using store = await openTemporary(clock)
  await importPosts(store, lines([deleted as unknown as Line]), {
    clock,
    signal: new AbortController().signal,
    onRejected: assert.fail,
    onProgress: () => {},
  })
  const { id: channelId } = (await store.archive.channel('alpha_news'))!
  const post = await store.archive.post(channelId, 1)
  assert.deepEqual([post?.text, post?.deletedAt], ['', Date.UTC(2026, 9, 12)])
})
