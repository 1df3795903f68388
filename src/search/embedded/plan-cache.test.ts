import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { SearchQuery } from '../../model/query.ts'
import { createStillClock } from '../../simulator/clocks.ts'
import { ANALYZER_VERSION } from '../../text/analyze.ts'
import { parseQuery } from '../../text/query/parse-query.ts'
import { createRandom, plainSearch, sampleDocument } from '../contract/sample.ts'
import { SEARCH_LIMITS } from '../limits.ts'
import { planSearch, type LeafCache } from '../plan.ts'
import type { IndexDocument } from '../search-index.ts'
import { openReader } from './reader.ts'
import { openEmbeddedWriter } from './writer.ts'

const NOW = Date.UTC(2026, 4, 31)
const QUERIES = [
  'central bank rates',
  'bank',
  'how do banks set the rates',
  'the banks',
  'bank OR rates -central',
  'Scud-Raketen bank',
  'ban* bank',
  '日 bank',
  '"central bank" rates',
]

function asked(q: string, match: SearchQuery['match']): SearchQuery {
  return plainSearch(NOW, { root: parseQuery(q, { now: NOW }), match, sort: 'relevance' })
}

/** Every word of the query has a frequency. */
function statsWith(leaves?: LeafCache) {
  const looked: string[] = []
  return {
    looked,
    posts: 1000,
    df: (term: string) => (looked.push(term), (term.length * 7) % 50),
    expand: (prefix: string, limit: number) => ({
      toks: [`${prefix}k`, `${prefix}king`].slice(0, limit),
      complete: true,
    }),
    ...(leaves && { leaves }),
  }
}

test('a cached word gives the same plan without another look-up', () => {
  const stats = statsWith(new Map())
  const ask = (match: SearchQuery['match']) =>
    QUERIES.map((q) => planSearch(asked(q, match), NOW, stats))
  for (const match of ['stem', 'exact'] as const) {
    const fresh = QUERIES.map((q) => planSearch(asked(q, match), NOW, statsWith()))
    assert.deepEqual(ask(match), fresh)
    assert.deepEqual(ask(match), fresh)
  }
  stats.looked.length = 0
  planSearch(asked('rates of the central bank', 'stem'), NOW, stats)
  assert.deepEqual(
    stats.looked.filter((term) => /^[~=]?(?:rates?|central|bank)(?:\/|$)/.test(term)),
    [],
  )
})

test('a word or prefix that was planned before any post held it is found once one does', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-planned-'))
  const clock = createStillClock(NOW)
  const writer = openEmbeddedWriter({ folder, clock, analyzerVersion: ANALYZER_VERSION })
  // A limit so low that expansions are cached.
  const reader = openReader(folder, { limits: { ...SEARCH_LIMITS, expansionEach: 8 } })
  try {
    const random = createRandom(5)
    const post = (number: number, words: string[]): IndexDocument => {
      const document = sampleDocument(random, NOW, [])
      return { ...document, channelId: 1, number, toks: words, stems: words, publishedAt: NOW }
    }
    const found = (q = 'zebra harbour') => reader.search(asked(q, 'stem'), NOW).hits.length
    await writer.apply({ puts: [post(1, ['harbour'])] })
    assert.equal(found(), 1)
    assert.equal(found(), 1)
    assert.equal(found('harb*'), 1)
    await writer.apply({ puts: [post(2, ['zebra', 'harbinger'])] })
    assert.equal(found(), 2)
    assert.equal(found('harb*'), 2)
  } finally {
    reader.close()
    await writer[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true })
  }
})
