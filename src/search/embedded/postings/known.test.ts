import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { createRandom } from '../../sample.ts'
import { rowidOf } from '../rowid.ts'
import { createBucket, createStatements, createTables } from '../schema.ts'
import { END } from './cursors.ts'
import { Known, KnownCursor } from './known.ts'
import { openCursor } from './open-cursor.ts'
import { buildSegment, type Terms } from './segment-build.ts'
import { loadSegment } from './segment.ts'
import { SIZES } from './sizes.ts'

const POSTS = 3_000
const random = createRandom(31)

/** A segment, the posts of it that hold a word, and ways to them that share what is known. */
function open() {
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
  buildSegment(db, { id: 1, bucket: 1 }, new Map(posts))
  const segment = loadSegment(createStatements(db), 1)
  const known = new Known()
  return {
    ords: held.flatMap((has, i) => (has ? [i] : [])),
    known,
    cursor(work = { postings: Infinity }) {
      const ground = { segment, work, testOf: () => undefined }
      const openRest = () => openCursor(ground, { kind: 'any', terms: ['word'] })
      return new KnownCursor(known, { posts: POSTS, work }, openRest)
    },
  }
}

function all(cursor: KnownCursor): number[] {
  const ords: number[] = []
  for (let at = cursor.seek(0); at < END; at = cursor.seek(at + 1)) ords.push(at)
  return ords
}

test('whoever goes through what is known meets what the list has, wherever others have got to', () => {
  const { ords, known, cursor } = open()
  const cursors = Array.from({ length: 4 }, () => ({ cursor: cursor(), next: 0 }))
  for (let i = 0; i < 400; i++) {
    const each = cursors[Math.floor(random() * cursors.length)]!
    const target = each.next + (random() < 0.9 ? 0 : Math.floor(random() * 40))
    const at = each.cursor.seek(target)
    assert.equal(at, ords.find((ord) => ord >= target) ?? END)
    if (at === END) each.cursor = cursor()
    each.next = at === END ? 0 : at + 1
  }
  assert.ok(known.count > 0)
  assert.deepEqual([...known.ords.subarray(0, known.count)], ords.slice(0, known.count))
  assert.deepEqual(all(cursor()), ords)
  assert.equal(known.upTo, END)
})

test('what is known costs what finding it did', () => {
  const { cursor } = open()
  const spent = [1, 2].map(() => {
    const work = { postings: 1e6 }
    all(cursor(work))
    return 1e6 - work.postings
  })
  assert.ok(spent[0]! > 300)
  assert.ok(Math.abs(spent[1]! - spent[0]!) < 1e-3, spent.join())
})

test('behind a gap, and where the work was used up, nothing is known', () => {
  const { ords, known, cursor } = open()
  cursor().seek(POSTS / 2)
  assert.equal(known.upTo, 0)
  const met = all(cursor({ postings: 150 }))
  assert.ok(met.length < ords.length)
  assert.ok(known.upTo < POSTS)
  assert.deepEqual(all(cursor()), ords)
})

test('no more matches are noted than there is room for', () => {
  const usual = SIZES.known
  SIZES.known = 20
  const { ords, known, cursor } = open()
  try {
    assert.deepEqual(all(cursor()), ords)
    assert.deepEqual(all(cursor()), ords)
    assert.equal(known.count, 20)
  } finally {
    SIZES.known = usual
  }
})
