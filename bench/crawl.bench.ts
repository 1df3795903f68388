/**
 * How late posts are found: the crawl policy compared with others, and with oracles that know the true rates, over
 * simulated weeks in the same world with the same budget. With `--svg`, the chart in docs/ is drawn again.
 *
 *     npm run bench -- crawl [-- <seed> --svg]
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { drawDelays } from './crawl-chart.ts'
import {
  indexOracle,
  lambdaCrawl,
  learned,
  nutch,
  proportional,
  rootOracle,
  uniform,
} from './crawl-policies.ts'
import { simulate, type Measured, type Simulation, type VisitPolicy } from './crawl-simulation.ts'
import { DAY, HOUR, MINUTE, createWorld } from './crawl-world.ts'

const CHANNELS = 2_000
const DAYS = 14
const WARM_UP_DAYS = 5
const BUDGETS = [2, 8, 32]
/** The policy's constants were tuned on the worlds of seeds 1 and 2; figures are quoted from another world. */
const SEED = 7

interface CrawlRow {
  readonly visitsPerDay: number
  readonly policy: string
  readonly meanMinutes: number
  readonly p95Minutes: number
  readonly within15m: number
  readonly within1h: number
  readonly missed: number
  readonly idle: number
  readonly maxGapHours: number
}

interface CrawlTarget {
  readonly name: string
  readonly value: number
  readonly limit: number
  readonly isMet: boolean
}

interface CrawlBench {
  readonly rows: readonly CrawlRow[]
  readonly recovery: Recovery
  readonly targets: readonly CrawlTarget[]
}

/** Mean delay in minutes before, during and after six hours with a quarter of the budget. */
interface Recovery {
  readonly before: number
  readonly during: number
  readonly next6h: number
  readonly after: number
}

export function run(options: { readonly seed?: number } = {}): CrawlBench {
  const seed = options.seed ?? SEED
  const world = createWorld(CHANNELS, DAYS, seed)
  const rows: CrawlRow[] = []
  for (const visitsPerDay of BUDGETS) {
    const simulation = { world, days: DAYS, warmUpDays: WARM_UP_DAYS, visitsPerDay }
    const measure = (policy: VisitPolicy) =>
      rowOf(visitsPerDay, policy.name, simulate(policy, simulation))
    // The oracle's price is tuned too, so that it shows the best it can do.
    const best = (make: (scale: number) => VisitPolicy) =>
      [0.6, 0.7, 0.85, 1]
        .map((scale) => measure(make(scale)))
        .reduce((a, b) => (b.meanMinutes < a.meanMinutes ? b : a))
    rows.push(
      measure(uniform(visitsPerDay)),
      measure(proportional(world)),
      measure(nutch(world, visitsPerDay)),
      measure(lambdaCrawl(world)),
      best((scale) => rootOracle(world, scale)),
      best((scale) => indexOracle(world, scale)),
      measure(learned(world, seed)),
    )
  }
  const recovery = measureRecovery({
    world,
    days: DAYS,
    warmUpDays: WARM_UP_DAYS,
    visitsPerDay: 8,
  })
  return { rows, recovery, targets: targetsOf(rows, recovery) }
}

/** Cuts the budget by three quarters for six hours. `before` and `after` are the same hours, without the cut and with it. */
function measureRecovery(simulation: Simulation): Recovery {
  const cutAt = 9 * DAY + 12 * HOUR
  const isCut = (now: number) => now >= cutAt && now < cutAt + 6 * HOUR
  const undisturbed = simulate(learned(simulation.world, 1), simulation)
  const cut = simulate(learned(simulation.world, 1), {
    ...simulation,
    budgetAt: (now) => (isCut(now) ? 0.25 : 1),
  })
  const minutes = (m: Measured, from: number) => m.meanBetween(from, from + 6 * HOUR) / MINUTE
  return {
    before: minutes(undisturbed, cutAt + 12 * HOUR),
    during: minutes(cut, cutAt),
    next6h: minutes(cut, cutAt + 6 * HOUR),
    after: minutes(cut, cutAt + 12 * HOUR),
  }
}

function rowOf(visitsPerDay: number, policy: string, m: Measured): CrawlRow {
  return {
    visitsPerDay,
    policy,
    meanMinutes: m.meanMs / MINUTE,
    p95Minutes: m.p95Ms / MINUTE,
    within15m: m.within15m,
    within1h: m.within1h,
    missed: m.missed,
    idle: m.idle,
    maxGapHours: m.maxGapMs / HOUR,
  }
}

function targetsOf(rows: readonly CrawlRow[], recovery: Recovery): CrawlTarget[] {
  const mean = (visitsPerDay: number, policy: string) =>
    rows.find((row) => row.visitsPerDay === visitsPerDay && row.policy === policy)!.meanMinutes
  const oracle = (b: number) => Math.min(mean(b, 'root oracle'), mean(b, 'index oracle'))
  const ours = (b: number) => mean(b, 'telegrep')
  const missed = rows
    .filter((row) => row.policy === 'telegrep')
    .reduce((n, row) => n + row.missed, 0)
  const target = (name: string, value: number, limit: number): CrawlTarget => ({
    name,
    value,
    limit,
    isMet: value <= limit,
  })
  return [
    target('8 visits: mean delay to best oracle', ours(8) / oracle(8), 1.1),
    target('8 visits: to uniform', ours(8) / mean(8, 'uniform'), 0.35),
    target('8 visits: to proportional', ours(8) / mean(8, 'proportional'), 0.6),
    target('2 visits: to best oracle', ours(2) / oracle(2), 1.1),
    target('32 visits: to best oracle', ours(32) / oracle(32), 1.15),
    target('posts missed', missed, 0),
    target('6 h after a cut: to undisturbed', recovery.after / recovery.before, 1.1),
  ]
}

function print({ rows, recovery, targets }: CrawlBench): void {
  const cells = rows.map((row) => ({
    'visits/day': row.visitsPerDay,
    policy: row.policy,
    'mean min': row.meanMinutes.toFixed(1),
    'p95 min': row.p95Minutes.toFixed(0),
    '≤15 min': percent(row.within15m),
    '≤1 h': percent(row.within1h),
    missed: row.missed,
    idle: percent(row.idle),
    'max gap h': row.maxGapHours.toFixed(1),
  }))
  console.table(cells)
  const { before, during, next6h, after } = recovery
  console.log(
    `budget cut to a quarter for 6 h: ${[during, next6h, after].map((m) => m.toFixed(1)).join(' → ')} min, undisturbed ${before.toFixed(1)}`,
  )
  for (const { name, value, limit, isMet } of targets) {
    console.log(`${isMet ? 'ok  ' : 'MISS'} ${name}: ${value.toFixed(3)} (at most ${limit})`)
  }
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`
}

if (import.meta.main) {
  const seed = Number(process.argv.find((arg) => /^\d+$/.test(arg)) ?? SEED)
  const bench = run({ seed })
  print(bench)
  const results = fileURLToPath(new URL('./results', import.meta.url))
  mkdirSync(results, { recursive: true })
  writeFileSync(`${results}/crawl.json`, `${JSON.stringify(bench, null, 2)}\n`)
  if (process.argv.includes('--svg')) {
    const file = fileURLToPath(new URL('../docs/crawl-delay.svg', import.meta.url))
    writeFileSync(file, drawDelays(bench.rows))
    console.log(`drawn: ${file}`)
  }
  if (bench.targets.some((target) => !target.isMet)) process.exitCode = 1
}
