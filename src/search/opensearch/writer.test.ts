import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { documentOf, NOW, setUp, WEEK } from '../../../test/cluster/writer-stage.ts'
import { whyNoEngines } from '../../../test/engines.ts'
import { ANALYZER_VERSION } from '../../text/analyze.ts'
import { openProxy, type Fate } from '../../../test/cutting-proxy.ts'
import { plainSearch } from '../contract/sample.ts'
import { openIndexWriter, openSearchIndex } from '../open-search-index.ts'
import { FencedOffError } from '../search-index.ts'
import { createBulk } from './bulk.ts'
import { expectOk, type Client } from './client.ts'
import { indicesOf } from './generation.ts'
import { sourceOf } from './mapping.ts'
import { createNames } from './names.ts'
import { deleteClusterIndex } from './open.ts'
import { writeAlias } from './write-alias.ts'
import { openWriter } from './writer.ts'

const skip = whyNoEngines() ?? false

describe('a writer on a cluster', { skip }, () => {
  test('deletes the indices of an earlier analyzer version once they have not been fed for an hour', async () => {
    await using world = await setUp()
    const { location, client, clock, pass } = world
    const { prefix } = location
    const about = { client, prefix, clock }
    const older = await openWriter({ ...about, analyzerVersion: ANALYZER_VERSION - 1 })
    await older.apply({ puts: [documentOf(1)] })
    const isThere = async () => {
      const found = await client.request({ method: 'GET', path: `/${prefix}-*/_alias` })
      const of = `${prefix}-a${ANALYZER_VERSION - 1}-`
      return Object.keys(found.body as object).some((index) => index.startsWith(of))
    }
    await using newer = await openIndexWriter(location, clock)
    await newer.apply({ puts: [documentOf(1)] })
    const next = await newer.startGeneration(0)
    await next.apply({ puts: [documentOf(1)] })
    await next.swap()
    await next[Symbol.asyncDispose]()
    await newer.expire(NOW - 30 * 86_400_000)
    assert.ok(await isThere(), 'its writer may still live')
    await older[Symbol.asyncDispose]()
    pass(2 * 3_600_000)
    await newer.expire(NOW - 30 * 86_400_000)
    assert.equal(await isThere(), false)
  })

  test('skips a malformed post, but fails without skipping any if the index is set up wrongly', async () => {
    await using world = await setUp()
    const { location, client, names, clock, search } = world
    const refused: string[] = []
    const onRefused = (id: string, why: string) => refused.push(`${id} ${why}`)
    await using writer = await openIndexWriter(location, clock, { onRefused })
    await writer.apply({ puts: [documentOf(1), documentOf(2), documentOf(3)] })
    const malformed = documentOf(2, { revision: 2, hashtags: ['x'.repeat(40_000)] })
    await writer.apply({ puts: [malformed, documentOf(4)] })
    assert.match(refused.splice(0).join(), /^1:2 illegal_argument_exception: .*"tag" is too large/)
    assert.deepEqual(await search(), [1, 3, 4])
    const set = async (pipeline: string | null) => {
      const body = { 'index.default_pipeline': pipeline }
      const path = `/${names.week(1, WEEK)}/_settings`
      expectOk(await client.request({ method: 'PUT', path, body }))
    }
    await set('of-nobody')
    await assert.rejects(writer.apply({ puts: [documentOf(5)] }), /pipeline with id \[of-nobody\]/)
    await set(null)
    await writer.apply({ puts: [documentOf(5)] })
    assert.deepEqual([await search(), refused], [[1, 3, 4, 5], []])
  })

  test('that was taken over can no longer write', async () => {
    await using world = await setUp()
    const { location, clock } = world
    const first = await openIndexWriter(location, clock)
    await using second = await openIndexWriter(location, clock)
    await assert.rejects(first.apply({ puts: [documentOf(1)] }), FencedOffError)
    await first[Symbol.asyncDispose]()
    await second.apply({ puts: [documentOf(1)] })
  })

  test('that was taken over changes nothing that its successor has written or removed', async () => {
    await using world = await setUp()
    const { location, clock, client, names, search, index } = world
    const late = await openIndexWriter(location, clock)
    await late.apply({ puts: [documentOf(1), documentOf(2)] })
    await using writer = await openIndexWriter(location, clock)
    await writer.apply({ puts: [documentOf(1, { views: 7_000 })], removals: [documentOf(2)] })
    // Writes of the old writer still in flight, as a node may accept them that has not heard of the new alias yet.
    const version = 2 ** 32 + 2
    const stale = [1, 2].map((number) => ({
      index: writeAlias(names.week(1, WEEK), 2),
      id: `1:${number}`,
      version,
      source: sourceOf(documentOf(number, { views: 1 }), version),
    }))
    await createBulk({ client, clock }).write(stale)
    await client.request({ method: 'POST', path: `/${names.alias}/_refresh` })
    assert.deepEqual(await search(), [1])
    const most = plainSearch(clock.now(), { facets: ['day'] })
    const filters = { ...most.filters, minViews: 7_000 }
    assert.equal((await index.search({ ...most, filters })).total.value, 1)
    await late[Symbol.asyncDispose]()
  })

  test('that was taken over while sending brings back no post that was removed since', async () => {
    await using world = await setUp()
    const { location, clock, client, names, search } = world
    const sending = Promise.withResolvers<void>()
    const holding = Promise.withResolvers<void>()
    let isHeld = false
    await using between = await openProxy(
      location.nodes[0]!,
      async ({ url = '' }): Promise<Fate> => {
        if (isHeld && url.startsWith('/_bulk')) {
          sending.resolve()
          await holding.promise
        }
        return 'pass'
      },
    )
    const late = await openIndexWriter({ ...location, nodes: [between.origin] }, clock)
    await late.apply({ puts: [documentOf(1), documentOf(2, { channelId: 2 })] })
    isHeld = true
    // This post did not exist before, so there is no later version of it that could refuse the write.
    const applying = late.apply({ puts: [documentOf(3, { channelId: 2 })] })
    await sending.promise
    await using writer = await openIndexWriter(location, clock)
    await writer.apply({ removedChannels: [2] })
    holding.resolve()
    await assert.rejects(applying, /refuses a document/)
    await client.request({ method: 'POST', path: `/${names.alias}/_refresh` })
    assert.deepEqual(await search(), [1])
    await writer.apply({ puts: [documentOf(4)] })
    assert.deepEqual(await search(), [1, 4])
    await late[Symbol.asyncDispose]()
  })

  test('removes what a killed writer had written but not yet refreshed', async () => {
    await using world = await setUp()
    const { location, clock, client, names, search } = world
    let isDying = false
    let isDead = false
    await using between = await openProxy(location.nodes[0]!, ({ url = '' }) => {
      isDead ||= isDying && url.includes('/_refresh')
      return isDead ? 'cut' : 'pass'
    })
    const killed = await openIndexWriter({ ...location, nodes: [between.origin] }, clock)
    await killed.apply({ puts: [documentOf(1)] })
    isDying = true
    await assert.rejects(killed.apply({ puts: [documentOf(2)] }), { code: 'unavailable' })
    await using writer = await openIndexWriter(location, clock)
    await writer.apply({ removals: [documentOf(2)] })
    await client.request({ method: 'POST', path: `/${names.alias}/_refresh` })
    assert.deepEqual(await search(), [1])
    await killed[Symbol.asyncDispose]()
  })

  test('has to be opened anew once it is not known what became of its last change', async () => {
    await using world = await setUp()
    const { location, clock, search } = world
    let isCutting = false
    await using between = await openProxy(location.nodes[0]!, ({ method, url = '' }) =>
      isCutting && method === 'PUT' && url.includes('/_doc/') ? 'cut the answer' : 'pass',
    )
    const behind = { ...location, nodes: [between.origin] }
    await using writer = await openIndexWriter(behind, clock)
    await writer.apply({ puts: [documentOf(1)] })
    isCutting = true
    await assert.rejects(writer.apply({ puts: [documentOf(2)] }), { code: 'unavailable' })
    isCutting = false
    await assert.rejects(writer.apply({ puts: [documentOf(2)] }), FencedOffError)
    await using next = await openIndexWriter(behind, clock)
    await next.apply({ puts: [documentOf(2)] })
    assert.deepEqual(await search(), [1, 2])
  })

  test('continues with existing indices while disks are too full to create one', async () => {
    await using world = await setUp()
    const { location, clock, search, client } = world
    const first = await openIndexWriter(location, clock)
    await first.apply({ puts: [documentOf(1)] })
    await first[Symbol.asyncDispose]()
    const error = { type: 'index_create_block_exception', reason: 'blocked by: …' }
    const blocked: Client = {
      ...client,
      request: (asked) =>
        asked.method === 'PUT' && !asked.path.slice(1).includes('/')
          ? Promise.resolve({ status: 403, body: { error } })
          : client.request(asked),
    }
    const { prefix } = location
    const about = { client: blocked, prefix, clock, analyzerVersion: ANALYZER_VERSION }
    await using writer = await openWriter(about)
    await writer.apply({ puts: [documentOf(2)] })
    assert.deepEqual(await search(), [1, 2])
    const weeksAgo = { ...documentOf(3), publishedAt: NOW - 20 * 86_400_000 }
    await assert.rejects(writer.apply({ puts: [weeksAgo] }), /blocked by/)
  })

  test('writes nothing if nothing changed', async () => {
    await using world = await setUp()
    const { location, clock, client, names } = world
    await using writer = await openIndexWriter(location, clock)
    const versionOf = async (path: string) => {
      const { body } = await client.request({ method: 'GET', path })
      return (body as { _version: number })._version
    }
    const version = () => versionOf(`/${names.week(1, WEEK)}/_doc/1:1`)
    const channel = () => versionOf(`/${names.channels}/_doc/1`)
    await writer.apply({ puts: [documentOf(1)] })
    const [before, counted] = [await version(), await channel()]
    const { channelId, number, views, reactions } = documentOf(1)
    await writer.apply({ puts: [documentOf(1)] })
    await writer.apply({ counters: [{ channelId, number, views, reactions }] })
    assert.deepEqual([await version(), await channel()], [before, counted])
    await writer.apply({ channels: [{ channelId, subscribers: 1 }] })
    assert.ok((await channel()) > counted)
    await writer.apply({ counters: [{ channelId, number, views: views + 1, reactions }] })
    assert.ok((await version()) > before)
  })

  test('continues while its posts cannot be counted, and knows the newest one', async () => {
    await using world = await setUp()
    const { location, clock, search, index } = world
    let isHanging = true
    await using between = await openProxy(location.nodes[0]!, ({ url = '' }) =>
      isHanging && url.includes('/_stats/store?filter_path') ? 'hang' : 'pass',
    )
    const writer = await openIndexWriter({ ...location, nodes: [between.origin] }, clock)
    await writer.apply({ puts: [documentOf(1), documentOf(2)] })
    assert.deepEqual(await search(), [1, 2])
    const { posts, newestPostAt } = await index.state()
    assert.deepEqual([posts, newestPostAt], [0, NOW - 1_000])
    isHanging = false
    await writer[Symbol.asyncDispose]()
    assert.equal((await index.state()).posts, 2, 'counted when it leaves')
  })

  test('refuses indices made by a newer version of the program', async () => {
    await using world = await setUp()
    const { location, clock, client, names } = world
    const body = { format: 99, token: 1, owner: null }
    await client.request({ method: 'PUT', path: `/${names.meta}/_doc/${names.metaId}`, body })
    const newer = /made by a newer version of this program \(format 99/
    await assert.rejects(openIndexWriter(location, clock), newer)
    await assert.rejects(openSearchIndex(location, clock), newer)
  })

  test('whose indices were deleted does not recreate them without a mapping', async () => {
    await using world = await setUp()
    const { location, clock, client } = world
    const writer = await openIndexWriter(location, clock)
    await deleteClusterIndex(location)
    // Not that another process writes: nobody does, and whoever opens the index anew may.
    await assert.rejects(writer.apply({ puts: [documentOf(1)] }), /-meta is gone/)
    await writer[Symbol.asyncDispose]()
    assert.deepEqual(await indicesOf(client, `${location.prefix}-*`), [])
    await using next = await openIndexWriter(location, clock)
    await next.apply({ puts: [documentOf(1)] })
  })

  test('whose write alias was removed is fenced off, and the next one creates it again', async () => {
    await using world = await setUp()
    const { location, clock, client } = world
    const names = createNames(location.prefix, ANALYZER_VERSION)
    const writer = await openIndexWriter(location, clock)
    const path = `/${names.meta}/_alias/${names.metaWrites}`
    expectOk(await client.request({ method: 'DELETE', path }))
    await assert.rejects(writer.apply({ puts: [documentOf(1)] }), FencedOffError)
    await writer[Symbol.asyncDispose]()
    await using next = await openIndexWriter(location, clock)
    await next.apply({ puts: [documentOf(1)] })
  })
})
