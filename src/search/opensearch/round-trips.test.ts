import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { whyNoEngines } from '../../../test/engines.ts'
import { ownLocation } from '../../../test/open-on-cluster.ts'
import { FACETS, type SearchQuery, type SearchResult } from '../../model/query.ts'
import { createStillClock } from '../../simulator/clocks.ts'
import { ANALYZER_VERSION } from '../../text/analyze.ts'
import { parseQuery } from '../../text/query/parse-query.ts'
import { createRandom, plainSearch, sampleDocument } from '../contract/sample.ts'
import { SEARCH_LIMITS } from '../limits.ts'
import { openIndexWriter } from '../open-search-index.ts'
import { openClient, type Client } from './client.ts'
import { createIndex } from './opensearch-index.ts'

const skip = whyNoEngines() ?? false
const NOW = Date.UTC(2026, 2, 14, 9, 26, 53)
const clock = createStillClock(NOW)

/** Counts how often requests were waited for in sequence: those sent together count once. */
function counting(client: Client) {
  let waits = 0
  let underWay = 0
  return {
    client: {
      ...client,
      async request(request: Parameters<Client['request']>[0]) {
        if (underWay++ === 0) waits++
        try {
          return await client.request(request)
        } finally {
          underWay--
        }
      },
    },
    take() {
      const taken = waits
      waits = 0
      return taken
    },
  }
}

const q = (text: string) => parseQuery(text, { now: NOW })

const CASES: Readonly<Record<string, { asked: Partial<SearchQuery>; trips: number }>> = {
  'newest first': { asked: { root: q('flood') }, trips: 1 },
  'newest first, by the beginning of a word': { asked: { root: q('vot*') }, trips: 1 },
  'most viewed first': { asked: { root: q('metro'), sort: 'views' }, trips: 1 },
  'with facets': { asked: { root: q('metro'), facets: FACETS }, trips: 1 },
  'without copies': { asked: { root: q('metro'), collapse: true, limit: 5 }, trips: 2 },
  'newest first, where a word is a slip': { asked: { root: q('votes OR runtme') }, trips: 4 },
  'newest first, where other words are there in other forms': {
    asked: { root: q('tunnels OR storms OR budgets OR runtme') },
    trips: 4,
  },
  'by relevance': { asked: { root: q('votes'), sort: 'relevance' }, trips: 2 },
  'by relevance, where few hold all words': {
    asked: { root: q('votes water'), sort: 'relevance' },
    trips: 3,
  },
  'by relevance, where a word is said by its beginning': {
    asked: { root: q('vot* flood'), sort: 'relevance' },
    trips: 3,
  },
  'by relevance, where few hold all words and copies are left out': {
    asked: { root: q('votes closed storm water'), sort: 'relevance', collapse: true },
    trips: 4,
  },
  'by relevance, where none does and a word is a slip': {
    asked: { root: q('runtme flood'), sort: 'relevance', collapse: true },
    trips: 4,
  },
}

describe('the number of sequential round trips of a search in a cluster', { skip }, () => {
  const opened = new AsyncDisposableStack()
  let search: (query: SearchQuery) => Promise<SearchResult>
  let take: () => number

  before(async () => {
    const location = opened.use(ownLocation())
    const random = createRandom(5)
    const texts: string[] = []
    const puts = Array.from({ length: 200 }, () => sampleDocument(random, NOW, texts))
    await using writer = await openIndexWriter(location, clock)
    await writer.apply({ puts })
    const counted = counting(opened.use(await openClient(location)))
    const { client } = counted
    const options = { client, prefix: location.prefix, clock, analyzerVersion: ANALYZER_VERSION }
    search = createIndex(options).search
    take = counted.take
    // Once in a process, a search that ranks also waits for the list of weeks.
    await search(plainSearch(NOW, { root: q('storm water'), sort: 'relevance' }))
  })
  after(() => opened.disposeAsync())

  for (const [name, { asked, trips }] of Object.entries(CASES)) {
    test(`${name}: at most ${trips}`, async () => {
      take()
      const { hits } = await search(plainSearch(NOW, asked))
      assert.ok(hits.length > 0)
      const waited = take()
      assert.ok(waited > 0 && waited <= trips, `${waited} times`)
    })
  }
})

describe('copies in a search by relevance with collapsing', { skip }, () => {
  /** Two hundred posts of the same word, newest first, each in the group of this number. */
  async function searchGrouped(groupOf: (i: number) => number | null) {
    await using opened = new AsyncDisposableStack()
    const location = opened.use(ownLocation())
    const made = sampleDocument(createRandom(5), NOW, [])
    const said = { language: 'en', toks: ['flood'], stems: ['flood'], accented: [] }
    const puts = Array.from({ length: 200 }, (_, i) => ({
      ...made,
      ...said,
      number: i + 1,
      publishedAt: NOW - 60_000 * (i + 1),
      group: groupOf(i),
      isCopy: true,
    }))
    await using writer = await openIndexWriter(location, clock)
    await writer.apply({ puts })
    const { client, take } = counting(opened.use(await openClient(location)))
    const limits = { ...SEARCH_LIMITS, tiers: [16, 16] }
    const { prefix } = location
    const about = { client, prefix, clock, analyzerVersion: ANALYZER_VERSION, limits }
    const asked = { root: q('flood'), sort: 'relevance', collapse: true } as const
    const { search } = createIndex(about)
    const { hits, reason } = await search(plainSearch(NOW, asked))
    const numbers = hits.map(({ number }) => number).toSorted((a, b) => a - b)
    return { numbers, reason, waited: take() }
  }

  test('of one story are skipped in a single pass', async () => {
    // Of the fifty newest posts, every tenth is in no group.
    const found = await searchGrouped((i) => (i < 50 && i % 10 === 0 ? null : 1))
    assert.equal(found.reason, null)
    assert.deepEqual(found.numbers, [1, 11, 21, 31, 41, 200])
    // Two looks. Posts that hold some of the words are requested at the same time, three times, and may come later.
    assert.ok(found.waited <= 1 + 2 * 2 + 3, `${found.waited} times`)
  })

  test('of many stories end the search after eight passes, with what was found', async () => {
    const found = await searchGrouped((i) => 1 + Math.floor(i / 16))
    assert.equal(found.reason, 'groups')
    assert.deepEqual(
      found.numbers,
      Array.from({ length: 8 }, (_, look) => 16 * (look + 1)),
    )
    assert.ok(found.waited <= 1 + 2 * 8 + 3, `${found.waited} times`)
  })
})
