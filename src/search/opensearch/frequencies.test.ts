import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { openProxy, type Fate } from '../../../test/cutting-proxy.ts'
import { whyNoEngines } from '../../../test/engines.ts'
import { ownLocation } from '../../../test/open-on-cluster.ts'
import type { Clock } from '../../model/clock.ts'
import { HOUR_MS, MINUTE_MS } from '../../model/time.ts'
import { createStillClock } from '../../simulator/clocks.ts'
import { ANALYZER_VERSION } from '../../text/analyze.ts'
import { bucketOf } from '../bucket.ts'
import { createRandom, sampleDocument } from '../contract/sample.ts'
import { openIndexWriter } from '../open-search-index.ts'
import { secondsOf } from '../prior.ts'
import { EVERY_POST } from '../terms.ts'
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

test('frequencies are cached for a while, and for seconds only where a shard did not answer', async (t) => {
  let now = NOW
  const passing: Clock = { now: () => now, elapsed: () => now, sleep: () => Promise.resolve() }
  const names = createNames('telegrep', ANALYZER_VERSION)
  const week = bucketOf(secondsOf(NOW))
  const held = {
    [names.week(1, week)]: 5,
    [names.week(1, week - 1)]: 20,
    [names.week(1, week - 2)]: 300,
  }
  const settings = { settings: { 'index.number_of_shards': '1' } }
  let lost: string | undefined
  let asked: string[] = []
  const answer = (url: string, body: string) => {
    if (url.includes('_settings'))
      return Object.fromEntries(Object.keys(held).map((index) => [index, settings]))
    const { docs } = JSON.parse(body) as { docs: { _index: string }[] }
    return {
      docs: docs.map(({ _index }) => {
        asked.push(_index)
        if (_index === lost) return { _index, error: { type: 'no_shard_available' } }
        const terms = { [EVERY_POST]: { doc_freq: 900 }, flood: { doc_freq: held[_index] } }
        return { _index, term_vectors: { w: { terms } } }
      }),
    }
  }
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    void text(request).then((body) => response.end(JSON.stringify(answer(request.url!, body))))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  await using client = await openClient({ nodes: [`http://127.0.0.1:${port}`] })
  const frequencies = createFrequencies(client, names, passing)
  const count = async () => {
    asked = []
    const session = openSession(client, { index: names.alias, preference: 'q', signal: undefined })
    const { df } = await frequencies({ terms: ['flood'], prefixes: [] }, session)
    return [
      df.get('flood'),
      asked.map((index) => week - names.parse(index)!.week!).toSorted((a, b) => a - b),
    ]
  }

  lost = names.week(1, week - 2)
  assert.deepEqual(await count(), [25, [0, 1, 2]])
  lost = undefined
  assert.deepEqual(await count(), [25, []])
  now += 10_000
  assert.deepEqual(await count(), [325, [1, 2]], 'asked again, of the past weeks')
  now += MINUTE_MS - 10_000
  assert.deepEqual(await count(), [325, [0]], 'the running week, each minute')
  now += HOUR_MS
  assert.deepEqual(await count(), [325, [0, 1, 2]])
})
