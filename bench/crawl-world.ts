/** A world of channels that post over weeks, in plain arrays, for which the crawl benchmark schedules visits. */

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

export interface SimulatedChannel {
  /** Publication times, ascending. A post's number is its index. */
  readonly posts: Float64Array
  /** Long-run mean in posts a day. */
  readonly mean: number
  /** True rate in each hour, in posts a day: known only to the oracles. */
  readonly hourly: Float64Array
}

export type Random = () => number

/** Mulberry32: small, fast and the same on every machine. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

function poisson(mean: number, random: Random): number {
  if (mean > 30) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal(random)))
  let product = random()
  const limit = Math.exp(-mean)
  let n = 0
  while (product > limit) {
    product *= random()
    n++
  }
  return n
}

/** Mean number of posts that each post sets off, within some 20 minutes. */
const BRANCHING = 0.3
const CLUSTER_MS = 20 * MINUTE

/**
 * 60 % of the channels are active (lognormal, median 2 posts a day), 40 % nearly dormant. Daily curves have a
 * peak-to-trough ratio of up to 20:1 in four time zones. Weekends are quiet, the rate changes every ten days or so, and
 * posts set off others.
 */
export function createWorld(channels: number, days: number, seed: number): SimulatedChannel[] {
  const random = createRandom(seed)
  return Array.from({ length: channels }, () => createChannel(days, random))
}

function createChannel(days: number, random: Random): SimulatedChannel {
  const active = random() < 0.6
  const base = active
    ? Math.min(1500, 2 * Math.exp(1.8 * normal(random)))
    : 0.02 * Math.exp(normal(random))
  const steepness = 1.5 * random()
  const peak = 12 + 6 * Math.floor(4 * random()) + 4 * (random() - 0.5)
  const weekend = 0.5 + 0.5 * random()
  const hourly = new Float64Array(days * 24)
  let regime = 1
  let regimeEnds = -Math.log(1 - random()) * 10 * 24
  for (let h = 0; h < hourly.length; h++) {
    if (h > regimeEnds) {
      regime = Math.exp(0.7 * normal(random))
      regimeEnds = h - Math.log(1 - random()) * 10 * 24
    }
    const day = Math.floor(h / 24) % 7
    const curve = Math.exp(steepness * Math.cos((2 * Math.PI * (h - peak)) / 24))
    hourly[h] = base * regime * (day >= 5 ? weekend : 1) * curve
  }
  const posts: number[] = []
  for (let h = 0; h < hourly.length; h++) {
    const first = poisson(((hourly[h] ?? 0) / 24) * (1 - BRANCHING), random)
    for (let i = 0; i < first; i++) addCluster(posts, (h + random()) * HOUR, random)
  }
  const end = days * DAY
  const sorted = Float64Array.from(posts.filter((at) => at < end)).sort()
  const mean = hourly.reduce((a, b) => a + b, 0) / hourly.length
  return { posts: sorted, mean, hourly }
}

function addCluster(posts: number[], at: number, random: Random): void {
  posts.push(at)
  const children = poisson(BRANCHING, random)
  for (let i = 0; i < children; i++)
    addCluster(posts, at - Math.log(1 - random()) * CLUSTER_MS, random)
}
