import assert from 'node:assert/strict'
import fs, { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { createStillClock } from '../../simulator/clocks.ts'
import type { SearchQuery } from '../../model/query.ts'
import { openIndexWriter, openSearchIndex } from '../open-search-index.ts'
import { createRandom, plainSearch, sampleDocument } from '../contract/sample.ts'
import { WINDOW_MS, type IndexDocument } from '../search-index.ts'
import { openReader } from './reader.ts'

const NOW = Date.UTC(2026, 5, 1)
const folders: string[] = []
after(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })))

function fresh() {
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-index-'))
  folders.push(folder)
  const clock = createStillClock(NOW)
  const location = { kind: 'embedded' as const, folder, workers: 2 }
  return { folder, clock, location, pass: clock.pass }
}

const random = createRandom(11)
function documentOf(number: number, word: string): IndexDocument {
  const made = sampleDocument(random, NOW, [])
  return {
    ...made,
    channelId: 1,
    number,
    revision: 1,
    publishedAt: NOW - number * 60_000,
    toks: [word],
    stems: [word],
    group: null,
    isCopy: false,
  }
}

function queryOf(word: string): SearchQuery {
  const root = { kind: 'exact', text: word, start: 0, end: word.length } as const
  return plainSearch(NOW, { root, limit: 50 })
}

test('readers follow batches, edits, removals and a new generation', async () => {
  const { location, clock, folder } = fresh()
  await using index = await openSearchIndex(location, clock)
  const find = async (word: string) => {
    const { hits } = await index.search(queryOf(word))
    return hits.map((hit) => hit.number)
  }
  const empty = await index.search(queryOf('rose'))
  assert.deepEqual([empty.hits.length, empty.complete, empty.reason], [0, false, 'no_index'])

  await using writer = await openIndexWriter(location, clock)
  await writer.apply({ puts: [documentOf(1, 'rose'), documentOf(2, 'rose'), documentOf(3, 'oak')] })
  assert.deepEqual(await find('rose'), [1, 2])
  await writer.apply({ puts: [{ ...documentOf(2, 'oak'), revision: 2 }] })
  assert.deepEqual([await find('rose'), await find('oak')], [[1], [2, 3]])
  await writer.apply({ puts: [documentOf(2, 'rose')] })
  assert.deepEqual(await find('rose'), [1], 'an older revision changes nothing')
  await writer.apply({ removals: [{ channelId: 1, number: 1 }] })
  assert.deepEqual(await find('rose'), [])

  await using next = await writer.startGeneration(0)
  await next.apply({ puts: [documentOf(7, 'rose')] })
  assert.deepEqual(await find('oak'), [2, 3], 'the old generation serves until the swap')
  assert.equal((await writer.state()).rebuilding, true)
  await next.swap()
  assert.deepEqual([await find('rose'), await find('oak')], [[7], []])
  await writer.apply({ puts: [documentOf(8, 'rose')] })
  assert.deepEqual(await find('rose'), [7, 8], 'the writer goes on in the new one')
  const files = readdirSync(folder).filter((name) => /^generation-\d+\.sqlite$/.test(name))
  assert.deepEqual(files, ['generation-2.sqlite'])
})

test('paging by relevance continues to the end across a new generation', async () => {
  const { location, clock } = fresh()
  await using index = await openSearchIndex(location, clock)
  await using writer = await openIndexWriter(location, clock)
  const posts = [1, 2, 3, 4, 5, 6].map((number) => documentOf(number, 'rose'))
  await writer.apply({ puts: posts })
  const page = (after: SearchQuery['after']) =>
    index.search({ ...queryOf('rose'), sort: 'relevance', limit: 2, after })
  const first = await page(null)
  await using next = await writer.startGeneration(0)
  // Sequence numbers start again, and most are higher than the one the walk began with.
  for (const post of posts) await next.apply({ puts: [post] })
  await next.swap()
  const second = await page(first.next)
  const third = await page(second.next)
  const numbers = [first, second, third].flatMap(({ hits }) => hits.map((hit) => hit.number))
  assert.deepEqual(new Set(numbers), new Set([1, 2, 3, 4, 5, 6]))
})

test('an abandoned generation leaves nothing behind', async () => {
  const { location, clock, folder } = fresh()
  await using writer = await openIndexWriter(location, clock)
  await writer.apply({ puts: [documentOf(1, 'rose')] })
  {
    await using next = await writer.startGeneration(0)
    await next.apply({ puts: [documentOf(2, 'rose')] })
  }
  assert.equal((await writer.state()).rebuilding, false)
  assert.ok(!readdirSync(folder).some((name) => name.startsWith('generation-2')))
})

test('readers leave a generation even if its retirement could not be recorded in it', async (t) => {
  const { location, clock, folder } = fresh()
  await using writer = await openIndexWriter(location, clock)
  await writer.apply({ puts: [documentOf(1, 'rose')] })
  const reader = openReader(folder)
  const find = () => reader.search(queryOf('rose'), NOW).hits.map((hit) => hit.number)
  assert.deepEqual(find(), [1])
  using served = new DatabaseSync(join(folder, 'generation-1.sqlite'))
  served.exec(`create trigger deaf before update on meta when new.key = 'retired'
    begin select raise(abort, 'not now'); end`)
  await using next = await writer.startGeneration(0)
  await next.apply({ puts: [documentOf(2, 'rose')] })
  await assert.rejects(next.swap(), /not now/)
  const later = performance.now() + 1_000
  t.mock.method(performance, 'now', () => later)
  assert.deepEqual(find(), [2])
  reader.close()
})

test('no generation is started without enough free disk space', async (t) => {
  const { location, clock, folder } = fresh()
  await using writer = await openIndexWriter(location, clock)
  await writer.apply({ puts: [documentOf(1, 'rose')] })
  const { mock } = t.mock.method(fs, 'statfsSync', () => ({ bavail: 20, bsize: 1_000 }))
  syncBuiltinESMExports()
  t.after(() => {
    mock.restore()
    syncBuiltinESMExports()
  })
  await assert.rejects(writer.startGeneration(0), /a new index needs about 1 MB .* 1 MB are free/)
  assert.deepEqual([(await writer.state()).rebuilding, (await writer.state()).posts], [false, 1])
  assert.ok(!readdirSync(folder).some((name) => name.startsWith('generation-2')))
})

test('a writer that was taken over can no longer write', async () => {
  const { location, clock } = fresh()
  const first = await openIndexWriter(location, clock)
  await first.apply({ puts: [documentOf(1, 'rose')] })
  await using second = await openIndexWriter(location, clock)
  await assert.rejects(
    first.apply({ puts: [documentOf(2, 'rose')] }),
    /another process writes the index now/,
  )
  await second.apply({ puts: [documentOf(3, 'rose')] })
  assert.equal((await second.state()).posts, 2)
  await first[Symbol.asyncDispose]()
})

test('a writer that was taken over neither swaps nor deletes a generation', async () => {
  const { location, clock, folder } = fresh()
  const stalled = await openIndexWriter(location, clock)
  await stalled.apply({ puts: [documentOf(1, 'rose')] })
  const late = await stalled.startGeneration(0)
  await late.apply({ puts: [documentOf(2, 'rose')] })
  await using writer = await openIndexWriter(location, clock)
  await using next = await writer.startGeneration(0)
  await next.apply({ puts: [documentOf(3, 'rose')] })
  await assert.rejects(late.swap(), /another process writes the index now/)
  await assert.rejects(stalled.startGeneration(0), /another process writes the index now/)
  await late[Symbol.asyncDispose]()
  const { rebuilding, generation } = await writer.state()
  assert.deepEqual({ rebuilding, generation }, { rebuilding: true, generation: 1 })
  await next.swap()
  await writer.apply({ puts: [documentOf(4, 'rose')] })
  assert.deepEqual([(await writer.state()).posts, (await writer.state()).generation], [2, 3])
  assert.ok(readdirSync(folder).includes('generation-3.sqlite'))
  await stalled[Symbol.asyncDispose]()
})

test('an index that failed to open can be opened once the cause is gone', async (t) => {
  const { location, clock } = fresh()
  const exec = DatabaseSync.prototype.exec
  const { mock } = t.mock.method(
    DatabaseSync.prototype,
    'exec',
    function (this: DatabaseSync, sql: string) {
      if (sql.includes('create table meta')) throw new Error('the disk is away')
      return exec.call(this, sql)
    },
  )
  await assert.rejects(openIndexWriter(location, clock), /the disk is away/)
  mock.restore()
  await using writer = await openIndexWriter(location, clock)
  await writer.apply({ puts: [documentOf(1, 'rose')] })
  assert.equal((await writer.state()).posts, 1)
})

test('a full disk is reported, and the same batch succeeds once there is room', async (t) => {
  const { location, clock } = fresh()
  await using writer = await openIndexWriter(location, clock)
  const exec = DatabaseSync.prototype.exec
  let pages = 30
  t.mock.method(DatabaseSync.prototype, 'exec', function (this: DatabaseSync, sql: string) {
    if (sql === 'begin immediate') exec.call(this, `pragma max_page_count = ${pages}`)
    return exec.call(this, sql)
  })
  const words = Array.from({ length: 20_000 }, (_, i) => `word${i}`)
  const large = { ...documentOf(1, 'rose'), toks: words, stems: words }
  await assert.rejects(writer.apply({ puts: [large] }), /database or disk is full/)
  pages = 1_000_000
  await writer.apply({ puts: [large] })
  assert.equal((await writer.state()).posts, 1)
})

test('a file of another format is replaced by an empty index that is marked incomplete', async () => {
  const { location, clock, folder } = fresh()
  {
    await using writer = await openIndexWriter(location, clock)
    await writer.apply({ puts: [documentOf(1, 'rose')] })
  }
  const db = new DatabaseSync(join(folder, 'generation-1.sqlite'))
  db.exec(`update meta set value = 0 where key = 'format'; drop table segment`)
  db.close()
  await using index = await openSearchIndex(location, clock)
  const unread = await index.search(queryOf('rose'))
  assert.deepEqual([unread.complete, unread.reason], [false, 'no_index'])
  await using writer = await openIndexWriter(location, clock)
  const { posts, complete, generation } = await writer.state()
  assert.deepEqual({ posts, complete, generation }, { posts: 0, complete: false, generation: 2 })
  await writer.apply({ puts: [documentOf(2, 'rose')] })
  const read = await index.search(queryOf('rose'))
  assert.deepEqual(
    read.hits.map((hit) => hit.number),
    [2],
  )
})

test('an index deleted under its writer is detected and started anew', async () => {
  const { location, clock, folder } = fresh()
  const first = await openIndexWriter(location, clock)
  await first.apply({ puts: [documentOf(1, 'rose')] })
  rmSync(folder, { recursive: true })
  await assert.rejects(first.apply({ puts: [documentOf(2, 'rose')] }), /the index was deleted/)
  await first[Symbol.asyncDispose]()
  await using second = await openIndexWriter(location, clock)
  await second.apply({ puts: [documentOf(3, 'rose')] })
  await using index = await openSearchIndex(location, clock)
  const { hits } = await index.search(queryOf('rose'))
  assert.deepEqual(
    hits.map((hit) => hit.number),
    [3],
  )
  assert.equal((await second.state()).complete, false)
})

test('an aborted search rejects with the abort reason', async () => {
  const { location, clock } = fresh()
  await using index = await openSearchIndex(location, clock)
  const gone = new Error('the caller went away')
  await assert.rejects(index.search(queryOf('rose'), AbortSignal.abort(gone)), gone)
  const later = new AbortController()
  const answer = index.search(queryOf('rose'), later.signal)
  later.abort(gone)
  await assert.rejects(answer, gone)
})

test('an index can be disposed of twice', async () => {
  const { location, clock } = fresh()
  const index = await openSearchIndex(location, clock)
  await Promise.all([index[Symbol.asyncDispose](), index[Symbol.asyncDispose]()])
  await index[Symbol.asyncDispose]()
  await assert.rejects(index.search(queryOf('rose')), /the index is closed/)
})

test('a query with nothing to search for is rejected as invalid_query across threads', async () => {
  const { location, clock } = fresh()
  await using writer = await openIndexWriter(location, clock)
  await writer.apply({ puts: [documentOf(1, 'rose')] })
  await using index = await openSearchIndex(location, clock)
  await assert.rejects(index.search(queryOf('---')), { name: 'AppError', code: 'invalid_query' })
})

test('posts that have left the window are not found, and expire drops them', async () => {
  const { location, clock, pass } = fresh()
  await using writer = await openIndexWriter(location, clock)
  await using index = await openSearchIndex(location, clock)
  await writer.apply({ puts: [documentOf(1, 'rose'), documentOf(2, 'rose')] })
  assert.equal((await index.search(queryOf('rose'))).total.value, 2)
  pass(45 * 86_400_000)
  assert.equal((await index.search(queryOf('rose'))).total.value, 0, 'the window moves by itself')
  await writer.expire(clock.now() - WINDOW_MS)
  const { posts, oldestPostAt } = await writer.state()
  assert.deepEqual({ posts, oldestPostAt }, { posts: 0, oldestPostAt: null })
})

test('hashtags and domains are deleted with the last post that has them', async () => {
  const { location, clock, folder, pass } = fresh()
  await using writer = await openIndexWriter(location, clock)
  await using index = await openSearchIndex(location, clock)
  const tagged = (number: number, hashtag: string) => ({
    ...documentOf(number, 'rose'),
    publishedAt: clock.now() - number * 60_000,
    hashtags: [hashtag, 'garden'],
    domains: [`${hashtag}.example`],
  })
  await writer.apply({ puts: [tagged(1, 'tulip'), tagged(2, 'lily')] })
  pass(28 * 86_400_000)
  await writer.apply({ puts: [tagged(3, 'aster')] })
  pass(14 * 86_400_000)
  await writer.expire(clock.now() - WINDOW_MS)
  await writer.apply({ puts: [tagged(4, 'poppy')] })
  const [file] = readdirSync(folder).filter((name) => /^generation-\d+\.sqlite$/.test(name))
  using db = new DatabaseSync(join(folder, file!), { readOnly: true })
  const kept = db.prepare('select value from tag order by value').all()
  assert.deepEqual(
    kept.map((row) => row['value']),
    ['#aster', '#garden', '#poppy', 'daster.example', 'dpoppy.example'],
  )
  const root = { kind: 'exact', text: 'rose', start: 0, end: 4 } as const
  const query = plainSearch(clock.now(), { root, limit: 50, facets: ['hashtag'] })
  const { facets } = await index.search(query)
  assert.deepEqual(facets.hashtag, [
    { value: 'garden', count: 2 },
    { value: 'aster', count: 1 },
    { value: 'poppy', count: 1 },
  ])
})

test('a repeated correction takes new posts into account', async () => {
  const { clock, location } = fresh()
  await using writer = await openIndexWriter(location, clock)
  await using index = await openSearchIndex({ ...location, workers: 1 }, clock)
  const root = { kind: 'word', text: 'telegrm', start: 0, end: 7 } as const
  const ask = async () => (await index.search(plainSearch(NOW, { root }))).corrections[0]?.nearest
  await writer.apply({ puts: [documentOf(1, 'telegrom'), documentOf(2, 'telegrom')] })
  assert.equal(await ask(), 'telegrom')
  assert.equal(await ask(), 'telegrom')
  const more = [3, 4, 5, 6].map((number) => documentOf(number, 'telegram'))
  await writer.apply({ puts: more })
  assert.equal(await ask(), 'telegram')
})
