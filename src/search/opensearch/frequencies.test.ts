import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { openProxy, type Fate } from '../../../test/cutting-proxy.ts'
import { whyNoEngines } from '../../../test/engines.ts'
import { ownLocation } from '../../../test/open-on-cluster.ts'
import { createStillClock } from '../../simulator/clocks.ts'
import { ANALYZER_VERSION } from '../../text/analyze.ts'
import { createRandom, sampleDocument } from '../contract/sample.ts'
import { openIndexWriter } from '../open-search-index.ts'
import { openSession } from './engine-session.ts'
import { openClient } from './client.ts'
import { createFrequencies } from './frequencies.ts'
import { createNames } from './names.ts'

const skip = whyNoEngines() ?? false
const NOW = Date.UTC(2026, 2, 14, 9, 26, 53)
const clock = createStillClock(NOW)

test('a caller that gives up does not fail others who wait for the same', { skip }, async () => {
  await using opened = new AsyncDisposableStack()
  const location = opened.use(ownLocation(2))
  await using writer = await openIndexWriter(location, clock)
  const made = sampleDocument(createRandom(5), NOW, [])
  await writer.apply({ puts: [{ ...made, publishedAt: NOW - 1000, toks: ['flood'] }] })
  const asked = Promise.withResolvers<void>()
  const aborted = Promise.withResolvers<void>()
  const between = await openProxy(location.nodes[0]!, async ({ url = '' }): Promise<Fate> => {
    if (url.includes('/_search_shards')) {
      asked.resolve()
      await aborted.promise
    }
    return 'pass'
  })
  opened.use(between)
  const client = opened.use(await openClient({ ...location, nodes: [between.origin] }))
  const names = createNames(location.prefix, ANALYZER_VERSION)
  const frequencies = createFrequencies(client, names, clock)
  const count = (signal?: AbortSignal) => {
    const session = openSession(client, { index: names.alias, preference: 'q', signal })
    return frequencies({ terms: ['flood'], prefixes: [] }, session)
  }
  const gone = new AbortController()
  const first = count(gone.signal)
  const second = count()
  await asked.promise
  gone.abort()
  aborted.resolve()
  await assert.rejects(first)
  assert.equal((await second).df.get('flood'), 1)
})

test('a new word does not evict the others of its query', { skip }, async () => {
  await using opened = new AsyncDisposableStack()
  const location = opened.use(ownLocation())
  const made = sampleDocument(createRandom(5), NOW, [])
  const puts = Array.from({ length: 20 }, (_, i) => {
    const words = i < 3 ? ['flood', 'storm'] : ['flood']
    return { ...made, number: i + 1, publishedAt: NOW - 1000, toks: words, stems: words }
  })
  await using writer = await openIndexWriter(location, clock)
  await writer.apply({ puts })
  const client = opened.use(await openClient(location))
  const names = createNames(location.prefix, ANALYZER_VERSION)
  const frequencies = createFrequencies(client, names, clock)
  const count = async (terms: readonly string[]) => {
    const session = openSession(client, { index: names.alias, preference: 'q', signal: undefined })
    const { posts, df } = await frequencies({ terms, prefixes: [] }, session)
    return { posts, df: terms.map((term) => df.get(term)) }
  }
  assert.deepEqual(await count(['flood']), { posts: 20, df: [20] })
  await count(Array.from({ length: 110_000 }, (_, i) => `w${i}`))
  await count(['flood'])
  assert.deepEqual(await count(['flood', 'storm']), { posts: 20, df: [20, 3] })
})

test('a frequency is asked for again as long as a shard did not answer, and cached after that', async (t) => {
  const names = createNames('telegrep', ANALYZER_VERSION)
  const index = names.week(1, 2_000)
  const shard = { isThere: false }
  let requests = 0
  const server = createServer((request, response) => {
    request.resume()
    response.setHeader('content-type', 'application/json')
    if (request.url!.includes('_settings')) {
      response.end(JSON.stringify({ [index]: { settings: { 'index.number_of_shards': '1' } } }))
      return
    }
    requests++
    const counted = { term_vectors: { w: { terms: { flood: { doc_freq: 7 } } } } }
    const answer = shard.isThere ? counted : { error: { type: 'no_shard_available' } }
    response.end(JSON.stringify({ docs: [{ _index: index, ...answer }] }))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  await using client = await openClient({ nodes: [`http://127.0.0.1:${port}`] })
  const frequencies = createFrequencies(client, names, clock)
  const count = async () => {
    const session = openSession(client, { index: names.alias, preference: 'q', signal: undefined })
    return (await frequencies({ terms: ['flood'], prefixes: [] }, session)).df.get('flood')
  }
  assert.equal(await count(), 0)
  shard.isThere = true
  assert.equal(await count(), 7)
  const before = requests
  assert.equal(await count(), 7)
  assert.equal(requests, before)
})
