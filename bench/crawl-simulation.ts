/** Runs one visiting policy over a simulated world under a request budget, and measures how late posts are found. */
import { DAY, type SimulatedChannel } from './crawl-world.ts'

const PAGE = 20

/** What a visit found, as told to the policy. */
interface Visited {
  readonly at: number
  readonly lastAt: number
  /** Publication times of the new posts. */
  readonly fresh: Float64Array
}

/** Decides when to visit which channel: `next` is called after each visit, `tick` every 15 simulated minutes. */
export interface VisitPolicy {
  readonly name: string
  /** From when on an idle slot may go to a channel that is not due yet, given its last visit. */
  early(channel: number, lastAt: number): number
  next(channel: number, visited: Visited): number
  tick(now: number, lagMs: number, requestsPerDay: number): void
}

export interface Simulation {
  readonly world: readonly SimulatedChannel[]
  readonly days: number
  readonly warmUpDays: number
  readonly visitsPerDay: number
  /** The share of the budget available at a time; 1 if left out. */
  readonly budgetAt?: (now: number) => number
}

export interface Measured {
  readonly meanMs: number
  readonly p95Ms: number
  readonly within15m: number
  readonly within1h: number
  readonly missed: number
  readonly idle: number
  readonly maxGapMs: number
  /** Requests that found no new post. */
  readonly wasted: number
  /** Mean delay of the posts published in a period. */
  meanBetween(from: number, to: number): number
}

export function simulate(policy: VisitPolicy, s: Simulation): Measured {
  const n = s.world.length
  const end = s.days * DAY
  const found = s.world.map((c) => new Float64Array(c.posts.length).fill(Number.NaN))
  const last = new Float64Array(n)
  const newest = new Int32Array(n)
  const queue = createQueue(n)
  for (let i = 0; i < n; i++) queue.push(i, (i / n) * (DAY / s.visitsPerDay))
  let idle = 0
  let slots = 0
  let wasted = 0
  let maxGapMs = 0
  let nextTick = 0
  const perDay = n * s.visitsPerDay
  for (let now = 0; now < end;) {
    const budget = perDay * (s.budgetAt?.(now) ?? 1)
    const step = DAY / budget
    if (now >= nextTick) {
      policy.tick(now, now - queue.headKey(), budget)
      nextTick = now + DAY / 96
    }
    const i = queue.head()
    const due = queue.headKey() <= now || policy.early(i, last[i] ?? 0) <= now
    if (now > s.warmUpDays * DAY) slots++
    if (!due) {
      if (now > s.warmUpDays * DAY) idle++
      now += step
      continue
    }
    const lastAt = last[i] ?? 0
    const posts = (s.world[i] as SimulatedChannel).posts
    const upTo = upperBound(posts, now)
    const walked = walk(found[i] as Float64Array, upTo, newest[i] ?? 0, now)
    if (walked.fresh === 0) wasted++
    if (now > s.warmUpDays * DAY) maxGapMs = Math.max(maxGapMs, now - lastAt)
    newest[i] = upTo
    last[i] = now
    const fresh = posts.subarray(upTo - walked.fresh, upTo)
    queue.replaceHead(policy.next(i, { at: now, lastAt, fresh }))
    now += step * walked.requests
  }
  return measure(s, found, last, { idle: idle / slots, wasted, maxGapMs })
}

/** A simplified crawler's walk: the newest page, then older ones until a page reaches what was seen before. */
function walk(found: Float64Array, upTo: number, seen: number, now: number) {
  let requests = 0
  let fresh = 0
  let before = upTo
  do {
    const from = Math.max(0, before - PAGE)
    for (let k = from; k < before; k++) {
      if (!Number.isNaN(found[k])) continue
      found[k] = now
      fresh++
    }
    before = from
    requests++
  } while (before > seen)
  return { requests, fresh }
}

function measure(
  s: Simulation,
  found: readonly Float64Array[],
  last: Float64Array,
  rest: { readonly idle: number; readonly wasted: number; readonly maxGapMs: number },
): Measured {
  const from = s.warmUpDays * DAY
  const to = (s.days - 1) * DAY
  const delays: number[] = []
  const published: number[] = []
  let missed = 0
  s.world.forEach((channel, i) => {
    channel.posts.forEach((at, k) => {
      const seenAt = found[i]?.[k] ?? Number.NaN
      if (Number.isNaN(seenAt) && at < (last[i] ?? 0)) missed++
      if (at < from || at >= to) return
      delays.push((Number.isNaN(seenAt) ? s.days * DAY : seenAt) - at)
      published.push(at)
    })
  })
  const mean = (list: readonly number[]) => list.reduce((a, b) => a + b, 0) / list.length
  const sorted = Float64Array.from(delays).sort()
  const share = (limitMs: number) => upperBound(sorted, limitMs) / sorted.length
  return {
    ...rest,
    meanMs: mean(delays),
    p95Ms: sorted[Math.floor(0.95 * sorted.length)] ?? 0,
    within15m: share(15 * 60_000),
    within1h: share(3_600_000),
    missed,
    meanBetween: (a, b) =>
      mean(delays.filter((_, k) => (published[k] ?? 0) >= a && (published[k] ?? 0) < b)),
  }
}

function upperBound(list: Float64Array, value: number): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((list[middle] ?? 0) <= value) low = middle + 1
    else high = middle
  }
  return low
}

/** A binary heap of channels, ordered by when they are due. */
function createQueue(capacity: number) {
  const items = new Int32Array(capacity)
  const keys = new Float64Array(capacity)
  let size = 0
  const at = (i: number) => keys[i] ?? Infinity
  const swap = (a: number, b: number) => {
    ;[items[a], items[b]] = [items[b] ?? 0, items[a] ?? 0]
    ;[keys[a], keys[b]] = [at(b), at(a)]
  }
  return {
    head: () => items[0] ?? 0,
    headKey: () => at(0),
    push(item: number, key: number) {
      let i = size++
      items[i] = item
      keys[i] = key
      while (i > 0 && at((i - 1) >> 1) > at(i)) {
        swap(i, (i - 1) >> 1)
        i = (i - 1) >> 1
      }
    },
    replaceHead(key: number) {
      keys[0] = key
      for (let i = 0; ;) {
        const left = 2 * i + 1
        if (left >= size) return
        const least = left + 1 < size && at(left + 1) < at(left) ? left + 1 : left
        if (at(least) >= at(i)) return
        swap(least, i)
        i = least
      }
    },
  }
}
