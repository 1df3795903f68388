import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openProxy } from '../../test/cutting-proxy.ts'
import { whyNoEngines } from '../../test/engines.ts'
import { ownLocation } from '../../test/open-on-cluster.ts'
import { openTemporary } from '../../test/open-temporary.ts'
import { systemClock } from '../model/clock.ts'
import type { IndexLocation } from '../search/index-location.ts'
import { openClient } from '../search/opensearch/client.ts'
import { createStillClock } from '../simulator/clocks.ts'
import { indexConsumer } from '../store/changes.ts'
import { addChannel, samplePost, sampleReading } from '../store/contract/samples.ts'
import { createOwner } from '../store/owner.ts'
import { indexerRole } from '../store/roles.ts'
import { ANALYZER_VERSION } from '../text/analyze.ts'
import { beginIndex, indexPending, withIndexer } from './index-pending.ts'
import { createPrinter } from './print.ts'

/** A command's call, and its notes. */
function callOf(index: IndexLocation) {
  const said: string[] = []
  const write = (text: string) => said.push(text) > 0
  const print = createPrinter(
    { color: false },
    { stdout: { write, columns: 80, isTTY: false }, stderr: { write, columns: 80, isTTY: false } },
  )
  return { call: { config: { index }, print, signal: new AbortController().signal }, said }
}

test('withIndexer stops and fails when another process takes over the index', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-pending-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const clock = createStillClock(Date.UTC(2026, 4, 1))
  await using store = await openTemporary(clock)
  const { call } = callOf({ kind: 'embedded', folder })
  const role = indexerRole(indexConsumer(ANALYZER_VERSION))
  const working = withIndexer(
    store,
    call,
    async (_indexer, _writer, signal) => {
      clock.pass(16_000)
      assert.ok(await store.roles.acquire(role, createOwner(), 15_000))
      t.mock.timers.tick(5_000)
      await once(signal, 'abort')
    },
    {},
  )
  await assert.rejects(working, /another process took over the index/)
})

test('the index of an empty archive is complete, and stays so as posts come', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-pending-'))
  t.after(() => rmSync(folder, { recursive: true }))
  await using store = await openTemporary(systemClock)
  const { call } = callOf({ kind: 'embedded', folder })
  await beginIndex(store, call)
  const { id } = await addChannel(store, 'gardening')
  const posts = [samplePost(7, { publishedAt: systemClock.now() - 60_000 })]
  await store.archive.record(sampleReading(id, { posts, at: systemClock.now() }))
  await indexPending(store, call)
  const state = await withIndexer(store, call, (_indexer, writer) => writer.state(), {})
  assert.deepEqual([state?.complete, state?.posts], [true, 1])
})

test('a post that the index refuses is reported', { skip: whyNoEngines() ?? false }, async () => {
  await using opened = new AsyncDisposableStack()
  const location = opened.use(ownLocation())
  const refuse = (body: string) =>
    body.replaceAll(
      '"status":201',
      '"status":400,"error":{"type":"some_exception","reason":"as told"}',
    )
  const proxy = opened.use(
    await openProxy(location.nodes[0]!, ({ url }) =>
      url?.startsWith('/_bulk') ? { answer: refuse } : 'pass',
    ),
  )
  const store = opened.use(await openTemporary(systemClock))
  const { id } = await addChannel(store, 'gardening')
  const posts = [samplePost(7, { publishedAt: systemClock.now() - 60_000 })]
  await store.archive.record(sampleReading(id, { posts, at: systemClock.now() }))
  const { call, said } = callOf({ ...location, nodes: [proxy.origin] })
  assert.equal(await indexPending(store, call), 'now')
  assert.match(said.join(''), /never takes post \S*7: some_exception: as told/)
})

test(
  'a refusal by wrong settings of OpenSearch is explained',
  { skip: whyNoEngines() ?? false },
  async () => {
    await using opened = new AsyncDisposableStack()
    const location = opened.use(ownLocation())
    const { prefix } = location
    const client = opened.use(await openClient(location))
    const template = (method: 'PUT' | 'DELETE', body?: object) =>
      client.request({ method, path: `/_index_template/${prefix}`, ...(body && { body }) })
    await template('PUT', { index_patterns: [`${prefix}-*`], data_stream: {} })
    opened.defer(async () => void (await template('DELETE')))
    const store = opened.use(await openTemporary(systemClock))
    const { call, said } = callOf(location)
    assert.equal(await indexPending(store, call), 'once the index is back')
    assert.match(
      said.join(''),
      /^OpenSearch refuses: illegal_argument_exception: .*; correct its settings, templates or mappings, then run .* reindex\. Changes wait.*\n$/,
    )
  },
)
