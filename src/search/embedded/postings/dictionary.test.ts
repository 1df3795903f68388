import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { createRandom } from '../../contract/sample.ts'
import { rowidOf } from '../rowid.ts'
import { createStatements, createTables } from '../schema.ts'
import { SIZES } from './layout.ts'
import { buildSegment, type Terms } from './segment-build.ts'
import { loadSegment } from './segment.ts'
import { filterHash } from './term-filter.ts'

function segmentOf(posts: readonly Terms[], statements = createStatements) {
  const db = new DatabaseSync(':memory:')
  createTables(db, { generation: 1 })
  const byRowid = new Map(posts.map((terms, i) => [rowidOf(1_800_000_000 - i, i), terms]))
  buildSegment(db, { id: 1, bucket: 3000, sizes: SIZES }, byRowid)
  return { db, segment: loadSegment(statements(db), 1, SIZES) }
}

test('terms with a common beginning are distinguished, in any script', () => {
  const random = createRandom(21)
  // Two letters share their first byte, two emoji their first three, and 🄰 precedes ﷼ in UTF-16 only.
  const letters = ['a', 'b', 'س', 'ش', 'я', '😀', '😁', '🄰', '﷼']
  const word = () => {
    const length = 1 + Math.floor(random() * 7)
    return Array.from({ length }, () => letters[Math.floor(random() * letters.length)]!).join('')
  }
  const terms = new Set(Array.from({ length: 6_000 }, word))
  const others = [...terms]
  const { segment, db } = segmentOf([{ toks: [], stems: [], others }])
  assert.ok(Number(db.prepare('select count(*) as n from page').get()!['n']) > 9)
  for (const term of terms) assert.equal(segment.find(term)?.term, term)
  const absent = [...others.map((term) => `${term}a`), ...Array.from({ length: 6_000 }, word)]
  // Asked for with the hash of another term, so that the filter, which would reject most of them, lets them through.
  const known = filterHash(others[0]!)
  for (const term of absent) {
    assert.equal(segment.peek(term, known)?.term, terms.has(term) ? term : undefined)
  }
  assert.deepEqual(
    [...segment.entries()].map((entry) => entry.term),
    others.toSorted(),
  )
  for (const prefix of ['', 'a', 'سش', '😀', '😁b', 'яя', 'zz']) {
    const family = others.filter((term) => term.startsWith(prefix)).sort()
    assert.deepEqual(
      segment.withPrefix(prefix, 50).map((each) => each.term),
      family.slice(0, 50),
    )
  }
})

test('a stem with the same posts as its word takes no rows of its own', () => {
  const rows = (stem: (i: number) => string) => {
    const posts = Array.from({ length: 9_000 }, (_, i) => ({
      toks: ['x', 'often', ...(i % 20 === 0 ? ['some'] : [])],
      stems: ['~x', '~often', ...(i % 20 === 0 ? [stem(i)] : [])],
      others: [],
    }))
    const { segment, db } = segmentOf(posts)
    const layouts = ['often', '~often', 'some', '~some'].map((term) => segment.find(term)?.layout)
    assert.deepEqual(layouts, ['bits', 'bits', 'gaps', 'gaps'])
    return Number(db.prepare('select count(*) as n from list').get()!['n'])
  }
  const alike = rows(() => '~some')
  assert.equal(alike, 3, 'x, often and some')
  assert.equal(
    rows((i) => (i === 0 ? '~other' : '~some')),
    alike + 1,
  )
})

test('dictionary pages that are read alternately are cached', () => {
  let reads = 0
  const others = Array.from({ length: 2_000 }, (_, i) => `word${i}`)
  const { segment } = segmentOf([{ toks: [], stems: [], others }], (db) => {
    const statement = createStatements(db)
    return (sql) => {
      const prepared = statement(sql)
      if (!sql.includes('from page')) return prepared
      const get = prepared.get.bind(prepared)
      return Object.assign(prepared, { get: (id: number) => (reads++, get(id)) })
    }
  })
  for (let i = 0; i < 50; i++) {
    for (const term of ['word1000', 'word500', `word100${i % 10}`]) {
      assert.equal(segment.peek(term, filterHash(term))?.term, term)
    }
  }
  assert.ok(reads <= 4, `${reads} pages read`)
})
