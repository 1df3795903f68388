import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { createStillClock } from '../../simulator/clocks.ts'
import type { SearchQuery } from '../../model/query.ts'
import { parseQuery } from '../../text/query/parse-query.ts'
import { SEARCH_LIMITS } from '../limits.ts'
import { createRandom, plainSearch, sampleDocument } from '../contract/sample.ts'
import { WINDOW_MS, type IndexDocument } from '../search-index.ts'
import { generationPath } from './control.ts'
import { compareAll } from './damage.ts'
import { MERGE_POLICY, SIZES } from './postings/postings.ts'
import { openReader } from './reader.ts'
import { openSnapshot } from './snapshot.ts'
import { openEmbeddedWriter } from './writer.ts'

const NOW = Date.UTC(2026, 5, 1)
let folder = ''
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'telegrep-merging-'))))
afterEach(() => rmSync(folder, { recursive: true }))

function open(mergePolicy = MERGE_POLICY) {
  const clock = createStillClock(NOW)
  return openEmbeddedWriter({ folder, clock, analyzerVersion: 1, mergePolicy })
}

const random = createRandom(21)
function documentOf(number: number, toks: readonly string[], language = 'en'): IndexDocument {
  const made = sampleDocument(random, NOW, [])
  const publishedAt = NOW - number * 7 * 60_000
  return { ...made, channelId: 1, number, publishedAt, toks, stems: toks, accented: [], language }
}

function ask(q: string, more: Partial<SearchQuery> = {}, limits = SEARCH_LIMITS) {
  const reader = openReader(folder, { limits })
  try {
    const query = plainSearch(NOW, { root: parseQuery(q, { now: NOW }), limit: 100, ...more })
    return reader.search(query, NOW)
  } finally {
    reader.close()
  }
}

function countSegments(where = ''): number {
  const db = new DatabaseSync(generationPath(folder, 1), { readOnly: true })
  try {
    return Number(db.prepare(`select count(*) as n from segment ${where}`).get()?.['n'])
  } finally {
    db.close()
  }
}

function counted(word: string) {
  const snapshot = openSnapshot(generationPath(folder, 1), SIZES)
  try {
    return snapshot.read(() => ({
      df: snapshot.df(word),
      posts: snapshot.posts,
      buckets: snapshot.statement('select bucket, next_slot, live from bucket').all(),
    }))
  } finally {
    snapshot.close()
  }
}

test('posts that arrive one by one are merged into few segments', async () => {
  await using writer = open()
  for (let n = 1; n <= 400; n++) {
    // Each new post comes with an edit of an old one, so that two weeks are written to.
    const old = documentOf(3_000 + (n % 5), ['rose', 'old'])
    await writer.apply({ puts: [documentOf(n, ['rose']), { ...old, revision: n + 1 }] })
  }
  assert.ok(countSegments() < 30, `${countSegments()} segments`)
  assert.equal(ask('rose').total.value, 405)
})

test('while many posts come in, segments wait until many can be merged at once; later they are merged', async () => {
  await using writer = open()
  // As a rebuild puts a thousand archived posts, of which some are not for the index.
  const MANY = 900
  let n = 0
  const put = (count: number) => {
    // All within one week.
    const next = () => ({ ...documentOf(++n, ['rose']), publishedAt: NOW - n * 1_000 })
    return writer.apply({ puts: Array.from({ length: count }, next) })
  }
  for (let i = 1; i < MERGE_POLICY.busyFanIn; i++) await put(MANY)
  const waiting = countSegments('where is_serving')
  await put(MANY)
  const merged = countSegments('where is_serving')
  assert.deepEqual([waiting, merged], [MERGE_POLICY.busyFanIn - 1, 1])
  for (let i = 1; i < MERGE_POLICY.busyFanIn; i++) await put(MANY)
  for (let i = 0; i < 20; i++) await put(1)
  const quiet = countSegments('where is_serving')
  assert.ok(quiet <= 6, `${quiet} segments`)
})

test('an unchanged post that is put again takes no slot and does not raise document frequencies', async () => {
  await using writer = open()
  const documents = Array.from({ length: 50 }, (_, i) => documentOf(i + 1, ['rose']))
  await writer.apply({ puts: documents })
  const before = counted('rose')
  await writer.apply({ puts: documents.map((each) => ({ ...each, subscribers: 5 })) })
  await writer.apply({ puts: documents.map((each) => ({ ...each, revision: 9, views: 70_000 })) })
  assert.deepEqual(counted('rose'), before)
  const { filters } = plainSearch(NOW, {})
  assert.equal(ask('rose', { filters: { ...filters, minViews: 70_000 } }).total.value, 50)
  await writer.apply({ puts: [{ ...documents[0]!, revision: 8, toks: ['oak'], stems: ['oak'] }] })
  assert.equal(ask('rose').total.value, 50, 'the revision put last is known')
})

test('a merge whose commit fails loses nothing', async (t) => {
  // A step merges less than a segment, and each one writes a page.
  const rules = { ...MERGE_POLICY, fanIn: 2, step: 3_000 }
  await using writer = open(rules)
  const words = Array.from({ length: 1_000 }, (_, i) => `word${i}`)
  const luck = createRandom(5)
  const exec = DatabaseSync.prototype.exec
  t.mock.method(DatabaseSync.prototype, 'exec', function (this: DatabaseSync, sql: string) {
    if (sql === 'commit' && luck() < 0.15) throw new Error('disk I/O error')
    return exec.call(this, sql)
  })
  for (let n = 1; n <= 120; n++) {
    const document = documentOf(n, ['rose', ...words.slice(n * 7, n * 7 + 60)])
    let isIn = false
    while (!isIn)
      isIn = await writer.apply({ puts: [document] }).then(
        () => true,
        () => false,
      )
  }
  t.mock.restoreAll()
  await writer.expire(NOW - WINDOW_MS)
  assert.equal(ask('rose').total.value, 120)
  for (let n = 1; n <= 120; n++) {
    const { hits } = ask(words[n * 7]!)
    assert.ok(
      hits.some((hit) => hit.number === n),
      words[n * 7],
    )
  }
})

test('free pages are returned to the disk and are not taken for damage', async () => {
  const path = generationPath(folder, 1)
  const inUse = () => {
    using db = new DatabaseSync(path, { readOnly: true })
    const pragma = (name: string) => Number(db.prepare(`pragma ${name}`).get()?.[name])
    return 1 - pragma('freelist_count') / pragma('page_count')
  }
  {
    await using writer = open()
    for (let week = 3; week >= 0; week--) {
      const puts = Array.from({ length: 300 }, (_, i) =>
        documentOf(week * 1_440 + i + 1, [
          'rose',
          ...Array.from({ length: 40 }, (_, k) => `w${i}x${k}`),
        ]),
      )
      await writer.apply({ puts })
    }
    await writer.check()
  }
  const before = statSync(path).size
  {
    await using writer = open()
    for (let i = 0; i < 4; i++) await writer.expire(NOW - 9 * 86_400_000)
  }
  assert.ok(statSync(path).size < before * 0.7, `${before} bytes, then ${statSync(path).size}`)
  assert.ok(inUse() > 0.9)
  assert.equal(compareAll(path), undefined)
  const damaged: string[] = []
  const onDamaged = (why: string | null) => damaged.push(String(why))
  await using writer = openEmbeddedWriter({
    folder,
    clock: createStillClock(NOW),
    analyzerVersion: 1,
    onDamaged,
  })
  await writer.check()
  assert.deepEqual(damaged, [])
  assert.equal(ask('rose').total.value, 600)
})

test('a relaxed search whose budget is spent shows no post with an excluded word', async () => {
  await using writer = open()
  const documents = Array.from({ length: 3_000 }, (_, i) =>
    documentOf(i + 1, i % 2 === 0 ? ['delta', 'beta'] : ['delta', 'alpha']),
  )
  await writer.apply({ puts: documents })
  let shown = 0
  for (let postings = 200; postings < 12_000; postings += 350) {
    const limits = { ...SEARCH_LIMITS, postings }
    const { hits } = ask('delta zzz -beta', { sort: 'relevance' }, limits)
    for (const { number } of hits) assert.equal(number % 2, 0, 'even numbers are without beta')
    shown += hits.length
  }
  assert.ok(shown > 100, `${shown} hits`)
})

test('a filter by a rare language leads the search, however common the word', async () => {
  await using writer = open()
  const documents = Array.from({ length: 3_000 }, (_, i) =>
    documentOf(i + 1, ['alpha'], i === 2_500 ? 'is' : 'en'),
  )
  await writer.apply({ puts: documents })
  const { hits, complete } = ask('alpha lang:is', {}, { ...SEARCH_LIMITS, postings: 2_000 })
  assert.deepEqual([hits.map((hit) => hit.number), complete], [[2_501], true])
})
