/** What the tests of the crawler share: crawler processes, a set of all faults, and the comparison with the truth. */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { VisitFinished } from '../src/model/visit-finished.ts'
import type { Channel } from '../src/model/channel.ts'
import { systemClock, type Clock } from '../src/model/clock.ts'
import { MAX_POST_NUMBER } from '../src/model/post.ts'
import type { Fault } from '../src/simulator/faults.ts'
import type { LoggedRequest } from '../src/simulator/server.ts'
import type { World } from '../src/simulator/world.ts'
import { ALL_CHANNELS } from '../src/store/archive.ts'
import { openStore } from '../src/store/open-store.ts'
import { openPostgresStore } from '../src/store/postgres/postgres-store.ts'
import type { Store } from '../src/store/store.ts'

/** Simulated time that several processes share. */
interface SharedTime {
  readonly startAt: number
  readonly realStartAt: number
  readonly speed: number
}

export function sharedClock({ startAt, realStartAt, speed }: SharedTime): Clock {
  return {
    now: () => Math.round(startAt + (systemClock.now() - realStartAt) * speed),
    elapsed: () => systemClock.elapsed() * speed,
    sleep: (ms, signal) => systemClock.sleep(ms / speed, signal),
  }
}

/** Where a trial's archive is. */
export type TrialStore =
  | { readonly kind: 'sqlite'; readonly folder: string }
  | { readonly kind: 'postgres'; readonly url: string; readonly schema: string }

/** Leases, budget and quotas use the trial's own time, even if the database has a clock. */
export function openTrialStore(at: TrialStore, clock: Clock): Promise<Store> {
  const retention = { deleted: 'redact', versions: 'keep' } as const
  if (at.kind === 'sqlite') return openStore({ ...at, retention, clock })
  return openPostgresStore({ ...at, retention, clock, databaseNow: () => clock.now() })
}

export interface ChildOptions {
  readonly origin: string
  readonly store: TrialStore
  readonly ratePerS: number
  readonly concurrency: number
  readonly pauseMs: number
  readonly time: SharedTime
}

export type ChildVisit = VisitFinished & { readonly endedAt: number }

export interface CrawlChild {
  readonly visits: ChildVisit[]
  readonly crashes: string[]
  /** True once the process has ended, by itself or by a signal. */
  hasEnded(): boolean
  kill(): Promise<void>
  /** Asks it to stop and waits for it. */
  stop(): Promise<number | null>
}

export function startCrawlChild(options: ChildOptions): CrawlChild {
  const script = fileURLToPath(new URL('./crawl-child.ts', import.meta.url))
  const child = spawn(process.execPath, [script, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const visits: ChildVisit[] = []
  const crashes: string[] = []
  createInterface({ input: child.stdout }).on('line', (line) => {
    const said = parse(line)
    if (said === undefined) return
    if ('crashed' in said) crashes.push(line)
    else if ('channel' in said) visits.push(said as unknown as ChildVisit)
  })
  createInterface({ input: child.stderr }).on('line', (line) => crashes.push(line))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return {
    visits,
    crashes,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    async stop() {
      child.kill('SIGTERM')
      return ended
    },
  }
}

/** A line cut off by a kill is ignored. */
function parse(line: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(line) as Record<string, unknown>
  } catch {
    return undefined
  }
}

export async function canariesOf(store: Store, except: string): Promise<string[]> {
  const { items } = await store.archive.channels({
    ...ALL_CHANNELS,
    status: ['active'],
    sort: 'newest_post',
    limit: 3,
  })
  return items.map(({ username }) => username).filter((name) => name !== except)
}

/** Everything that can go wrong, each rarely. */
export function everyFault(scale: number): Fault[] {
  const often = 0.006 * scale
  const rare = 0.002 * scale
  return [
    { kind: 'rate_limit', probability: rare / 2, retryAfterS: 5 },
    { kind: 'server_error', probability: often },
    { kind: 'server_error', status: 503, probability: often },
    { kind: 'soft_throttle', probability: often },
    { kind: 'contact_page', probability: rare },
    { kind: 'reset', probability: often },
    { kind: 'reset_midway', probability: often },
    { kind: 'stall', stallMs: 700, probability: rare },
    { kind: 'slow_body', stallMs: 6_000, probability: rare / 2 },
    { kind: 'truncate', probability: often },
    { kind: 'truncated_gzip', probability: often },
    { kind: 'gzip_bomb', bytes: 11 << 20, probability: rare / 4 },
    { kind: 'huge', bytes: 3 << 20, probability: rare },
    { kind: 'wrong_type', probability: often },
    { kind: 'empty', probability: often },
    { kind: 'garbage', probability: often },
    { kind: 'layout_drift', drift: 'everything', probability: rare },
    { kind: 'layout_drift', drift: 'time', probability: rare },
    { kind: 'layout_drift', drift: 'text', probability: rare },
    { kind: 'stale', surface: 'page', probability: rare },
    { kind: 'redirect_loop', probability: rare },
    { kind: 'redirect_away', probability: rare },
    { kind: 'renamed', probability: rare },
    { kind: 'blocked', probability: rare },
    { kind: 'preview_off', probability: rare },
    { kind: 'reassigned', probability: rare },
  ]
}

export interface Difference {
  readonly channel: string
  readonly what: 'missing' | 'invented' | 'stale' | 'undeleted'
  readonly number: number
}

const MONTH_MS = 30 * 86_400_000

/**
 * Compares a channel's archive with the truth at its last visit: every post since the first visit's horizon is there, none
 * is invented, the posts of the newest page are as shown, and deletions there are known.
 */
export async function differences(
  store: Store,
  world: World,
  channel: Channel,
  options: { readonly firstVisitAt: number; readonly deletedBefore: number },
): Promise<Difference[]> {
  const schedule = await store.frontier.schedule(channel.id)
  const at = schedule?.lastVisitAt ?? null
  const name = channel.username
  if (at === null) return [{ channel: name, what: 'missing', number: 0 }]
  const found: Difference[] = []
  const truth = world.truth.postsAt(name, at)
  const horizon = options.firstVisitAt - MONTH_MS
  const recent = truth.filter((post) => post.publishedAt >= horizon)
  const expected = recent.length > 500 ? recent.slice(-450) : recent
  const refs = expected.map(({ number }) => ({ channelId: channel.id, number }))
  const archived = await store.archive.posts(refs)
  const newest = new Set(truth.slice(-10).map((post) => post.number))
  expected.forEach((post, i) => {
    const kept = archived[i]
    if (!kept || kept.deletedAt !== null) {
      found.push({ channel: name, what: 'missing', number: post.number })
    } else if (newest.has(post.number) && kept.text !== post.text) {
      found.push({ channel: name, what: 'stale', number: post.number })
    }
  })
  const lowest = truth.at(-15)?.number ?? 1
  for (const number of await store.archive.numbersBetween(channel.id, 1, MAX_POST_NUMBER)) {
    const history = world.truth.historyOf(name, number, at)
    if (!history) found.push({ channel: name, what: 'invented', number })
    else if (
      history.deletedAt !== null &&
      history.deletedAt < options.deletedBefore &&
      number >= lowest
    ) {
      found.push({ channel: name, what: 'undeleted', number })
    }
  }
  return found
}

/** The most requests within any window of that length. */
export function busiest(requests: readonly LoggedRequest[], windowMs: number): number {
  let most = 0
  let from = 0
  requests.forEach(({ at }, i) => {
    while ((requests[from]?.at ?? at) <= at - windowMs) from++
    most = Math.max(most, i - from + 1)
  })
  return most
}
