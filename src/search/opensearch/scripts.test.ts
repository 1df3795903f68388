import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { whyNoEngines } from '../../../test/engines.ts'
import { ownLocation } from '../../../test/open-on-cluster.ts'
import type { SearchQuery, SearchResult } from '../../model/query.ts'
import { createStillClock } from '../../simulator/clocks.ts'
import { ANALYZER_VERSION } from '../../text/analyze.ts'
import { parseQuery } from '../../text/query/parse-query.ts'
import { createRandom, plainSearch, sampleDocument } from '../contract/sample.ts'
import { openIndexWriter } from '../open-search-index.ts'
import { openClient, type Client } from './client.ts'
import { createIndex } from './opensearch-index.ts'

const skip = whyNoEngines() ?? false
const NOW = Date.UTC(2026, 2, 14, 9, 26, 53)
const clock = createStillClock(NOW)

/** The response of a node whose operator has set `script.allowed_types: none`. */
const REASON = {
  type: 'illegal_argument_exception',
  reason: 'cannot execute [inline] scripts',
}
const FORBIDDEN = {
  error: {
    root_cause: [REASON],
    type: 'search_phase_execution_exception',
    reason: 'all shards failed',
    caused_by: REASON,
  },
  status: 400,
}

/** `refused` is called for each script. */
function withoutScripts(client: Client, refused: () => void): Client {
  return {
    ...client,
    async request(asked) {
      if (!JSON.stringify(asked.body ?? '').includes('script_fields')) return client.request(asked)
      refused()
      return { status: 400, body: FORBIDDEN }
    },
  }
}

const QUERIES: Readonly<Record<string, string>> = {
  'words that all stand in posts': 'flood',
  'some of the words': 'votes closed storm water',
  'a phrase': '"storm water"',
  'a word by its beginning': 'vot* flood',
}

describe('an engine on which scripts are forbidden', { skip }, () => {
  const opened = new AsyncDisposableStack()
  let refusals = 0
  let ask: (query: SearchQuery) => Promise<readonly SearchResult[]>

  before(async () => {
    const location = opened.use(ownLocation())
    const random = createRandom(5)
    const texts: string[] = []
    const puts = Array.from({ length: 200 }, () => sampleDocument(random, NOW, texts))
    await using writer = await openIndexWriter(location, clock)
    await writer.apply({ puts })
    const client = opened.use(await openClient(location))
    const options = { prefix: location.prefix, clock, analyzerVersion: ANALYZER_VERSION }
    const scripted = createIndex({ ...options, client })
    const plain = createIndex({ ...options, client: withoutScripts(client, () => refusals++) })
    ask = (query) => Promise.all([scripted.search(query), plain.search(query)])
  })
  after(() => opened.disposeAsync())

  for (const [name, text] of Object.entries(QUERIES)) {
    test(`finds the same as one with scripts: ${name}`, async () => {
      const root = parseQuery(text, { now: NOW })
      const query = plainSearch(NOW, { root, sort: 'relevance', collapse: true })
      const [scripted, plain] = await ask(query)
      assert.ok(scripted!.hits.length > 0)
      assert.deepEqual(plain, scripted)
    })
  }

  test('is asked to run a script only once', () => assert.equal(refusals, 1))
})
