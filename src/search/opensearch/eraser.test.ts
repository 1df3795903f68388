import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { until } from '../../../test/until.ts'
import { MINUTE_MS } from '../../model/time.ts'
import { openClient } from './client.ts'
import { createEraser } from './eraser.ts'

/** One shard of one index with a copy on each node, which does what the engine does only at moments that no test can choose. */
async function openEngine() {
  const engine = {
    /** By node, the names of its segments with deleted documents. */
    segments: { a: ['_1', '_2'], b: ['_1'] } as Record<string, string[]>,
    /** Listed only after a refresh. */
    merged: undefined as Record<string, string[]> | undefined,
    merging: new Set<string>(),
    written: 7,
    retained: 5,
    moving: 0,
    freeBytes: 900,
    /** What becomes of a merge that is asked for. */
    fate: 'done' as 'done' | 'failed' | 'unanswered',
    asked: [] as string[],
  }
  const copies = (describe: (node: string) => object) => {
    const told = Object.keys(engine.segments).map((node) => ({
      routing: { node },
      ...describe(node),
    }))
    return { indices: { week: { shards: { 0: told } } } }
  }
  const answers: Readonly<Record<string, () => object>> = {
    _stats: () =>
      copies((node) => ({
        merges: { current: engine.merging.has(node) ? 1 : 0 },
        seq_no: { max_seq_no: engine.written },
        commit: { user_data: { min_retained_seq_no: String(engine.retained) } },
      })),
    _segments: () =>
      copies((node) => {
        const counted = { num_docs: 1, deleted_docs: 1, size_in_bytes: 100 }
        return {
          segments: Object.fromEntries(engine.segments[node]!.map((name) => [name, counted])),
        }
      }),
    _cluster: () => ({ initializing_shards: 0, relocating_shards: engine.moving }),
    _nodes: () => {
      const total = { total_in_bytes: 1_000, available_in_bytes: engine.freeBytes }
      const nodes = Object.keys(engine.segments).map((node) => [node, { fs: { total } }])
      return { nodes: Object.fromEntries(nodes) }
    },
    _flush: () => ({}),
    _refresh() {
      engine.segments = engine.merged ?? engine.segments
      engine.merged = undefined
      return {}
    },
    _forcemerge() {
      if (engine.fate === 'failed') {
        return { _shards: { failed: 1, failures: [{ reason: { reason: 'no space left' } }] } }
      }
      const name = `_${10 + engine.asked.length}`
      engine.merged = Object.fromEntries(Object.keys(engine.segments).map((node) => [node, [name]]))
      return { _shards: { failed: 0 } }
    },
  }
  const server = createServer((request, response) => {
    const what = /_[a-z]+/.exec(request.url!)![0]
    engine.asked.push(what)
    if (what === '_forcemerge' && engine.fate === 'unanswered') return void request.socket.destroy()
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(answers[what]!()))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const client = await openClient({
    nodes: [`http://127.0.0.1:${(server.address() as AddressInfo).port}`],
  })
  let now = 0
  const told: string[] = []
  const erase = createEraser({
    client,
    clock: { now: () => now, elapsed: () => now, sleep: () => Promise.resolve() },
    onUnmerged: (index, why) => told.push(`${index}: ${why}`),
  })
  return Object.assign(engine, {
    told,
    erase: () => erase('week'),
    pass: (ms: number) => (now += ms),
    count: (what: string) => engine.asked.filter((each) => each === what).length,
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]()
      server.close()
    },
  })
}

/** Calls until the merge that was asked for is over. */
const untilErased = (engine: { erase(): Promise<boolean> }) => until(() => engine.erase())

test('copies commit until merges drop what was removed', async () => {
  await using engine = await openEngine()
  assert.equal(await engine.erase(), false)
  engine.retained = 7
  assert.equal(await engine.erase(), false)
  assert.equal(engine.count('_flush'), 2)
  assert.equal(engine.count('_forcemerge'), 0)
  engine.retained = 8
  await untilErased(engine)
  assert.equal(engine.count('_flush'), 2)
  assert.equal(engine.count('_forcemerge'), 1)
  assert.deepEqual(engine.told, [])
})

test('what was written after erasing began is not waited for', async () => {
  await using engine = await openEngine()
  assert.equal(await engine.erase(), false)
  engine.written = 1_000
  engine.retained = 8
  await untilErased(engine)
})

test('merges that began too early are waited for, later ones are not', async () => {
  await using engine = await openEngine()
  engine.retained = 8
  engine.merging.add('a')
  assert.equal(await engine.erase(), false)
  engine.merging.add('b')
  assert.equal(await engine.erase(), false)
  assert.equal(engine.count('_segments'), 0)
  // Into a segment with words of removed posts, which was not there before.
  engine.segments['a'] = ['_3']
  engine.merging.delete('a')
  await untilErased(engine)
  assert.equal(engine.count('_forcemerge'), 1)
})

test('segments that are still there after a merge are merged again', async () => {
  await using engine = await openEngine()
  engine.retained = 8
  assert.equal(await engine.erase(), false)
  await until(() => engine.count('_forcemerge') === 1)
  engine.merged = { a: ['_1', '_9'], b: ['_9'] }
  await untilErased(engine)
  assert.equal(engine.count('_forcemerge'), 2)
})

test('nothing is merged while a copy is moving, and all is once another copy has come', async () => {
  await using engine = await openEngine()
  engine.retained = 8
  engine.moving = 1
  assert.equal(await engine.erase(), false)
  assert.equal(engine.count('_segments'), 0)
  engine.moving = 0
  assert.equal(await engine.erase(), false)
  await until(() => engine.count('_forcemerge') === 1)
  // It was copied from files of before.
  engine.merged!['c'] = ['_1']
  await untilErased(engine)
  assert.equal(engine.count('_forcemerge'), 2)
})

test('a merge that fails is told, and tried again after a while', async () => {
  await using engine = await openEngine()
  engine.retained = 8
  engine.fate = 'failed'
  assert.equal(await engine.erase(), false)
  await until(() => engine.told.length === 1)
  assert.deepEqual(engine.told, ['week: no space left'])
  engine.fate = 'done'
  assert.equal(await engine.erase(), false)
  assert.equal(engine.count('_forcemerge'), 1)
  engine.pass(10 * MINUTE_MS)
  await untilErased(engine)
  assert.equal(engine.count('_forcemerge'), 2)
})

test('a merge for which there is no room is told and not begun', async () => {
  await using engine = await openEngine()
  engine.retained = 8
  engine.freeBytes = 300 - 1
  assert.equal(await engine.erase(), false)
  await until(() => engine.told.length === 1)
  assert.deepEqual(engine.told, ['week: its nodes lack room for a copy of it'])
  assert.equal(engine.count('_forcemerge'), 0)
})

test('a merge whose answer is lost is not asked for again while the engine is at it', async () => {
  await using engine = await openEngine()
  engine.retained = 8
  engine.fate = 'unanswered'
  assert.equal(await engine.erase(), false)
  await until(() => engine.count('_forcemerge') === 1)
  engine.merging.add('a')
  await until(async () => {
    engine.pass(10 * MINUTE_MS)
    await engine.erase()
    return engine.count('_stats') > 4
  })
  assert.equal(engine.count('_forcemerge'), 1)
  engine.merging.delete('a')
  engine.segments = { a: ['_7'], b: ['_7'] }
  await untilErased(engine)
  assert.equal(engine.count('_forcemerge'), 1)
  assert.deepEqual(engine.told, [])
})
