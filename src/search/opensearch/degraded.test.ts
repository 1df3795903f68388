import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { openProxy, type Fate } from '../../../test/cutting-proxy.ts'
import { whyNoEngines } from '../../../test/engines.ts'
import { ownLocation } from '../../../test/open-on-cluster.ts'
import { createStillClock } from '../../simulator/clocks.ts'
import { createRandom, plainSearch, sampleDocument } from '../contract/sample.ts'
import { openIndexWriter, openSearchIndex } from '../open-search-index.ts'
import type { SearchIndex } from '../search-index.ts'
import { ANALYZER_VERSION } from '../../text/analyze.ts'
import { openClient } from './client.ts'
import { weekIndex } from './mapping.ts'
import { createNames } from './names.ts'

const skip = whyNoEngines() ?? false
const NOW = Date.UTC(2026, 2, 14, 9, 26, 53)
const clock = createStillClock(NOW)
const query = plainSearch(NOW, { limit: 5 })

describe('a search in a cluster', { skip }, () => {
  const opened = new AsyncDisposableStack()
  let fate: Fate = 'pass'
  let index: SearchIndex
  /** The same with the default deadline. */
  let prompt: SearchIndex
  /** Requests for the state pass. */
  const isSearch = (url: string | undefined) => /_m?search/.test(url ?? '')

  before(async () => {
    const location = opened.use(ownLocation())
    const random = createRandom(5)
    const puts = Array.from({ length: 30 }, () => sampleDocument(random, NOW, []))
    {
      await using writer = await openIndexWriter(location, clock)
      await writer.apply({ puts })
    }
    const decide = ({ url }: IncomingMessage) => (isSearch(url) ? fate : 'pass')
    const between = opened.use(await openProxy(location.nodes[0]!, decide))
    const { deadlineMs: _, ...behind } = { ...location, nodes: [between.origin] }
    index = opened.use(await openSearchIndex({ ...location, ...behind }, clock))
    prompt = opened.use(await openSearchIndex(behind, clock))
  })
  after(() => opened.disposeAsync())

  test('gets a complete answer while the cluster is healthy', async () => {
    const { complete, hits } = await index.search(query)
    assert.deepEqual([complete, hits.length], [true, 5])
  })

  test('says when shards failed or timed out', async () => {
    const told = (change: object) => ({
      answer: (body: string) => JSON.stringify({ ...(JSON.parse(body) as object), ...change }),
    })
    fate = told({ _shards: { total: 5, successful: 4 } })
    const { complete, reason } = await index.search(query)
    assert.deepEqual([complete, reason], [false, 'shards'])
    fate = told({ timed_out: true })
    assert.equal((await index.search(query)).reason, 'timeout')
  })

  test('says when a shard has no copy', async () => {
    await using opened = new AsyncDisposableStack()
    const location = opened.use(ownLocation())
    {
      await using writer = await openIndexWriter(location, clock)
      await writer.apply({ puts: [sampleDocument(createRandom(5), NOW, [])] })
    }
    const client = opened.use(await openClient(location))
    const names = createNames(location.prefix, ANALYZER_VERSION)
    const made = weekIndex({}) as { readonly settings: object }
    const nowhere = { 'routing.allocation.require._name': 'nobody' }
    const lost = await client.request({
      method: 'PUT',
      path: `/${names.week(1, 1)}?wait_for_active_shards=0`,
      body: {
        ...made,
        settings: { ...made.settings, ...nowhere },
        aliases: { [names.alias]: {} },
      },
    })
    assert.equal(lost.status, 200)
    const seen = opened.use(await openSearchIndex(location, clock))
    const { complete, reason, hits } = await seen.search(query)
    assert.deepEqual([complete, reason, hits.length], [false, 'shards', 1])
  })

  test('is repeated once if a shard failed for a moment', async () => {
    let times = 0
    const lame = (body: string) =>
      JSON.stringify({ ...(JSON.parse(body) as object), _shards: { total: 5, successful: 4 } })
    fate = { answer: (body) => (times++ === 0 ? lame(body) : body) }
    assert.ok((await index.search(query)).complete)
    assert.equal(times, 2)
  })

  test('is rejected as unavailable while the cluster is away, and answered once it is back', async () => {
    for (const away of ['hang', 'cut'] as const) {
      fate = away
      const begun = performance.now()
      await assert.rejects(prompt.search(query), { code: 'unavailable', retryAfterS: 5 })
      assert.ok(performance.now() - begun < 20_000)
    }
    fate = 'pass'
    assert.ok((await index.search(query)).complete)
  })

  test('needs no count to report the state of the index', async () => {
    const { total } = await index.search(query)
    fate = 'hang'
    const { posts, channels, newestPostAt, bytes } = await prompt.state()
    assert.deepEqual([posts, channels > 0, bytes > 0], [total.value, true, true])
    assert.ok(newestPostAt! <= NOW)
    fate = 'pass'
  })

  test('ends when its caller aborts', async () => {
    fate = 'hang'
    const left = new AbortController()
    const asked = index.search(query, left.signal)
    setTimeout(() => left.abort(new Error('no more')), 50)
    await assert.rejects(asked, /no more/)
    fate = 'pass'
  })
})
