/** The policy of `src/crawl/policy.ts` and those it is compared with: rules in use elsewhere, and oracles. */
import { newSchedule, type Schedule } from '../src/store/frontier.ts'
import {
  POLICY,
  raisePrice,
  updateRates,
  planNext,
  solvePricing,
  type Priced,
  type Pricing,
} from '../src/crawl/policy.ts'
import type { VisitPolicy } from './crawl-simulation.ts'
import { DAY, HOUR, MINUTE, createRandom, type SimulatedChannel } from './crawl-world.ts'

type World = readonly SimulatedChannel[]

const LONGEST = DAY
const SHORTEST = MINUTE
const clamp = (ms: number) => Math.min(LONGEST, Math.max(SHORTEST, ms))
/**
 * Oracles may leave a channel unvisited for as long as our policy may leave a silent one; limited to a day, they would
 * look worse than they are.
 */
const ORACLE_LONGEST = POLICY.silentMaxIntervalMs
const clampOracle = (ms: number) => Math.min(ORACLE_LONGEST, Math.max(SHORTEST, ms))

/** Finds the x at which an increasing function reaches the target, over 40 decades. */
function bisect(rises: (x: number) => number, target: number): number {
  let low = -20
  let high = 20
  for (let i = 0; i < 50; i++) {
    const middle = (low + high) / 2
    if (rises(10 ** middle) < target) low = middle
    else high = middle
  }
  return 10 ** low
}

/** Requests a day that these intervals cause, overflow pages included. */
function costOf(rates: readonly number[], interval: (rate: number) => number): number {
  return rates.reduce((sum, rate) => {
    const days = interval(rate) / DAY
    return sum + (1 + Math.max(0, (rate * days) / 20 - 0.6)) / days
  }, 0)
}

export function uniform(visitsPerDay: number): VisitPolicy {
  return {
    name: 'uniform',
    early: () => 0,
    next: (_, { at }) => at + DAY / visitsPerDay,
    tick: () => {},
  }
}

/** Miniflux's rule: visits in proportion to the posting rate, scaled to the budget. */
export function proportional(world: World): VisitPolicy {
  const schedules = world.map(() => newSchedule(0))
  let factor = 1
  let nextAt = 0
  const interval = (rate: number) => clamp(DAY / (factor * rate))
  return {
    name: 'proportional',
    early: (_, lastAt) => lastAt + SHORTEST,
    next(i, { at, lastAt, fresh }) {
      const s = updateRates(schedules[i] as Schedule, {
        at,
        since: lastAt,
        publishedAt: [...fresh],
      })
      schedules[i] = s
      return at + interval((s.seen + 0.3) / (s.exposureDays + 1))
    },
    tick(now, _lag, perDay) {
      if (now < nextAt) return
      nextAt = now + 2 * HOUR
      const rates = schedules.map((s) => (s.seen + 0.3) / (s.exposureDays + 1))
      factor = bisect((x) => costOf(rates, (r) => clamp(DAY / (x * r))), perDay)
    },
  }
}

/** Nutch's adaptive schedule: the interval gets a fifth shorter after a change, a fifth longer without one. */
export function nutch(world: World, visitsPerDay: number): VisitPolicy {
  const intervals = new Float64Array(world.length).fill(DAY / visitsPerDay)
  return {
    name: 'nutch',
    early: () => Infinity,
    next(i, { at, fresh }) {
      const ms = Math.min(
        7 * DAY,
        Math.max(SHORTEST, (intervals[i] ?? DAY) * (fresh.length > 0 ? 0.8 : 1.2)),
      )
      intervals[i] = ms
      return at + ms
    },
    tick: () => {},
  }
}

/** LambdaCrawl (Kolobov and others, 2019) with equal weights, given the true mean rates. */
export function lambdaCrawl(world: World): VisitPolicy {
  const rates = world.map((c) => c.mean)
  let lambda = 1
  let solvedFor = 0
  const at = (rate: number, l: number) =>
    clamp((2 * DAY) / (Math.sqrt(rate * rate + 4 * rate * l) - rate))
  return {
    name: 'lambdacrawl',
    early: (_, lastAt) => lastAt + SHORTEST,
    next: (i, visited) => visited.at + at(rates[i] ?? 0, lambda),
    tick(_now, _lag, perDay) {
      if (solvedFor === perDay) return
      solvedFor = perDay
      lambda = bisect((x) => costOf(rates, (r) => at(r, x)), perDay)
    },
  }
}

/** The square-root law, given the true mean rates. `scale` multiplies the price that the budget asks for. */
export function rootOracle(world: World, scale: number): VisitPolicy {
  const rates = world.map((c) => c.mean)
  let price = 1
  const at = (rate: number, p: number) =>
    clampOracle(Math.min(Math.sqrt(p / rate), 12 / rate) * DAY)
  let solvedFor = 0
  return {
    name: 'root oracle',
    early: (_, lastAt) => lastAt + SHORTEST,
    next: (i, visited) => visited.at + at(rates[i] ?? 0, price),
    tick(_now, _lag, perDay) {
      if (solvedFor === perDay) return
      solvedFor = perDay
      price = scale / bisect((x) => costOf(rates, (r) => at(r, 1 / x)), perDay)
    },
  }
}

/** Knows the true rate of every hour, and visits once the expected total waiting time of posts has reached the price. */
export function indexOracle(world: World, scale: number): VisitPolicy {
  const root = rootOracle(world, scale)
  const rates = world.map((c) => c.mean)
  let price = 1
  let solvedFor = 0
  return {
    name: 'index oracle',
    early: root.early,
    next(i, { at }) {
      const hourly = (world[i] as SimulatedChannel).hourly
      let sum = 0
      for (let u = 0; u < ORACLE_LONGEST;) {
        const cell = Math.floor((at + u) / HOUR)
        const stop = Math.min(ORACLE_LONGEST, (cell + 1) * HOUR - at)
        const rate = hourly[cell] ?? 0
        const part = (rate * (stop * stop - u * u)) / 2 / DAY / DAY
        if (sum + part >= price / 2)
          return (
            at + Math.max(SHORTEST, Math.sqrt(u * u + ((price / 2 - sum) * 2 * DAY * DAY) / rate))
          )
        sum += part
        u = stop
      }
      return at + ORACLE_LONGEST
    },
    tick(_now, _lag, perDay) {
      if (solvedFor === perDay) return
      solvedFor = perDay
      const interval = (rate: number, p: number) => clampOracle(Math.sqrt(p / rate) * DAY)
      price = scale / bisect((x) => costOf(rates, (r) => interval(r, 1 / x)), perDay)
    },
  }
}

/** Our policy: the square-root law with learnt rates, priced from a sample every 15 minutes. */
export function learned(world: World, seed: number): VisitPolicy {
  const random = createRandom(seed)
  const schedules = world.map(() => newSchedule(0))
  let pricing: Pricing = { price: 0, maxIntervalMs: DAY }
  let usualPerDay: number | undefined
  let pricedAt = 0
  return {
    name: 'telegrep',
    early: (i) => (schedules[i] as Schedule).earliestVisitAt,
    next(i, { at, lastAt, fresh }) {
      const s = updateRates(schedules[i] as Schedule, {
        at,
        since: lastAt,
        publishedAt: [...fresh],
      })
      const planned = planNext(s, null, { at, pricing, random: random() })
      schedules[i] = planned
      return planned.nextVisitAt
    },
    tick(now, lagMs, perDay) {
      usualPerDay = perDay + ((usualPerDay ?? perDay) - perDay) * Math.exp((pricedAt - now) / DAY)
      pricedAt = now
      const sample: Priced[] = []
      const wanted = Math.min(2000, schedules.length)
      for (let k = 0; k < wanted; k++) {
        const i = wanted === schedules.length ? k : Math.floor(random() * schedules.length)
        sample.push({ ...(schedules[i] as Schedule), subscribers: null })
      }
      const budget = { requestsPerDay: perDay, usualPerDay }
      const solved = solvePricing(sample, schedules.length, budget)
      pricing = raisePrice(solved, lagMs, (schedules.length / perDay) * DAY)
    },
  }
}
