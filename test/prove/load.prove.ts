/**
 * Under overload, requests are shed quickly and the service recovers; no flood delays health checks.
 *
 *     npm run prove -- load [-- <posts> [floods]]
 *
 * The service and the generator run in separate processes. Requests are sent when they are due, whether or not earlier ones
 * were answered, and are timed from when they were sent. Three threads share two cores here, so the generator itself is late
 * at times; by how much is printed.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { prepareData } from '../../bench/data-folder.ts'
import { distinctQueries } from '../../bench/distinct-queries.ts'
import {
  atRate,
  figuresOf,
  openConnection,
  saturate,
  type Figures,
} from '../../bench/load-client.ts'
import { quantile } from '../../bench/quantile.ts'
import { V8_AT_START } from '../v8-at-start.ts'
import { proveFloods } from './floods.ts'

const posts = Number(process.argv[2] ?? 20_000)
const isFloodsOnly = process.argv[3] === 'floods'
/** As many as wait in line for a second or rest after a refusal, and more. */
const CONNECTIONS = 1_400
/** Calm and overload alternate: a machine that stalls for a moment spoils one round, not the median. */
const ROUNDS = 3
const CALM_S = 8
const OVERLOAD_S = 16
/** They are refused after two seconds. */
const MAX_WAIT_MS = 2_000
const folder = mkdtempSync(join(tmpdir(), 'telegrep-load-'))
const failures: string[] = []

function hold(isHeld: boolean, what: string): void {
  console.log(`${isHeld ? 'held  ' : 'BROKEN'} ${what}`)
  if (!isHeld) failures.push(what)
}

function shown(name: string, { perS, p50, p99, lateMs, statuses }: Figures): string {
  return (
    `${name}: ${Math.round(perS)} answered/s, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ` +
    `sent ${lateMs.toFixed(1)} ms late (p99), ${JSON.stringify(statuses)}`
  )
}

type Sent = Awaited<ReturnType<typeof atRate>>

interface Round {
  readonly calm: Sent
  readonly over: Sent
  readonly calmFigures: Figures
  readonly overFigures: Figures
}

function isServed({ seen, lost }: Sent): boolean {
  const served = seen.filter(({ status }) => status === 200).length
  return served > 0 && served >= 0.99 * (seen.length + lost)
}

async function proveOverload(port: number, key: string, paths: readonly string[]): Promise<void> {
  const connections = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => openConnection(port, `X-API-Key: ${key}\r\n`)),
  )
  await saturate(connections.slice(0, 4), paths, 5)
  const full = await saturate(connections.slice(0, 4), paths, 8)
  console.log(shown('as fast as it goes', full))
  const rate = 2 * full.perS
  const rounds: Round[] = []
  for (let i = 0; i < ROUNDS; i++) {
    const calm = await atRate(connections, paths, full.perS / 5, CALM_S)
    const over = await atRate(connections, paths, rate, OVERLOAD_S)
    const round = {
      calm,
      over,
      calmFigures: figuresOf(calm.seen, CALM_S),
      overFigures: figuresOf(over.seen, OVERLOAD_S),
    }
    rounds.push(round)
    console.log(shown(`at ${Math.round(full.perS / 5)}/s`, round.calmFigures))
    console.log(shown(`at ${Math.round(rate)}/s`, round.overFigures))
    await sleep(2000)
  }
  const middle = (of: (round: Round) => number) => quantile(rounds.map(of), 0.5)
  hold(
    rounds.filter(({ calm }) => isServed(calm)).length > ROUNDS / 2,
    'at a fifth of the sustainable rate everybody is served',
  )
  const seen = rounds.flatMap(({ over }) => over.seen)
  const refused = seen.filter(({ status }) => status === 503).map(({ ms }) => ms)
  const refusedMs = quantile(refused, 0.5)
  hold(refused.length > 0, 'at twice the sustainable rate requests are turned away')
  hold(
    seen.every(({ status }) => status === 200 || status === 503),
    'every request is answered or turned away',
  )
  hold(
    rounds.every(({ over }) => over.lost === 0),
    'nobody waits outside: a connection is free for every request',
  )
  const slowest = middle((round) => round.overFigures.p99)
  hold(
    slowest <= MAX_WAIT_MS,
    `p99 of those let in is ${slowest.toFixed(0)} ms, at most ${MAX_WAIT_MS}: they wait for about a second`,
  )
  hold(
    refusedMs < 5,
    `refusals take ${refusedMs.toFixed(1)} ms (p50; p99 ${quantile(refused, 0.99).toFixed(1)}), less than 5`,
  )
  const share = middle((round) => round.overFigures.perS) / full.perS
  hold(share >= 0.7, `${Math.round(100 * share)} % of the sustainable rate is served meanwhile`)

  const after = await atRate(connections, paths, full.perS / 4, 5)
  console.log(shown('two seconds later', figuresOf(after.seen, 5)))
  hold(isServed(after), 'two seconds later everybody is served again')

  for (const connection of connections) connection.close()
}

try {
  await prepareData(folder, posts)
  const child = fork(join(import.meta.dirname, '../../bench/http-server.ts'), [folder], {
    execArgv: [V8_AT_START],
  })
  const [{ port, key }] = (await once(child, 'message')) as [{ port: number; key: string }]
  const paths = distinctQueries(posts, ({ q }) => q).map(
    (q) => `/v1/search?q=${encodeURIComponent(q)}&sort=newest`,
  )

  if (!isFloodsOnly) await proveOverload(port, key, paths)
  await proveFloods({ port, key, searches: paths, hold })
  child.disconnect()
  await once(child, 'exit')
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = failures.length === 0 ? 0 : 1
