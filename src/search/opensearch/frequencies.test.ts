import assert from 'node:assert/strict'
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
  await count(Array.from({ length: 60_000 }, (_, i) => `w${i}`))
  await count(['flood'])
  assert.deepEqual(await count(['flood', 'storm']), { posts: 20, df: [20, 3] })
})
