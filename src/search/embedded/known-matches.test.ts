import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Expr } from '../expr.ts'
import { createKnownMatches } from './known-matches.ts'
import type { Segment } from './postings/segment.ts'
import { SIZES } from './postings/sizes.ts'

const segmentOf = (id: number, posts = 10_000) =>
  ({ id, rowids: new Float64Array(posts), sizes: SIZES }) as unknown as Segment
const word = (term: string): Expr => ({ kind: 'any', terms: [term] })

test('what was found for an expression in a segment is there when it is asked again', () => {
  const knownMatches = createKnownMatches()
  knownMatches.of(word('tea'))(segmentOf(1))!.add(7, 1)
  assert.equal(knownMatches.of(word('tea'))(segmentOf(1))!.count, 1)
  assert.equal(knownMatches.of(word('tea'))(segmentOf(2))!.count, 0)
  assert.equal(knownMatches.of(word('milk'))(segmentOf(1))!.count, 0)
})

test('nothing is remembered of all posts, of small segments and of endless expressions', () => {
  const knownMatches = createKnownMatches()
  assert.equal(knownMatches.of(null)(segmentOf(1)), null)
  assert.equal(knownMatches.of(word('tea'))(segmentOf(1, 100)), null)
  assert.equal(knownMatches.of(word('x'.repeat(5_000)))(segmentOf(1)), null)
})

test('a segment that serves no more is forgotten', () => {
  const knownMatches = createKnownMatches()
  knownMatches.of(word('tea'))(segmentOf(1))!.add(7, 1)
  knownMatches.forget(segmentOf(1))
  assert.equal(knownMatches.of(word('tea'))(segmentOf(1))!.count, 0)
})

test('of more than it holds, it forgets what nobody asked for lately', () => {
  const knownMatches = createKnownMatches()
  const ask = (term: string, matches: number) => {
    const known = knownMatches.of(word(term))(segmentOf(1))!
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
