/**
 * The program in seven processes on its own PostgreSQL and three OpenSearch nodes, all of which are killed, stopped, cut off
 * and starved, while posts are published, edited and deleted on a simulated platform. Nothing acknowledged may be lost or
 * duplicated, replies say what they lack, and everything recovers by itself. Arguments select trials by a part of their names.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { openDatabase } from '../../src/store/postgres/database.ts'
import { FAULTS } from '../cluster/faults.ts'
import { openFaultStage, RATE, type FaultStage } from '../cluster/fault-stage.ts'
import { openEngines, type OwnEngines } from '../cluster/own-engines.ts'
import { spendQuota } from '../cluster/spend-quota.ts'
import { busiest } from '../crawl-harness.ts'
import { keepTheRate, shareWork, surviveKills, type Place } from '../crawl-scenarios.ts'

const wanted = process.argv.slice(2)
const isWanted = (name: string) => wanted.length === 0 || wanted.some((part) => name.includes(part))

async function trial(name: string, run: () => Promise<unknown>): Promise<void> {
  if (!isWanted(name)) return
  const since = performance.now()
  try {
    const figures = await run()
    const seconds = Math.round((performance.now() - since) / 1000)
    console.log(`ok     ${name} (${seconds} s)\n       ${JSON.stringify(figures)}`)
  } catch (error) {
    console.error(`BROKEN ${name}\n`, error)
    process.exitCode = 1
  }
}

function onDatabase({ databaseUrl: url }: OwnEngines): Place {
  return async () => {
    const schema = `prove_${randomUUID().slice(0, 8)}`
    const db = openDatabase({ url, schema, connections: 2 })
    return {
      store: { kind: 'postgres', url, schema },
      async [Symbol.asyncDispose]() {
        await db.script(`drop schema ${schema} cascade; drop schema ${schema}_ledger cascade`)
        await db.close()
      },
    }
  }
}

async function crawlTrials(engines: OwnEngines): Promise<void> {
  const place = onDatabase(engines)
  await trial(
    'two crawlers with every fault on, killed ten times: the archive equals the truth',
    () =>
      surviveKills({
        channels: 200,
        days: 5,
        kills: 10,
        killEveryMs: 4_000,
        speed: 15,
        ratePerS: 4,
        limitMs: 600_000,
        crawlers: 2,
        place,
      }),
  )
  await trial('the request rate holds across kills, in real time', () =>
    keepTheRate({ ratePerS: 5, kills: 4, runMs: 70_000, place }),
  )
  await trial('two crawlers share the work, no channel twice at once', () =>
    shareWork({ channels: 150, visits: 150, place }),
  )
}

async function faultTrials(engines: OwnEngines): Promise<void> {
  const faults = FAULTS.filter(({ name }) => isWanted(name))
  const quota = 'quotas are exact over two API processes'
  if (faults.length === 0 && !isWanted(quota)) return
  await using stage = await openFaultStage(engines)
  await whole(stage)
  for (const fault of faults) {
    await trial(fault.name, async () => {
      stage.asker.take()
      await fault.inflict(stage)
      const during = stage.asker.take()
      return { during, ...(await whole(stage)) }
    })
  }
  await trial(quota, () => spendQuota(stage))
  await trial('the request rate held all the while', async () => {
    const log = stage.newsroom.simulator.log
      .entries()
      .map((entry) => ({ ...entry, at: entry.realAt }))
    const [second, minute] = [busiest(log, 1_000), busiest(log, 60_000)]
    assert.ok(second <= RATE + 3, `${second} requests in a second at ${RATE} a second`)
    assert.ok(minute <= RATE * 60, `${minute} requests in a minute at ${RATE} a second`)
    return { requests: log.length, busiestSecond: second, busiestMinute: minute }
  })
}

/** Archive, index and replies equal what the platform shows, no reply was wrong, and no process ended by itself. */
async function whole(stage: FaultStage): Promise<object> {
  const settledMs = await stage.settled()
  const broken = stage.asker.broken.splice(0)
  assert.deepEqual([...new Set(broken)].slice(0, 10), [], `${broken.length} wrong answers`)
  assert.deepEqual(stage.faults(), [])
  assert.deepEqual(await stage.store.verify(), [])
  return { settledMs, posts: (await stage.store.archive.totals()).posts, since: stage.asker.take() }
}

await using engines = await openEngines()
await faultTrials(engines)
await crawlTrials(engines)
