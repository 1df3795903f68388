/**
 * When to visit a channel next. A post waits half an interval T on average, so for a channel that posts at `rate` the delay
 * costs weight·rate·T/2 and the requests cost price/T: the sum is least at T = sqrt(2·price/(weight·rate)). With one price for
 * all channels, chosen so that the visits fill the request budget, the mean delay is the least possible.
 * Pure: no clock, no randomness. Rates are in posts per day.
 */
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../model/time.ts'
import type { Schedule } from '../store/frontier.ts'

/** Decay times of the two rate estimates: a week, and about a hundred minutes for bursts and the time of day. */
const SLOW_DAYS = 7
const FAST_DAYS = 0.07
/** The weight, in posts, of the week's rate against that of the last hours. Tuned in `bench/crawl.bench.ts`. */
const PRIOR_POSTS = 1.5
/** Posts on a page: up to this many new ones cost one request. */
const PAGE = 20
/** The largest share of the budget that visiting all channels at the longest interval may cost; otherwise that is raised. */
const STARVATION_SHARE = 0.3
/** A decayed count below this means about 90 days of silence: a little more than exp(-90/7). */
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
  /** The longest interval at present, so that no channel starves. */
  readonly maxIntervalMs: number
}

/** What the price is computed from. */
export type Priced = Pick<
  Schedule,
  'seen' | 'exposureDays' | 'seenFast' | 'exposureFastDays' | 'demand'
> & { readonly subscribers: number | null }

/** The expected posts per day now: the week's rate as the prior, updated with the last hours (Gamma-Poisson). */
export function rateOf(s: Omit<Priced, 'demand' | 'subscribers'>): number {
  const slow = (s.seen + 0.3) / (s.exposureDays + 1)
  return (PRIOR_POSTS + s.seenFast) / (PRIOR_POSTS / slow + s.exposureFastDays)
}

/** How much a delay of one post matters. Because of the square root, four times the weight means twice the visits. */
export function weightOf(subscribers: number | null, demand: number): number {
  return 1 + Math.log10(1 + (subscribers ?? 0)) / 3 + Math.min(8, Math.log2(1 + demand))
}

/** Whether a channel has shown no post for about 90 days. */
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
  // With more than 12 expected posts a visit often needs a second page, so waiting longer would save no requests.
  const days = Math.min(root, (0.6 * PAGE) / need.rate)
  return Math.max(POLICY.floorMs, Math.min(days * DAY_MS, longest))
}

/**
 * The price at which the visits of all channels fill the budget, computed from a sample of them. A budget below the usual one
 * is assumed to be temporary: intervals at most double, or visits planned in bad hours would still be far off in good ones.
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

/** When visits run late, the price is raised, so that all intervals grow alike until the queue has caught up. */
export function raisePrice(pricing: Pricing, lagMs: number, meanIntervalMs: number): Pricing {
  const factor = 1 + Math.min(4, Math.max(0, lagMs) / Math.max(meanIntervalMs, POLICY.floorMs))
  return { ...pricing, price: pricing.price * factor }
}

/** Updates the rate estimates after a visit that read the channel. From `since` on, every post was seen. */
export function updateRates(
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

/** Plans the next visit after one that read the channel. `random`, in [0, 1), spreads visits by shortening the interval. */
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
