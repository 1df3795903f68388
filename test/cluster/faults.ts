import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../until.ts'
import { EXACT_FAULTS } from './exact-faults.ts'
import type { Fault } from './fault.ts'

/** Longer than leases, roles and locks last. */
const LONG_MS = 70_000
const SHORT_MS = 10_000

export const FAULTS: readonly Fault[] = [
  {
    name: 'an API process is killed',
    async inflict({ apis: [api] }) {
      await api!.kill()
      await sleep(SHORT_MS)
      await api!.start()
    },
  },
  {
    name: 'an API process stands still',
    async inflict({ apis: [, api] }) {
      await standStill(api!, SHORT_MS)
    },
  },
  {
    name: 'crawlers are killed in turn',
    async inflict({ crawlers }) {
      for (const crawler of [...crawlers, ...crawlers]) {
        await sleep(2_000)
        await crawler.kill()
        await crawler.start()
      }
    },
  },
  {
    name: 'a crawler stands still for longer than its leases',
    async inflict({ crawlers: [crawler] }) {
      await standStill(crawler!, LONG_MS)
    },
  },
  {
    name: 'the indexer is killed, then its successor',
    async inflict({ indexers, crawlers }) {
      // Crawlers are also on standby for the index.
      for (const each of [...indexers, ...crawlers, ...indexers]) {
        await sleep(3_000)
        await each.kill()
        await each.start()
      }
    },
  },
  {
    name: 'the indexer stands still for a minute and wakes',
    async inflict({ indexers, crawlers }) {
      const all = [...indexers, ...crawlers]
      // Whichever process is the writer: all but the last are stopped, so that the last takes over.
      const stopped = all.slice(0, -1)
      for (const each of stopped) each.signal('SIGSTOP')
      await sleep(LONG_MS)
      for (const each of stopped) each.signal('SIGCONT')
    },
  },
  {
    name: 'an OpenSearch node is killed',
    async inflict({ engines }) {
      engines.signalNode(0, 'SIGKILL')
      await sleep(LONG_MS / 2)
      await engines.mend()
    },
  },
  {
    name: 'an OpenSearch node hangs',
    async inflict({ engines }) {
      engines.signalNode(1, 'SIGSTOP')
      await sleep(LONG_MS)
      engines.signalNode(1, 'SIGCONT')
    },
  },
  {
    name: 'a node is cut off from us, then another does not answer',
    async inflict({ nodes }) {
      nodes[0]!.cut()
      await sleep(SHORT_MS)
      nodes[1]!.hang()
      await sleep(SHORT_MS)
      for (const node of nodes) node.mend()
    },
  },
  {
    name: 'all of OpenSearch is away',
    async inflict({ nodes, asker }) {
      asker.take()
      for (const node of nodes) node.cut()
      await sleep(LONG_MS / 2)
      const { refused } = asker.take()
      for (const node of nodes) node.mend()
      assert.ok((refused['index_unavailable'] ?? 0) > 0, 'searches say that the index is away')
    },
  },
  {
    name: 'OpenSearch is slow and loses connections',
    async inflict({ nodes }) {
      for (let i = 0; i < 10; i++) {
        for (const node of nodes) node.delay(300)
        await sleep(2_000)
        nodes[i % nodes.length]!.cut()
        await sleep(1_000)
        for (const node of nodes) node.mend()
      }
    },
  },
  {
    name: 'the disks of OpenSearch are full',
    async inflict({ engines, asker }) {
      await setDisk(engines.nodes[0]!, { limit: '1%', isWatched: true })
      await sleep(LONG_MS)
      asker.take()
      await sleep(SHORT_MS)
      const { whole } = asker.take()
      await setDisk(engines.nodes[0]!, { limit: '99.9%', isWatched: true })
      // Once OpenSearch no longer watches the disk, it no longer lifts the write block either, so wait for that first.
      await until(() => isAllAllowed(engines.nodes[0]!))
      await setDisk(engines.nodes[0]!, { limit: null, isWatched: null })
      assert.ok(whole > 0, 'what is there is still found')
    },
  },
  {
    name: 'a session of PostgreSQL is killed, which restarts it',
    async inflict({ engines }) {
      engines.signalDatabase('SIGKILL', 'session')
      await sleep(SHORT_MS)
    },
  },
  {
    name: 'PostgreSQL is killed',
    async inflict({ engines, asker }) {
      asker.take()
      engines.signalDatabase('SIGKILL', 'server')
      await sleep(SHORT_MS * 2)
      const { refused } = asker.take()
      await engines.mend()
      assert.ok((refused['not ready'] ?? 0) > 0, 'processes say that they are not ready')
    },
  },
  {
    name: 'PostgreSQL hangs',
    async inflict({ engines }) {
      engines.signalDatabase('SIGSTOP')
      await sleep(LONG_MS / 2)
      engines.signalDatabase('SIGCONT')
    },
  },
  {
    name: 'the network to PostgreSQL is cut, hangs and is slow',
    async inflict({ database }) {
      for (let i = 0; i < 5; i++) {
        database.cut()
        await sleep(1_000)
        database.mend()
        await sleep(2_000)
        database.delay(100)
        await sleep(2_000)
        database.hang()
        await sleep(3_000)
        database.mend()
        await sleep(1_000)
      }
    },
  },
  {
    name: 'both engines at once, and whoever works',
    async inflict({ engines, crawlers: [crawler], indexers: [indexer], nodes }) {
      for (const node of nodes) node.cut()
      engines.signalDatabase('SIGKILL', 'server')
      await crawler!.kill()
      await indexer!.kill()
      await sleep(SHORT_MS)
      await engines.mend()
      for (const node of nodes) node.mend()
      await Promise.all([crawler!.start(), indexer!.start()])
    },
  },
  ...EXACT_FAULTS,
]

async function standStill(
  { signal }: { signal(signal: NodeJS.Signals): void },
  ms: number,
): Promise<void> {
  signal('SIGSTOP')
  await sleep(ms)
  signal('SIGCONT')
}

/** Whether no index is blocked for writes any more. */
async function isAllAllowed(origin: string): Promise<boolean> {
  const reply = await fetch(`${origin}/_cluster/state/blocks?filter_path=blocks`)
  const { blocks = {} } = (await reply.json()) as { blocks?: object }
  return Object.keys(blocks).length === 0
}

/** Moves the watermark above which OpenSearch accepts no more writes; null restores the test engines' setting. */
async function setDisk(
  origin: string,
  { limit, isWatched }: { readonly limit: string | null; readonly isWatched: boolean | null },
): Promise<void> {
  const disk = 'cluster.routing.allocation.disk'
  const transient = {
    'cluster.info.update.interval': limit === null ? null : '10s',
    [`${disk}.threshold_enabled`]: isWatched,
    [`${disk}.watermark.low`]: limit,
    [`${disk}.watermark.high`]: limit,
    [`${disk}.watermark.flood_stage`]: limit,
  }
  const reply = await fetch(`${origin}/_cluster/settings`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ transient }),
  })
  assert.ok(reply.ok, await reply.text())
}
