import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Expr } from '../plan.ts'
import { EVERY_POST } from '../terms.ts'
import { boundsOf } from './fts-query.ts'

const TERMS = ['a', 'b', 'c']
const { expr } = fc.letrec<{ expr: Expr }>((tie) => ({
  expr: fc.oneof(
    { maxDepth: 3 },
    fc.record({ kind: fc.constant('any'), terms: fc.subarray(TERMS) }),
    fc.record({
      kind: fc.constantFrom('and', 'or'),
      parts: fc.array(tie('expr'), { minLength: 1, maxLength: 3 }),
    }),
    fc.record({ kind: fc.constant('not'), part: tie('expr') }),
  ) as fc.Arbitrary<Expr>,
}))

function matches(part: Expr, post: readonly string[]): boolean {
  if (part.kind === 'any') return part.terms.some((term) => post.includes(term))
  if (part.kind === 'not') return !matches(part.part, post)
  if (part.kind === 'and') return part.parts.every((each) => matches(each, post))
  return part.kind === 'or' && part.parts.some((each) => matches(each, post))
}

test('frequencies bound the number of matches, also where posts were put again or are gone', () => {
  const posts = fc.array(fc.subarray(TERMS), { maxLength: 12 })
  fc.assert(
    fc.property(posts, posts, expr, (live, stale, asked) => {
      const put = [...live, ...stale]
      const df = (term: string) =>
        term === EVERY_POST ? put.length : put.filter((post) => post.includes(term)).length
      const { least, most } = boundsOf(asked, live.length, df)
      const found = live.filter((post) => matches(asked, post)).length
      assert.ok(least <= found && found <= most, `${least} <= ${found} <= ${most}`)
    }),
  )
})
