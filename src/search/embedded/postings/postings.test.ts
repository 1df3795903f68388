import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import type { Expr } from '../../expr.ts'
import { createRandom, type Random } from '../../contract/sample.ts'
import { EVERY_POST } from '../../terms.ts'
import { chunkColumns, CHUNK, CHUNK_BYTES } from '../columns.ts'
import { rowidOf, slotOf } from '../rowid.ts'
import { chunkId, createBucket, createStatements, createTables } from '../schema.ts'
import { openCursor, openTerm } from './open-cursor.ts'
import { END } from './cursors.ts'
import { createMerger, MERGE_POLICY } from './merge.ts'
import { takeSegmentId } from './segment-writer.ts'
import { buildSegment, type Terms } from './segment-build.ts'
import { loadSegment, type Segment } from './segment.ts'
import { SIZES } from './layout.ts'

const AT_REST = { isBusy: false, isAtRest: () => true }
const IN_USE = { isBusy: false, isAtRest: () => false }

const BUCKET = 3000
const ENOUGH = { postings: Infinity }
const source = (segment: Segment, budget = { ...ENOUGH }) => ({
  segment,
  budget,
})

function open() {
  const db = new DatabaseSync(':memory:')
  createTables(db, { generation: 1 })
  createBucket(db, BUCKET)
  const statement = createStatements(db)
  return {
    db,
    build(posts: ReadonlyMap<number, Terms>): void {
      buildSegment(db, { id: takeSegmentId(statement), bucket: BUCKET, sizes: SIZES }, posts)
    },
    segments(): Segment[] {
      return statement('select id from segment where is_serving')
        .all()
        .map((row) => loadSegment(statement, Number(row['id']), SIZES))
    },
    /** Sets the columns: a slot whose number is 0 holds no post. */
    setLive(slots: number, isLive: (slot: number) => boolean): void {
      for (let chunk = 0; chunk * CHUNK < slots; chunk++) {
        const columns = chunkColumns(new Uint8Array(CHUNK_BYTES))
        for (let i = 0; i < CHUNK; i++) columns.number[i] = isLive(chunk * CHUNK + i) ? 1 : 0
        db.prepare('insert or replace into chunk (id, seq, data, tags) values (?, 1, ?, ?)').run(
          chunkId(BUCKET, chunk),
          new Uint8Array(columns.buffer),
          new Uint8Array(0),
        )
      }
    },
  }
}

/** Word `w0` is in most posts, each further word in fewer, so that there are lists of every length. */
function randomTerms(random: Random): Terms {
  const word = () => `w${Math.floor(-Math.log(1 - random()) * 4)}`
  const toks = Array.from({ length: Math.floor(random() * 9) }, word)
  const stems = toks.map((tok) => `~${tok}`)
  return { toks, stems, others: [`:c${Math.floor(random() * 40)}`] }
}

function randomPosts(random: Random, count: number, firstSlot = 0): Map<number, Terms> {
  const sec = 1_800_000_000
  return new Map(
    Array.from({ length: count }, (_, i) => [
      rowidOf(sec - Math.floor(random() * count), firstSlot + i),
      randomTerms(random),
    ]),
  )
}

function randomExpr(random: Random, depth = 0): Expr {
  const word = () => `w${Math.floor(random() * 30)}`
  const many = (most: number) => Array.from({ length: 1 + Math.floor(random() * most) })
  const part = () => randomExpr(random, depth + 1)
  const kinds = depth < 3 ? 7 : 4
  switch (Math.floor(random() * kinds)) {
    case 0:
      return { kind: 'any', terms: [word()] }
    case 1:
      return { kind: 'any', terms: many(12).map(() => (random() < 0.5 ? `~${word()}` : word())) }
    case 2:
      return { kind: 'phrase', toks: many(3).map(() => `w${Math.floor(random() * 4)}`) }
    case 3:
      return {
        kind: 'any',
        terms: random() < 0.2 ? [EVERY_POST] : [`:c${Math.floor(random() * 44)}`],
      }
    case 4:
      return { kind: 'and', parts: many(3).map(part) }
    case 5:
      return { kind: 'or', parts: many(8).map(part) }
    default:
      return { kind: 'not', part: part() }
  }
}

function matches(expr: Expr, post: Terms): boolean {
  const { toks, stems, others } = post
  switch (expr.kind) {
    case 'any':
      return expr.terms.some(
        (t) => t === EVERY_POST || [toks, stems, others].some((terms) => terms.includes(t)),
      )
    case 'phrase':
      return toks.some((_, at) => expr.toks.every((tok, i) => toks[at + i] === tok))
    case 'and':
      return expr.parts.every((each) => matches(each, post))
    case 'or':
      return expr.parts.some((each) => matches(each, post))
    case 'not':
      return !matches(expr.part, post)
  }
}

function found(segment: Segment, expr: Expr, budget = { ...ENOUGH }): number[] {
  const cursor = openCursor(source(segment, budget), expr)
  const rowids: number[] = []
  for (let at = cursor.seek(0); at < END; at = cursor.seek(at + 1)) rowids.push(segment.rowids[at]!)
  return rowids
}

function expected(posts: ReadonlyMap<number, Terms>, expr: Expr): number[] {
  return [...posts]
    .filter(([, terms]) => matches(expr, terms))
    .map(([rowid]) => rowid)
    .sort((a, b) => a - b)
}

for (const [seed, count] of [1, 300, 20_000].entries()) {
  test(`a segment of ${count} posts finds the same as a scan of every post`, () => {
    const random = createRandom(seed + 70)
    const index = open()
    const posts = randomPosts(random, count)
    index.build(posts)
    const [segment] = index.segments()
    for (let i = 0; i < (count > 1000 ? 25 : 200); i++) {
      const expr = randomExpr(random)
      assert.deepEqual(found(segment!, expr), expected(posts, expr), JSON.stringify(expr))
    }
  })
}

test('a cursor seeks to any doc id and never goes back', () => {
  const random = createRandom(7)
  const index = open()
  const posts = randomPosts(random, 12_000)
  index.build(posts)
  const [segment] = index.segments()
  const docs = new Map(Array.from(segment!.rowids, (rowid, doc) => [rowid, doc]))
  for (let i = 0; i < 60; i++) {
    const expr = randomExpr(random)
    const all = found(segment!, expr).map((rowid) => docs.get(rowid)!)
    const cursor = openCursor(source(segment!), expr)
    for (let target = 0; target < 12_000; target += Math.floor(random() ** 4 * 6_000)) {
      const wanted = Math.max(target, cursor.at)
      assert.equal(cursor.seek(target), all.find((doc) => doc >= wanted) ?? END)
    }
  }
})

test('a cursor decodes no more postings than its budget allows', () => {
  const index = open()
  const posts = randomPosts(createRandom(8), 20_000)
  index.build(posts)
  const [segment] = index.segments()
  // A word of many posts and one of fewer, which are stored in different layouts.
  for (const term of ['w0', 'w9']) {
    const expr: Expr = { kind: 'any', terms: [term] }
    const all = expected(posts, expr)
    const budget = { postings: 600 + all.length / 8 }
    const some = found(segment!, expr, budget)
    assert.ok(budget.postings < 0 && budget.postings > -200, `${budget.postings} left`)
    assert.ok(some.length < all.length / 2 + 500, `${some.length} of ${all.length}`)
    assert.deepEqual(some, all.slice(0, some.length))
  }
})

test('a term in any of the three layouts gives its positions, before and after a merge', () => {
  const random = createRandom(13)
  const index = open()
  // More posts than a row of bits has room for.
  const posts = new Map<number, Terms>()
  for (let slot = 0; slot < 70_000; slot++) {
    const toks = Array.from({ length: Math.floor(random() * 3) }, () => 'often')
    if (random() < 0.02) toks.push('some', 'often')
    if (slot % 7_000 === 0) toks.push('seldom', 'often', 'some')
    posts.set(rowidOf(1_800_000_000 - slot, slot), {
      toks,
      stems: toks.map((tok) => `~${tok}`),
      others: [],
    })
  }
  index.build(posts)
  const halves = [...posts].map((each, i) => ({ each, half: i % 2 }))
  const apart = open()
  for (const half of [0, 1]) {
    apart.build(new Map(halves.filter((each) => each.half === half).map(({ each }) => each)))
  }
  apart.setLive(70_000, () => true)
  const merger = createMerger(apart.db, { ...MERGE_POLICY, few: 1 }, SIZES)
  while (merger.step(AT_REST));
  for (const segment of [...index.segments(), ...apart.segments()]) {
    assert.equal(segment.rowids.length, 70_000)
    for (const [word, layout] of [
      ['often', 'bits'],
      ['some', 'gaps'],
      ['seldom', 'inline'],
    ] as const) {
      const [tok, stem] = [segment.find(word)!, segment.find(`~${word}`)!]
      assert.deepEqual([tok.layout, stem.layout], [layout, layout])
      assert.deepEqual([tok.hasPositions, stem.hasPositions], [true, true])
      const byTok = openTerm(segment, tok, { ...ENOUGH })
      const byStem = openTerm(segment, stem, { ...ENOUGH })
      for (let at = byTok.seek(0); at < END; at = byTok.seek(at + 1 + Math.floor(random() * 50))) {
        const { toks } = posts.get(segment.rowids[at]!)!
        const positions = toks.flatMap((each, place) => (each === word ? [place] : []))
        assert.equal(byStem.seek(at), at)
        for (const told of [byTok.positions(), byStem.positions()]) {
          assert.deepEqual([...told.values.subarray(0, told.count)], positions)
        }
      }
    }
    for (const toks of [
      ['some', 'often'],
      ['often', 'often', 'some'],
      ['seldom', 'often', 'some'],
    ]) {
      const expr: Expr = { kind: 'phrase', toks }
      assert.deepEqual(found(segment, expr), expected(posts, expr))
    }
  }
})

test('a segment knows the frequencies of its terms, their prefixes, and which terms it lacks', () => {
  const random = createRandom(9)
  const index = open()
  const posts = randomPosts(random, 3_000)
  index.build(posts)
  const [segment] = index.segments()
  const dfs = new Map<string, number>()
  for (const { toks, stems, others } of posts.values()) {
    for (const term of new Set([...toks, ...stems, ...others]))
      dfs.set(term, (dfs.get(term) ?? 0) + 1)
  }
  for (const [term, df] of dfs) assert.equal(segment!.find(term)?.df, df)
  for (const term of ['', 'w', 'w99', '~', 'zz', ':c', ' '])
    assert.equal(segment!.find(term), undefined)
  for (const prefix of ['', 'w', 'w1', ':c3', '~w2', 'zz', '!']) {
    const family = [...dfs.keys()].filter((term) => term.startsWith(prefix)).sort()
    assert.deepEqual(
      segment!.withPrefix(prefix, 9),
      family.slice(0, 9).map((term) => ({ term, df: dfs.get(term) })),
    )
  }
})

test('merging keeps what is found, drops deleted posts, and carries frequencies over', () => {
  const random = createRandom(10)
  const index = open()
  const posts = new Map<number, Terms>()
  for (let i = 0; i < 14; i++) {
    const more = randomPosts(random, 1 + Math.floor(random() * 900), posts.size)
    index.build(more)
    for (const [rowid, terms] of more) posts.set(rowid, terms)
  }
  const dfOf = (term: string) =>
    index.segments().reduce((sum, segment) => sum + (segment.find(term)?.df ?? 0), 0)
  const before = ['w0', '~w3', ':c7'].map(dfOf)
  const gone = new Set([...posts.keys()].filter(() => random() < 0.1))
  const slots = new Set([...gone].map(slotOf))
  index.setLive(posts.size, (slot) => !slots.has(slot))
  for (const rowid of gone) posts.delete(rowid)
  const exprs = Array.from({ length: 40 }, () => randomExpr(random))
  const merger = createMerger(index.db, { ...MERGE_POLICY, fanIn: 3, few: 1, step: 500 }, SIZES)
  let steps = 0
  while (merger.step(AT_REST)) {
    // Between any two steps readers see one state or the other, and deleted posts are skipped.
    if (steps++ % 20 === 0) {
      const expr = exprs[steps % exprs.length]!
      const all = index.segments().flatMap((segment) => found(segment, expr))
      const there = all.filter((rowid) => !gone.has(rowid)).sort((a, b) => a - b)
      assert.deepEqual(there, expected(posts, expr))
    }
  }
  assert.ok(steps > 50, `${steps} steps`)
  const segments = index.segments()
  assert.equal(segments.length, 1)
  for (const expr of exprs) assert.deepEqual(found(segments[0]!, expr), expected(posts, expr))
  assert.deepEqual(['w0', '~w3', ':c7'].map(dfOf), before, 'frequencies never fall')
  for (const table of ['page', 'list']) {
    const row = index.db
      .prepare(`select min(id >> 22) as low, max(id >> 22) as high from ${table}`)
      .get()
    const { id } = segments[0]!
    assert.deepEqual({ ...row }, { low: id, high: id }, 'nothing is left over')
  }
})

test('a merge begun by another writer is discarded and started again', () => {
  const random = createRandom(11)
  const index = open()
  const rules = { ...MERGE_POLICY, fanIn: 2, step: 500 }
  const posts = new Map<number, Terms>()
  for (let i = 0; i < 2; i++) {
    const more = randomPosts(random, 500, posts.size)
    index.build(more)
    for (const [rowid, terms] of more) posts.set(rowid, terms)
  }
  index.setLive(posts.size, () => true)
  const first = createMerger(index.db, rules, SIZES)
  for (let i = 0; i < 5; i++) assert.ok(first.step(IN_USE))
  assert.equal(index.segments().length, 2)
  const second = createMerger(index.db, rules, SIZES)
  while (second.step(IN_USE)) assert.ok(index.segments().length <= 2)
  const [segment, ...others] = index.segments()
  assert.equal(others.length, 0)
  const expr: Expr = { kind: 'any', terms: ['w1'] }
  assert.deepEqual(found(segment!, expr), expected(posts, expr))
  assert.equal(index.db.prepare('select count(*) as n from segment').get()!['n'], 1)
})

test('segments without any live posts merge into an empty one', () => {
  const random = createRandom(12)
  const index = open()
  for (let i = 0; i < 4; i++) index.build(randomPosts(random, 20, i * 20))
  index.setLive(80, () => false)
  const merger = createMerger(index.db, { ...MERGE_POLICY, few: 1 }, SIZES)
  while (merger.step(AT_REST));
  const [segment, ...others] = index.segments()
  assert.equal(others.length, 0)
  assert.equal(segment!.rowids.length, 0)
  assert.deepEqual(found(segment!, { kind: 'any', terms: ['w0'] }), [])
})

test('terms that cannot be stored do not affect the others', () => {
  const index = open()
  const others = ['#a', '#two words', '#b', '', '#\ud800', '#c']
  index.build(new Map([[rowidOf(1_800_000_000, 0), { toks: ['x'], stems: [], others }]]))
  const [segment] = index.segments()
  const isFound = (term: string) => segment!.find(term) !== undefined
  assert.deepEqual(others.filter(isFound), ['#a', '#b', '#c'])
  assert.equal(isFound('#a #b'), false)
})

test('a phrase among endless repetitions is charged for what it reads', () => {
  const index = open()
  const toks = Array.from({ length: 2_000 }, () => 'a')
  const posts = new Map(
    Array.from({ length: 60 }, (_, i) => [
      rowidOf(1_800_000_000, i),
      { toks: [...toks, 'c', 'b'], stems: [], others: [] },
    ]),
  )
  index.build(posts)
  const budget = { postings: 100_000 }
  const spam: Expr = { kind: 'phrase', toks: ['a', 'a', 'b'] }
  assert.deepEqual(found(index.segments()[0]!, spam, budget), [])
  assert.ok(budget.postings < 0 && budget.postings > -10_000, `${budget.postings}`)
})
