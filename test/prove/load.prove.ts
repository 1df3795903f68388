/**
 * Overload sheds quickly and recovers; memory stays flat.
 *
 *     node test/prove/load.prove.ts [minutes of soak] [posts]
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { bulkOptions, prepareData } from '../../bench/http-data.ts'
import { figuresOf, openConnection, saturate } from '../../bench/load-client.ts'
import type { Connection, Exchange, Figures } from '../../bench/load-client.ts'
import { generateQueries } from '../../src/simulator/bulk-queries.ts'

const minutes = Number(process.argv[2] ?? 10)
const posts = Number(process.argv[3] ?? 20_000)
const CONNECTIONS = 256
const folder = mkdtempSync(join(tmpdir(), 'telegrep-load-'))
const failures: string[] = []

function hold(isHeld: boolean, what: string): void {
  console.log(`${isHeld ? 'held  ' : 'BROKEN'} ${what}`)
  if (!isHeld) failures.push(what)
}

/** Requests leave at a steady pace whatever the answers do; one that finds no free connection is counted as lost. */
async function atRate(
  connections: readonly Connection[],
  paths: readonly string[],
  perS: number,
  seconds: number,
): Promise<{ readonly seen: Exchange[]; readonly lost: number }> {
  const free = [...connections]
  const seen: Exchange[] = []
  const running = new Set<Promise<void>>()
  let lost = 0
  let sent = 0
  const startedAt = performance.now()
  for (;;) {
    const elapsed = performance.now() - startedAt
    if (elapsed >= seconds * 1000) break
    for (const due = Math.floor((elapsed / 1000) * perS); sent < due; sent++) {
      const connection = free.pop()
      if (!connection) {
        lost++
        continue
      }
      const asked = connection.ask(paths[sent % paths.length]!).then((exchange) => {
        seen.push(exchange)
        free.push(connection)
        running.delete(asked)
      })
      running.add(asked)
    }
    await sleep(1)
  }
  await Promise.all(running)
  return { seen, lost }
}

function shown(name: string, figures: Figures): string {
  const { perS, p50, p99, statuses } = figures
  return `${name}: ${Math.round(perS)} answered/s, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ${JSON.stringify(statuses)}`
}

try {
  await prepareData(folder, posts)
  const child = fork(join(import.meta.dirname, '../../bench/http-server.ts'), [folder])
  const [{ port, key }] = (await once(child, 'message')) as [{ port: number; key: string }]
  const rss = async () => {
    child.send('usage')
    const [usage] = (await once(child, 'message')) as [{ rss: number }]
    return usage.rss / 1e6
  }
  const connections = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => openConnection(port, `X-API-Key: ${key}\r\n`)),
  )
  const paths = [...generateQueries({ ...bulkOptions(posts, Date.now()), queries: 300 })].map(
    ({ q }) => `/v1/search?q=${encodeURIComponent(q)}&sort=newest`,
  )

  await saturate(connections.slice(0, 4), paths, 5)
  const alone = await saturate(connections.slice(0, 1), paths, 8)
  console.log(shown('one at a time', alone))
  const full = await saturate(connections.slice(0, 4), paths, 8)
  console.log(shown('as fast as it goes', full))

  const rate = 2 * full.perS
  const { seen, lost } = await atRate(connections, paths, rate, 15)
  const over = figuresOf(seen, 15)
  const refused = seen.filter(({ status }) => status === 503).map(({ ms }) => ms)
  const refusedP50 = refused.toSorted((a, b) => a - b)[Math.floor(refused.length / 2)] ?? NaN
  console.log(
    `${shown(`at ${Math.round(rate)}/s`, over)}, refused in ${refusedP50.toFixed(1)} ms (p50), ${lost} lost`,
  )
  hold(refused.length > 0, 'at twice the sustainable rate requests are turned away')
  hold(lost === 0, 'nothing queues: a connection is free for every request')
  hold(
    over.p99 <= 3 * alone.p99,
    `p99 of those let in is ${(over.p99 / alone.p99).toFixed(1)} × that of one at a time, at most 3`,
  )
  hold(refusedP50 < 5, 'refusals take less than 5 ms')
  hold(
    over.perS >= 0.5 * full.perS,
    `${Math.round((100 * over.perS) / full.perS)} % of the sustainable rate is served meanwhile`,
  )

  await sleep(2000)
  const after = figuresOf((await atRate(connections, paths, full.perS / 4, 5)).seen, 5)
  console.log(shown('two seconds later', after))
  const served = after.statuses[200] ?? 0
  const all = Object.values(after.statuses).reduce((sum, n) => sum + n, 0)
  hold(served >= 0.99 * all, 'two seconds later everybody is served again')

  const samples: number[] = []
  for (let i = 0; i < minutes * 6; i++) {
    await atRate(connections, paths, full.perS / 2, 10)
    samples.push(await rss())
  }
  if (samples.length >= 6) {
    const third = Math.floor(samples.length / 3)
    const mean = (list: number[]) => list.reduce((sum, n) => sum + n, 0) / list.length
    const [early, late] = [mean(samples.slice(third, 2 * third)), mean(samples.slice(-third))]
    console.log(`rss over ${minutes} min: ${samples.map(Math.round).join(' ')} MB`)
    hold(
      late <= early * 1.1,
      `memory is flat: ${Math.round(early)} MB, then ${Math.round(late)} MB`,
    )
  }
  for (const connection of connections) connection.close()
  child.disconnect()
  await once(child, 'exit')
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = failures.length === 0 ? 0 : 1
