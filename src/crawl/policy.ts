/**
 * When to visit a channel next. A post waits half an interval on average, so with posts at `rate` the delay costs
 * weight·rate·T/2 and the requests 1/T: the sum is least at T = sqrt(2·price/(weight·rate)). One price for all
 * channels, found so that the visits fill the request budget, makes the mean delay the least possible.
 * Pure: no clock, no randomness. Rates are posts a day.
 */
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../model/time.ts'
import type { Schedule } from '../store/frontier.ts'

/** Memory of the two rate estimates: a week, and some hundred minutes for bursts and the time of day. */
const SLOW_DAYS = 7
const FAST_DAYS = 0.07
/** How many posts' worth of belief the week's rate has against the last hours. Tuned in `bench/crawl.bench.ts`. */
const PRIOR_POSTS = 1.5
/** Posts a page holds: up to that many new ones cost one request. */
const PAGE = 20
/** Of the budget: the most that the longest interval alone may cost, else it is raised. */
const STARVATION_SHARE = 0.3
/** Decayed count below which a channel has been silent for some 90 days: exp(-90/7) and a little. */
const SILENT_SEEN = 1e-5

export const POLICY = {
  floorMs: MINUTE_MS,
  maxIntervalMs: DAY_MS,
  silentMaxIntervalMs: 7 * DAY_MS,
  /** With budget to spare a channel may be visited again after this long, whatever its interval. */
  eagerAfterMs: 80 * SECOND_MS,
} as const

export interface Pricing {
  readonly price: number
  /** The starvation bound now. */
  readonly maxIntervalMs: number
}

/** What the price is worked out from. */
export type Priced = Pick<
  Schedule,
  'seen' | 'exposureDays' | 'seenFast' | 'exposureFastDays' | 'demand'
> & { readonly subscribers: number | null }

/** Posts a day to expect now: the week's rate as a prior, corrected by what the last hours showed (Gamma-Poisson). */
export function rateOf(s: Omit<Priced, 'demand' | 'subscribers'>): number {
  const slow = (s.seen + 0.3) / (s.exposureDays + 1)
  return (PRIOR_POSTS + s.seenFast) / (PRIOR_POSTS / slow + s.exposureFastDays)
}

/** How much a minute's delay of one post matters. Under the root, four times the weight is twice the visits. */
export function weightOf(subscribers: number | null, demand: number): number {
  return 1 + Math.log10(1 + (subscribers ?? 0)) / 3 + Math.min(8, Math.log2(1 + demand))
}

/** True once a channel has shown no post for some 90 days. */
export function isSilent(s: { readonly seen: number }): boolean {
  return s.seen < SILENT_SEEN
}

/** The interval the square-root law gives, before jitter. */
export function intervalMs(s: Priced, pricing: Pricing): number {
  return intervalOf(needOf(s), pricing)
}

interface Need {
  readonly rate: number
  readonly weighted: number
  readonly silent: boolean
}

function needOf(s: Priced): Need {
  const rate = rateOf(s)
  return { rate, weighted: rate * weightOf(s.subscribers, s.demand), silent: isSilent(s) }
}

function intervalOf(need: Need, pricing: Pricing): number {
  const root = Math.sqrt((2 * pricing.price) / need.weighted)
  const longest = need.silent
    ? Math.max(pricing.maxIntervalMs, POLICY.silentMaxIntervalMs)
    : pricing.maxIntervalMs
  // Beyond 12 expected posts a visit often needs a second page: waiting longer would save nothing.
  const days = Math.min(root, (0.6 * PAGE) / need.rate)
  return Math.max(POLICY.floorMs, Math.min(days * DAY_MS, longest))
}

/**
 * The price at which the visits of all channels fill the budget, from a sample of them. A budget below the usual one is
 * taken to pass: intervals at most double, or what was planned in bad hours would still be waited for in good ones.
 */
export function solvePricing(
  sample: readonly Priced[],
  total: number,
  budget: { readonly requestsPerDay: number; readonly usualPerDay?: number },
): Pricing {
  const { requestsPerDay, usualPerDay = 0 } = budget
  const starvation = (total / (STARVATION_SHARE * requestsPerDay)) * DAY_MS
  const maxIntervalMs = Math.max(POLICY.maxIntervalMs, starvation)
  const needs = sample.map(needOf)
  const cost = (price: number): number => {
    let sum = 0
    for (const need of needs) {
      const days = intervalOf(need, { price, maxIntervalMs }) / DAY_MS
      sum += (1 + Math.max(0, (need.rate * days) / PAGE - 0.6)) / days
    }
    return (sum * total) / Math.max(1, needs.length)
  }
  const solve = (perDay: number): number => {
    if (cost(0) <= perDay) return 0
    let low = -14
    let high = 8
    for (let i = 0; i < 30; i++) {
      const middle = (low + high) / 2
      if (cost(10 ** middle) > perDay) low = middle
      else high = middle
    }
    return 10 ** high
  }
  const price = solve(requestsPerDay)
  const isShort = usualPerDay > requestsPerDay
  // Intervals grow with the root of the price.
  return { price: isShort ? Math.min(price, 4 * solve(usualPerDay)) : price, maxIntervalMs }
}

/** When the queue runs late, everything is made dearer, so that it catches up for all alike. */
export function dearer(pricing: Pricing, lagMs: number, meanIntervalMs: number): Pricing {
  const factor = 1 + Math.min(4, Math.max(0, lagMs) / Math.max(meanIntervalMs, POLICY.floorMs))
  return { ...pricing, price: pricing.price * factor }
}

/** A visit that read the channel: what it learnt of the rate. `since`: from when on every post was seen. */
export function learn(
  s: Schedule,
  seen: { readonly at: number; readonly since: number; readonly publishedAt: readonly number[] },
): Schedule {
  const days = Math.max(0, seen.at - seen.since) / DAY_MS
  const decayed = (count: number, exposure: number, memory: number): [number, number] => {
    const keep = Math.exp(-days / memory)
    let sum = count * keep
    for (const at of seen.publishedAt) sum += Math.exp(-Math.max(0, seen.at - at) / DAY_MS / memory)
    return [sum, exposure * keep + memory * (1 - keep)]
  }
  const [slow, slowDays] = decayed(s.seen, s.exposureDays, SLOW_DAYS)
  const [fast, fastDays] = decayed(s.seenFast, s.exposureFastDays, FAST_DAYS)
  return {
    ...s,
    seen: slow,
    exposureDays: slowDays,
    seenFast: fast,
    exposureFastDays: fastDays,
    demand: s.demand * Math.exp(-days),
    lastVisitAt: seen.at,
    fails: 0,
    lastFailure: null,
    doubt: null,
    doubtedAt: null,
  }
}

/** When to come again after a visit that read the channel. `random` in [0, 1) spreads visits, never above the bound. */
export function planNext(
  s: Schedule,
  subscribers: number | null,
  plan: { readonly at: number; readonly pricing: Pricing; readonly random: number },
): Schedule {
  const interval = intervalMs({ ...s, subscribers }, plan.pricing) * (0.85 + 0.15 * plan.random)
  return {
    ...s,
    nextVisitAt: plan.at + Math.max(POLICY.floorMs, interval),
    earliestVisitAt: plan.at + Math.min(POLICY.eagerAfterMs, interval),
  }
}
