import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { createRandom } from '../../contract/sample.ts'
import { rowidOf } from '../rowid.ts'
import { createBucket, createStatements, createTables } from '../schema.ts'
import { END, type Cursor } from './cursors.ts'
import { Known, KnownCursor } from './known.ts'
import type { Budget } from './list.ts'
import { openCursor } from './open-cursor.ts'
import { buildSegment, type Terms } from './segment-build.ts'
import { loadSegment } from './segment.ts'
import { SIZES } from './sizes.ts'

const POSTS = 3_000
const random = createRandom(31)

/** A segment, the posts of it that hold a word, and ways to them that share what is known. */
function open(most = SIZES.known) {
  const db = new DatabaseSync(':memory:')
  createTables(db, { generation: 1 })
  createBucket(db, 1)
  const held = Array.from({ length: POSTS }, () => random() < 0.1)
  const posts = held.map((has, i): [number, Terms] => {
    return [
      rowidOf(1_800_000_000 - i, i),
      { toks: has ? ['word', 'other'] : ['other'], others: [] },
    ]
  })
  const sizes = { ...SIZES, rowPosts: 40, inlineBytes: 20 }
  buildSegment(db, { id: 1, bucket: 1, sizes }, new Map(posts))
  const segment = loadSegment(createStatements(db), 1, sizes)
  const known = new Known()
  const openRest = (budget: Budget) =>
    openCursor(
      { segment, budget, testOf: () => undefined },
      { kind: 'phrase', toks: ['word', 'other'] },
    )
  return {
    ords: held.flatMap((has, i) => (has ? [i] : [])),
    known,
    cursor: (budget: Budget = { postings: 2 ** 40 }) =>
      new KnownCursor(known, { posts: POSTS, most, budget }, openRest),
  }
}

function all(cursor: Cursor): number[] {
  const ords: number[] = []
  for (let at = cursor.seek(0); at < END; at = cursor.seek(at + 1)) ords.push(at)
  return ords
}

test('whoever goes through what is known meets what the list has, wherever others have got to', () => {
  const { ords, known, cursor } = open()
  const cursors = Array.from({ length: 4 }, () => ({ cursor: cursor(), met: 0 }))
  for (let i = 0; i < 400; i++) {
    const each = cursors[Math.floor(random() * cursors.length)]!
    const at = each.cursor.seek(each.cursor.at + 1)
    assert.equal(at, ords[each.met++] ?? END)
    if (random() < 0.02 || at === END) Object.assign(each, { cursor: cursor(), met: 0 })
  }
  assert.ok(known.count > 0)
  assert.deepEqual([...known.ords.subarray(0, known.count)], ords.slice(0, known.count))
  assert.deepEqual(all(cursor()), ords)
})

test('with any budget, what is known leads as far as a first walk does, and leaves as much', () => {
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

test('where the budget was used up nothing is known', () => {
  const { ords, known, cursor } = open()
  assert.ok(all(cursor({ postings: 1_500 })).length < ords.length)
  assert.equal(known.count, 0)
  assert.deepEqual(all(cursor()), ords)
})

test('no more matches are noted than there is room for', () => {
  const { ords, known, cursor } = open(20)
  assert.deepEqual(all(cursor()), ords)
  assert.deepEqual(all(cursor()), ords)
  assert.equal(known.count, 20)
})
