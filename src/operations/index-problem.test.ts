import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EMPTY_STATE, LACKS_POSTS } from '../search/search-index.ts'
import { indexProblemOf } from './index-problem.ts'

test('an index that was fed posts but does not exist is a named problem', () => {
  assert.equal(indexProblemOf(EMPTY_STATE, 5, 0), 'no index is there')
  assert.equal(indexProblemOf(EMPTY_STATE, 5, 5), null, 'it is only behind')
  assert.equal(
    indexProblemOf({ ...EMPTY_STATE, generation: 1 }, 5, 0),
    null,
    'all may be too old for it',
  )
  assert.equal(indexProblemOf({ ...EMPTY_STATE, problem: LACKS_POSTS }, 0, 0), LACKS_POSTS)
})
