import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { processorMs, yardstickMs } from '../../../test/processor-time.ts'
import { createStillClock } from '../../simulator/clocks.ts'
import { AppError } from '../../model/errors.ts'
import { FACETS, SORTS, type SearchQuery, type Sort } from '../../model/query.ts'
import { parseQuery } from '../../text/query/parse-query.ts'
import { hostileQueries } from '../contract/hostile-queries.ts'
import { SEARCH_LIMITS, type SearchLimits } from '../limits.ts'
import { createRandom, plainSearch, sampleDocument } from '../contract/sample.ts'
import { openReader, type Reader } from './reader.ts'
import { openEmbeddedWriter } from './writer.ts'

const NOW = Date.UTC(2026, 5, 1)
const folder = mkdtempSync(join(tmpdir(), 'telegrep-hostile-'))
let reader: Reader

/** A few thousand posts: `the` is in every one, and a thousand words start with `pre`. */
before(async () => {
  const clock = createStillClock(NOW)
  await using writer = openEmbeddedWriter({ folder, clock, analyzerVersion: 1 })
  const random = createRandom(5)
  const documents = Array.from({ length: 4000 }, (_, i) => {
    const toks = ['the', 'of', 'a', `pre${Math.floor(random() * 1000)}`, `w${i % 50}`]
    const made = sampleDocument(random, NOW, [])
    const publishedAt = NOW - 600_000 * i
    return { ...made, channelId: 1 + (i % 9), number: i + 1, publishedAt, toks, stems: toks }
  })
  await writer.apply({ puts: documents })
  reader = openReader(folder)
})
after(() => {
  reader.close()
  rmSync(folder, { recursive: true })
})

function ask(q: string, sort: Sort, more: Partial<SearchQuery> = {}, limits?: SearchLimits) {
  const root = parseQuery(q, { now: NOW })
  const asked = limits ? openReader(folder, { limits }) : reader
  try {
    return asked.search(plainSearch(NOW, { root, sort, ...more }), NOW)
  } finally {
    if (limits) asked.close()
  }
}

function closing(opened: Reader): Reader & Disposable {
  return { ...opened, [Symbol.dispose]: () => opened.close() }
}

const yardstick = yardstickMs()

const HOSTILE = hostileQueries(['the', 'of', 'a'], 'pre')

describe('a hostile query', () => {
  for (const [name, q] of Object.entries(HOSTILE)) {
    for (const sort of ['relevance', 'newest', 'oldest', 'views'] as const) {
      test(`${name}, by ${sort}: is answered or rejected quickly`, () => {
        for (const more of [{}, { facets: FACETS }, { collapse: true }]) {
          const ms = processorMs(() => {
            try {
              const result = ask(q, sort, more)
              assert.ok(result.hits.length <= 20)
              assert.equal(result.complete, result.reason === null)
            } catch (error) {
              assert.ok(error instanceof AppError, String(error))
              assert.equal(error.status, 400)
            }
          })
          // The goal is 50 ms; under test the engine is not compiled yet when the searches start.
          assert.ok(ms < 200 * yardstick, `${ms} ms, with a yardstick of ${yardstick} ms`)
        }
      })
    }
  }

  test('with a prefix of too many words says that its answer is incomplete', () => {
    const result = ask('pre*', 'newest')
    assert.deepEqual([result.complete, result.reason], [false, 'prefix'])
    assert.equal(result.hits.length, 20)
  })

  test('stops at the postings limit, says so, and shows what it found', () => {
    const result = ask('the', 'views', {}, { ...SEARCH_LIMITS, postings: 3_000 })
    assert.deepEqual(
      [result.complete, result.reason, result.total.relation],
      [false, 'postings', 'gte'],
    )
    assert.equal(result.hits.length, 20)
  })

  test('gets the same answer from warm caches as from cold ones, wherever its budget ends', () => {
    const random = createRandom(9)
    const queries = Array.from({ length: 40 }, () => {
      const words = [
        'the',
        'of',
        `w${Math.floor(random() * 50)}`,
        `pre${Math.floor(random() * 1000)}`,
      ]
      const root = parseQuery(words.filter(() => random() < 0.6).join(' OR ') || 'the', {
        now: NOW,
      })
      const sort = SORTS[Math.floor(random() * SORTS.length)]!
      const facets = random() < 0.3 ? FACETS : []
      return plainSearch(NOW, { root, sort, facets, collapse: random() < 0.3 })
    })
    for (const postings of [900, 2_500, 6_000]) {
      const limits = { ...SEARCH_LIMITS, postings }
      const asked = queries.map((query) => {
        using fresh = closing(openReader(folder, { limits }))
        return { query, answer: fresh.search(query, NOW) }
      })
      using warm = closing(openReader(folder, { limits }))
      for (const { query, answer } of [...asked, ...asked]) {
        const told = `${postings} ${JSON.stringify(query.root)} ${query.sort}`
        assert.deepEqual(warm.search(query, NOW), answer, told)
      }
    }
  })

  test('has an exact total up to the limit, and gte beyond it', () => {
    const { total } = ask('the', 'newest', {}, { ...SEARCH_LIMITS, total: 1_000 })
    assert.deepEqual(total, { value: 1_000, relation: 'gte' })
    assert.deepEqual(ask('the', 'newest').total, { value: 4_000, relation: 'eq' })
  })
})

describe('paging', () => {
  for (const sort of ['newest', 'oldest', 'views', 'relevance'] as const) {
    test(`by ${sort} shows no post twice while others write`, async () => {
      const clock = createStillClock(NOW)
      await using writer = openEmbeddedWriter({ folder, clock, analyzerVersion: 1 })
      const random = createRandom(sort.length)
      const seen = new Set<string>()
      let after: SearchQuery['after'] = null
      for (let page = 0; page < 40; page++) {
        const { hits, next } = ask('the', sort, { after, limit: 25 })
        for (const { channelId, number } of hits) {
          assert.ok(!seen.has(`${channelId}/${number}`), `${channelId}/${number} came again`)
          seen.add(`${channelId}/${number}`)
        }
        if (next === null) break
        after = next
        const i = 5_000 + page + sort.length * 1_000
        const toks = ['the', 'fresh', `w${page % 50}`]
        const edited = hits[page % hits.length]!
        const made = { ...sampleDocument(random, NOW, []), toks, stems: toks, revision: 9 }
        await writer.apply({
          puts: [
            { ...made, channelId: 3, number: i, publishedAt: NOW - 1_000 * page },
            { ...made, ...edited, publishedAt: NOW - 600_000 * (edited.number - 1) },
          ],
        })
        await writer.apply({
          counters: [{ ...edited, views: Math.floor(random() * 9_999), reactions: 1 }],
        })
      }
      assert.ok(seen.size >= 990, `${seen.size} posts were reached`)
    })
  }
})
