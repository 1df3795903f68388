import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { SearchQuery, SearchResult } from '../model/query.ts'
import { createStillClock } from '../simulator/clocks.ts'
import { createRandom, sampleQuery } from './contract/sample.ts'
import type { SearchIndex } from './search-index.ts'
import { shareAnswers } from './share-answers.ts'

const RESULT: SearchResult = {
  hits: [],
  total: { value: 0, relation: 'eq' },
  facets: {},
  next: null,
  relaxed: false,
  complete: true,
  reason: null,
  corrections: [],
}

/** An index that answers when told to, and remembers what it was asked. */
function open() {
  const asked: {
    readonly query: SearchQuery
    readonly signal: AbortSignal | undefined
    readonly answer: PromiseWithResolvers<SearchResult>
  }[] = []
  const index: SearchIndex = {
    capacity: 1,
    search(query, signal) {
      const answer = Promise.withResolvers<SearchResult>()
      asked.push({ query, signal, answer })
      return answer.promise
    },
    duplicates: () => Promise.resolve(undefined),
    state: () => Promise.reject(new Error('not asked for')),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
  const clock = createStillClock(1_000_000)
  return { index: shareAnswers(index, clock), asked, pass: clock.pass }
}

const query = sampleQuery(createRandom(1), 1_000_000_000)

describe('shared answers', () => {
  test('queries with relative times share one search within a second', async () => {
    const { index, asked } = open()
    const at = (ms: number): SearchQuery => ({
      ...query,
      root: { kind: 'after', at: 500_000 + ms, text: '8m', start: 0, end: 0 },
      since: 400_000 + ms,
      until: 900_000 + ms,
      arrivedSince: 600_000 + ms,
    })
    const three = [index.search(at(1)), index.search(at(999)), index.search(at(2_500))]
    assert.equal(asked.length, 2)
    for (const { answer } of asked) answer.resolve(RESULT)
    await Promise.all(three)
  })

  test('concurrent equal queries share one search', async () => {
    const { index, asked } = open()
    const both = [index.search(query), index.search({ ...query })]
    asked[0]!.answer.resolve(RESULT)
    assert.deepEqual(await Promise.all(both), [RESULT, RESULT])
    assert.equal(asked.length, 1)
  })

  test('an answer is reused for 200 ms', async () => {
    const { index, asked, pass } = open()
    const first = index.search(query)
    asked[0]!.answer.resolve(RESULT)
    await first
    pass(199)
    await index.search(query)
    assert.equal(asked.length, 1)
    pass(1)
    void index.search(query)
    assert.equal(asked.length, 2)
  })

  test('a query joins an equal one that is still running', () => {
    const { index, asked, pass } = open()
    void index.search(query)
    pass(900)
    void index.search(query)
    assert.equal(asked.length, 1)
  })

  test('another query, page or second is searched separately', () => {
    const { index, asked } = open()
    void index.search(query)
    void index.search({ ...query, limit: query.limit + 1 })
    void index.search({ ...query, after: ['x'] as unknown as SearchQuery['after'] })
    void index.search({ ...query, until: query.until + 1_000 })
    assert.equal(asked.length, 4)
  })

  test('an aborted caller does not affect the others, and the search stops when all have aborted', async () => {
    const { index, asked } = open()
    const [one, other] = [new AbortController(), new AbortController()]
    const first = index.search(query, one.signal)
    const second = index.search(query, other.signal)
    one.abort(new Error('gone'))
    await assert.rejects(first, /gone/)
    assert.equal(asked[0]!.signal?.aborted, false)
    other.abort(new Error('gone too'))
    await assert.rejects(second, /gone too/)
    assert.equal(asked[0]!.signal?.aborted, true)
    void index.search(query)
    assert.equal(asked.length, 2)
  })

  test('a failure is passed on to those who wait and is not cached', async () => {
    const { index, asked } = open()
    const first = index.search(query)
    asked[0]!.answer.reject(new Error('broken'))
    await assert.rejects(first, /broken/)
    void index.search(query)
    assert.equal(asked.length, 2)
  })
})
