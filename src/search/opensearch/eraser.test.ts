import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../../../test/until.ts'
import { HOUR_MS } from '../../model/time.ts'
import { openClient } from './client.ts'
import { createEraser } from './eraser.ts'

interface Shard {
  /** By node, the names of a copy's segments with deleted documents. */
  copies: Record<string, string[]>
  /** These are listed only after a refresh. */
  merged?: Record<string, string[]>
  written: number
  /** By node. */
  retained: Record<string, number>
  leases: string[]
  /** What becomes of a merge that is asked for. */
  fate: 'done' | 'failed' | 'unanswered' | 'unanswered by a node'
}

/** Two weeks of one shard each. */
async function openEngine() {
  const shard = (more: Partial<Shard>): Shard => ({
    copies: { a: ['_1'] },
    written: 7,
    retained: { a: 8, b: 8 },
    leases: ['a'],
    fate: 'done',
    ...more,
  })
  const engine = {
    old: shard({}),
    running: shard({ copies: { a: ['_1', '_2'], b: ['_1'] }, leases: ['a', 'b'] }),
    /** Nodes that are merging. */
    merging: new Set<string>(),
    health: { status: 'yellow', initializing_shards: 0, relocating_shards: 0 },
    failedShards: 0,
    freeBytes: 900,
    asked: [] as string[],
  }
  const shards = (): Record<string, Shard> => ({ old: engine.old, running: engine.running })
  const listed = (describe: (node: string, shard: Shard) => object) => {
    const indices = Object.entries(shards()).map(([index, each]) => {
      const told = Object.keys(each.copies).map((node) => ({
        routing: { node },
        ...describe(node, each),
      }))
      return [index, { shards: { 0: told } }]
    })
    return { _shards: { failed: engine.failedShards }, indices: Object.fromEntries(indices) }
  }
  const answers: Readonly<Record<string, () => object>> = {
    _stats: () =>
      listed((node, { written, retained, leases }) => ({
        merges: { current: engine.merging.has(node) ? 1 : 0 },
        seq_no: { max_seq_no: written },
        commit: { user_data: { min_retained_seq_no: String(retained[node]) } },
        retention_leases: { leases: leases.map((each) => ({ id: `peer_recovery/${each}` })) },
      })),
    _segments: () =>
      listed((node, { copies }) => {
        const counted = { num_docs: 1, deleted_docs: 1, size_in_bytes: 100 }
        return { segments: Object.fromEntries(copies[node]!.map((name) => [name, counted])) }
      }),
    _cluster: () => engine.health,
    _nodes: () => {
      const total = { total_in_bytes: 1_000, available_in_bytes: engine.freeBytes }
      return { nodes: Object.fromEntries(['a', 'b', 'c'].map((node) => [node, { fs: { total } }])) }
    },
    _flush: () => ({}),
    _refresh() {
      for (const each of Object.values(shards())) {
        each.copies = each.merged ?? each.copies
        delete each.merged
      }
      return {}
    },
  }
  function merge(index: string): object {
    const each = shards()[index]!
    if (each.fate === 'failed') {
      return { _shards: { failed: 1, failures: [{ reason: { reason: 'no space left' } }] } }
    }
    if (each.fate === 'unanswered by a node') {
      return { _shards: { failed: 1, failures: [{ reason: { type: 'failed_node_exception' } }] } }
    }
    const name = `_${10 + engine.asked.length}`
    each.merged = Object.fromEntries(Object.keys(each.copies).map((node) => [node, [name]]))
    return { _shards: { failed: 0 } }
  }
  const server = createServer((request, response) => {
    const [, index, what] = /^\/([a-z*,]+)?\/?(_[a-z]+)/.exec(request.url!)!
    const isMerge = what === '_forcemerge'
    engine.asked.push(isMerge ? `merge ${index}` : what!)
    if (isMerge && shards()[index!]!.fate === 'unanswered') return void request.socket.destroy()
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(isMerge ? merge(index!) : answers[what!]!()))
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
  const count = (what: string) => engine.asked.filter((each) => each === what).length
  return Object.assign(engine, {
    told,
    erase: (weeks = '*') => erase(weeks),
    pass: (ms: number) => (now += ms),
    count,
    /** How often each week was merged. */
    merges: () => [count('merge old'), count('merge running')],
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]()
      server.close()
    },
  })
}

/** Calls until what was asked for is over. */
const untilErased = (engine: { erase(): Promise<boolean> }) => until(() => engine.erase())

test('copies commit until merges in all of them drop what was removed', async () => {
  await using engine = await openEngine()
  engine.running.retained = { a: 8, b: 5 }
  assert.equal(await engine.erase(), false)
  engine.running.retained = { a: 8, b: 7 }
  assert.equal(await engine.erase(), false)
  assert.equal(engine.count('_flush'), 2)
  assert.deepEqual(engine.merges(), [0, 0])
  engine.running.retained = { a: 8, b: 8 }
  await untilErased(engine)
  assert.equal(engine.count('_flush'), 2)
  assert.deepEqual(engine.merges(), [1, 1])
  assert.deepEqual(engine.told, [])
})

test('what was written after erasing began is not waited for', async () => {
  await using engine = await openEngine()
  engine.old.retained = { a: 7 }
  assert.equal(await engine.erase(), false)
  engine.running.written = 1_000
  engine.old.retained = { a: 8 }
  await untilErased(engine)
})

test('merges that began too early are waited for, later ones are not', async () => {
  await using engine = await openEngine()
  engine.merging.add('a')
  assert.equal(await engine.erase(), false)
  engine.merging.add('b')
  assert.equal(await engine.erase(), false)
  assert.equal(engine.count('_segments'), 0)
  // Into a segment with words of removed posts, which was not there before.
  engine.running.copies['a'] = ['_3']
  engine.merging.delete('a')
  await untilErased(engine)
  assert.deepEqual(engine.merges(), [1, 1])
})

test('segments that are still there after a merge are merged again', async () => {
  await using engine = await openEngine()
  assert.equal(await engine.erase(), false)
  await until(() => engine.count('merge running') === 1)
  engine.running.merged = { a: ['_1', '_9'], b: ['_9'] }
  await untilErased(engine)
  assert.deepEqual(engine.merges(), [1, 2])
})

test('nothing is merged while a copy is away, silent or moving', async () => {
  await using engine = await openEngine()
  const { health } = engine
  engine.running.leases.push('c')
  assert.equal(await engine.erase(), false)
  engine.running.leases.pop()
  engine.failedShards = 1
  assert.equal(await engine.erase(), false)
  engine.failedShards = 0
  for (const trouble of [{ status: 'red' }, { initializing_shards: 1 }, { relocating_shards: 1 }]) {
    engine.health = { ...health, ...trouble }
    assert.equal(await engine.erase(), false)
  }
  assert.equal(engine.count('_segments'), 0)
  engine.health = health
  await untilErased(engine)
})

test('all is merged again once another copy has come, or other weeks', async () => {
  await using engine = await openEngine()
  assert.equal(await engine.erase(), false)
  await until(() => engine.count('merge running') === 1)
  // It was copied from files of before.
  engine.running.copies['c'] = engine.running.merged!['c'] = ['_1']
  engine.running.retained['c'] = 8
  await untilErased(engine)
  assert.deepEqual(engine.merges(), [2, 2])

  assert.equal(await engine.erase(), false)
  await until(() => engine.count('merge running') === 3)
  await until(() => engine.erase('old,running'))
  assert.deepEqual(engine.merges(), [4, 4])
})

test('a copy that goes back to an earlier commit is waited for again', async () => {
  await using engine = await openEngine()
  assert.equal(await engine.erase(), false)
  await until(() => engine.count('merge running') === 1)
  engine.old.retained = { a: 3 }
  const before = engine.count('_flush')
  await until(async () => {
    assert.equal(await engine.erase(), false)
    return engine.count('_flush') > before
  })
  engine.old.retained = { a: 8 }
  await untilErased(engine)
  assert.deepEqual(engine.merges(), [2, 2])
})

test('a week that cannot be merged is told and tried again after an hour, the others are merged', async () => {
  await using engine = await openEngine()
  engine.old.fate = 'failed'
  await until(async () => {
    assert.equal(await engine.erase(), false)
    return engine.told.length > 0 && engine.count('merge running') === 1
  })
  for (let calls = 0; calls < 20; calls++) {
    assert.equal(await engine.erase(), false)
    await sleep(5)
  }
  assert.deepEqual(engine.told, ['old: no space left'])
  assert.deepEqual(engine.merges(), [1, 1])
  engine.old.fate = 'done'
  engine.pass(HOUR_MS)
  await untilErased(engine)
  assert.deepEqual(engine.merges(), [2, 2])
})

test('a week for which there is no room is told and not merged', async () => {
  await using engine = await openEngine()
  // A tenth of the disk and twice two segments.
  engine.freeBytes = 500 - 1
  assert.equal(await engine.erase(), false)
  await until(() => engine.told.length > 0)
  assert.deepEqual(engine.told, ['running: its nodes lack room for a copy of it'])
  assert.deepEqual(engine.merges(), [1, 0])
  engine.freeBytes = 500
  await until(async () => {
    engine.pass(HOUR_MS)
    return engine.erase()
  })
})

test('a merge that is repeated needs room for what came meanwhile, which it rewrites too', async () => {
  await using engine = await openEngine()
  assert.equal(await engine.erase(), false)
  await until(() => engine.count('merge running') === 1)
  engine.running.merged = { a: ['_1', '_8', '_9'], b: ['_9'] }
  engine.freeBytes = 700 - 1
  await until(async () => {
    assert.equal(await engine.erase(), false)
    return engine.told.length > 0
  })
  assert.deepEqual(engine.merges(), [1, 1])
})

for (const fate of ['unanswered', 'unanswered by a node'] as const)
  test(`a merge that is ${fate} is not asked for again while the engine is at it`, async () => {
    await using engine = await openEngine()
    engine.running.fate = fate
    assert.equal(await engine.erase(), false)
    await until(() => engine.count('merge running') === 1)
    engine.merging.add('b')
    const before = engine.count('_stats')
    await until(async () => {
      assert.equal(await engine.erase(), false)
      return engine.count('_stats') > before + 4
    })
    engine.merging.delete('b')
    engine.running.copies = { a: ['_7'], b: ['_7'] }
    await untilErased(engine)
    assert.deepEqual(engine.merges(), [1, 1])
    assert.deepEqual(engine.told, [])
  })
