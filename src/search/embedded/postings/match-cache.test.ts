import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import type { Expr } from '../../expr.ts'
import { createRandom } from '../../contract/sample.ts'
import { rowidOf } from '../rowid.ts'
import { createBucket, createStatements, createTables } from '../schema.ts'
import { END, type Cursor } from './cursors.ts'
import { CachedCursor, CachedMatches, createMatchCache } from './match-cache.ts'
import { SIZES, type Budget } from './layout.ts'
import { openCursor } from './open-cursor.ts'
import { buildSegment, type Terms } from './segment-build.ts'
import { loadSegment, type Segment } from './segment.ts'

const POSTS = 3_000
const random = createRandom(31)

/** A segment, the posts in it that hold a word, and cursors over these that share a cache. */
function open(most = SIZES.cached) {
  const db = new DatabaseSync(':memory:')
  createTables(db, { generation: 1 })
  createBucket(db, 1)
  const held = Array.from({ length: POSTS }, () => random() < 0.1)
  const posts = held.map((has, i): [number, Terms] => {
    return [
      rowidOf(1_800_000_000 - i, i),
      { toks: has ? ['word', 'other'] : ['other'], stems: [], others: [] },
    ]
  })
  const sizes = { ...SIZES, rowPosts: 40, inlineBytes: 20 }
  buildSegment(db, { id: 1, bucket: 1, sizes }, new Map(posts))
  const segment = loadSegment(createStatements(db), 1, sizes)
  const known = new CachedMatches()
  const openRest = (budget: Budget) =>
    openCursor({ segment, budget }, { kind: 'phrase', toks: ['word', 'other'] })
  return {
    docs: held.flatMap((has, i) => (has ? [i] : [])),
    known,
    cursor: (budget: Budget = { postings: 2 ** 40 }) =>
      new CachedCursor(known, { posts: POSTS, most, budget }, openRest),
  }
}

function all(cursor: Cursor): number[] {
  const docs: number[] = []
  for (let at = cursor.seek(0); at < END; at = cursor.seek(at + 1)) docs.push(at)
  return docs
}

test('cursors over cached matches agree with the postings, however far other cursors have read', () => {
  const { docs, known, cursor } = open()
  const cursors = Array.from({ length: 4 }, () => ({ cursor: cursor(), met: 0 }))
  for (let i = 0; i < 400; i++) {
    const each = cursors[Math.floor(random() * cursors.length)]!
    const at = each.cursor.seek(each.cursor.at + 1)
    assert.equal(at, docs[each.met++] ?? END)
    if (random() < 0.02 || at === END) Object.assign(each, { cursor: cursor(), met: 0 })
  }
  assert.ok(known.count > 0)
  assert.deepEqual([...known.docs.subarray(0, known.count)], docs.slice(0, known.count))
  assert.deepEqual(all(cursor()), docs)
})

test('cached matches consume any budget exactly as a first walk does', () => {
  const { known, cursor } = open()
  for (let postings = 0; postings < 30_000; postings += 97) {
    known.forget()
    const first = { postings }
    const expected = all(cursor(first))
    if (random() < 0.5) known.forget()
    for (let steps = Math.floor(random() * 400), way = cursor(); steps > 0; steps--)
      way.seek(way.at + 1)
    const again = { postings }
    assert.deepEqual(all(cursor(again)), expected)
    assert.deepEqual(again, first)
  }
})

test('nothing is cached if the budget ran out', () => {
  const { docs, known, cursor } = open()
  assert.ok(all(cursor({ postings: 1_500 })).length < docs.length)
  assert.equal(known.count, 0)
  assert.deepEqual(all(cursor()), docs)
})

test('no more matches are cached than there is room for', () => {
  const { docs, known, cursor } = open(20)
  assert.deepEqual(all(cursor()), docs)
  assert.deepEqual(all(cursor()), docs)
  assert.equal(known.count, 20)
})

const segmentOf = (id: number, posts = 10_000) =>
  ({ id, rowids: new Float64Array(posts), sizes: SIZES }) as unknown as Segment
const word = (term: string): Expr => ({ kind: 'any', terms: [term] })

test('matches are cached per expression and segment', () => {
  const matchCache = createMatchCache()
  matchCache.of(word('tea'))(segmentOf(1))!.add(7, 1)
  assert.equal(matchCache.of(word('tea'))(segmentOf(1))!.count, 1)
  assert.equal(matchCache.of(word('tea'))(segmentOf(2))!.count, 0)
  assert.equal(matchCache.of(word('milk'))(segmentOf(1))!.count, 0)
})

test('nothing is cached for all posts, small segments or very long expressions', () => {
  const matchCache = createMatchCache()
  assert.equal(matchCache.of(null)(segmentOf(1)), null)
  assert.equal(matchCache.of(word('tea'))(segmentOf(1, 100)), null)
  assert.equal(matchCache.of(word('x'.repeat(5_000)))(segmentOf(1)), null)
})

test('forget drops the matches of a segment', () => {
  const matchCache = createMatchCache()
  matchCache.of(word('tea'))(segmentOf(1))!.add(7, 1)
  matchCache.forget(segmentOf(1))
  assert.equal(matchCache.of(word('tea'))(segmentOf(1))!.count, 0)
})

test('a full cache evicts what was not used lately', () => {
  const matchCache = createMatchCache()
  const ask = (term: string, matches: number) => {
    const known = matchCache.of(word(term))(segmentOf(1))!
    const before = known.count
    for (let i = before; i < matches; i++) known.add(i, 1)
    return before
  }
  for (let i = 0; i < 1_200; i++) {
    ask(`word${i}`, 1)
    assert.equal(ask('often', 1), i === 0 ? 0 : 1)
  }
  assert.equal(ask('word0', 1), 0)
  assert.equal(ask('word1190', 1), 1)
  for (let i = 0; i < 200; i++) ask(`long${i}`, 16_000)
  assert.equal(ask('long0', 1), 0)
  assert.ok(ask('long199', 1) > 0)
})

test('matches that are added when an expression is asked for again count, too', () => {
  const matchCache = createMatchCache()
  const askAgain = (term: string) => matchCache.of(word(term))(segmentOf(1))!
  const terms = Array.from({ length: 400 }, (_, i) => `word${i}`)
  for (const term of terms) askAgain(term)
  const kept = terms.map((term) => {
    const known = askAgain(term)
    for (let i = 0; i < 16_000; i++) known.add(i, 1)
    return known
  })
  const held = terms.filter((term, i) => askAgain(term) === kept[i]).length
  assert.ok(held * 16_000 <= 1_100_000, `${held} of them are held`)
})

test('matches that were forgotten do not count', () => {
  const matchCache = createMatchCache()
  const ask = (term: string) => matchCache.of(word(term))(segmentOf(1))!
  const first = ask('first')
  for (let i = 0; i < 200; i++) {
    const known = ask(`word${i}`)
    for (let doc = 0; doc < 16_000; doc++) known.add(doc, 1)
    known.forget()
  }
  assert.equal(ask('first'), first)
})
