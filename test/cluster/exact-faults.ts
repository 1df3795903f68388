import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FaultStage } from './fault-stage.ts'
import type { Fault } from './fault.ts'
import { PARTING } from './newsroom.ts'

/** Longer than a killed writer keeps others out. */
const LOCK_MS = 20_000
const LIMIT_MS = 180_000
/** Within this time a removal has to be effective everywhere. */
const REMOVED_MS = 60_000

/** Faults that have to happen at one exact moment. */
export const EXACT_FAULTS: readonly Fault[] = [
  {
    name: 'the indexer is killed between writing a batch and forgetting its changes',
    async inflict(stage) {
      for (let times = 0; times < 3; times++) {
        await answerTo(stage, 'POST /_bulk')
        await killWriters(stage)
        await startWriters(stage)
      }
    },
  },
  {
    name: 'the indexer is killed between a new generation that serves and deleting the old',
    async inflict(stage) {
      await killWriters(stage)
      await sleep(LOCK_MS)
      const before = await generations(stage)
      const rebuilding = run(stage, ['reindex'])
      await Promise.race([answerTo(stage, 'POST /_aliases'), mustGoOn(rebuilding)])
      rebuilding.kill('SIGKILL')
      await once(rebuilding, 'exit')
      const between = await generations(stage)
      assert.equal(between.length, before.length + 1, `${between.join()} after ${before.join()}`)
      await startWriters(stage)
      await until('the old generation is deleted', async () => {
        return (await generations(stage)).length === before.length
      })
    },
  },
  {
    name: 'a channel is removed while OpenSearch is away',
    async inflict(stage) {
      const { apis, newsroom, nodes } = stage
      const addresses = apis.map(({ address }) => address!)
      for (const address of addresses) {
        await until('the channel is found', async () => (await shown(address)) === 20)
      }
      for (const node of nodes) node.cut()
      const removing = run(stage, ['remove', newsroom.leaving, '--reason', 'asked to'])
      const [code] = (await once(removing, 'exit')) as [number | null]
      assert.equal(code, 0, 'a removal does not need the index')
      const since = performance.now()
      for (const address of addresses) {
        await until('the archive shows it no more', async () => {
          const reply = await fetch(`${address}/v1/channels/${newsroom.leaving}/posts`)
          await reply.text()
          return reply.status === 404 || reply.status === 410
        })
      }
      assert.ok(performance.now() - since < REMOVED_MS)
      for (const node of nodes) node.mend()
      for (const address of addresses) {
        await until('searches answer again, without it', async () => (await shown(address)) === 0)
      }
      await until('the index has it no more', async () => (await held(stage)) === 0)
    },
  },
]

function writersOf({ indexers, crawlers }: FaultStage) {
  // Crawlers are also on standby for the index.
  return [...indexers, ...crawlers]
}

async function killWriters(stage: FaultStage): Promise<void> {
  await Promise.all(writersOf(stage).map((each) => each.kill()))
  for (const node of stage.nodes) node.mend()
}

async function startWriters(stage: FaultStage): Promise<void> {
  await Promise.all(writersOf(stage).map((each) => each.start()))
}

/** A node has done what was asked, but the client has not been told. */
function answerTo({ nodes }: FaultStage, beginning: string): Promise<void> {
  return Promise.race(nodes.map((node) => node.keepAnswerTo(beginning)))
}

function run({ env }: FaultStage, args: readonly string[]): ChildProcess {
  return spawn('telegrep', args, { env: { ...process.env, ...env }, stdio: 'ignore' })
}

async function mustGoOn(child: ChildProcess): Promise<never> {
  const [code] = (await once(child, 'exit')) as [number | null]
  throw new Error(`it ended with ${String(code)} before the moment came`)
}

/** The generations that have indices. */
async function generations({ engines, prefix }: FaultStage): Promise<string[]> {
  const reply = await fetch(`${engines.nodes[0]}/${prefix}-*/_alias`)
  const names = Object.keys((await reply.json()) as object)
  return [...new Set(names.flatMap((name) => /-g(\d+)-\d+$/.exec(name)?.[1] ?? []))]
}

/** How many posts of the leaving channel a search shows; undefined when the search is not answered. */
async function shown(address: string): Promise<number | undefined> {
  const reply = await fetch(`${address}/v1/search?q=${PARTING}&sort=newest&limit=100&detail=ids`)
  const { data } = (await reply.json()) as { data?: readonly unknown[] }
  return data?.length
}

/** How many posts with the word the index itself holds. */
async function held({ engines, prefix }: FaultStage): Promise<number> {
  const reply = await fetch(`${engines.nodes[0]}/${prefix}-a*-g*/_count?q=w:${PARTING}`)
  return ((await reply.json()) as { count: number }).count
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (const since = performance.now(); !(await isSo());) {
    if (performance.now() - since > LIMIT_MS) throw new Error(`it never came: ${what}`)
    await sleep(500)
  }
}
