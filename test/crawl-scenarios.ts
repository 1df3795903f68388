/** Trials of the real crawler against the simulated platform over HTTP: small in `crawler.long.test.ts`, large in `prove`. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addChannels } from '../src/crawl/add-channels.ts'
import { systemClock, type Clock } from '../src/model/clock.ts'
import { startSimulator, type Simulator } from '../src/simulator/server.ts'
import { createWorld, type World } from '../src/simulator/world.ts'
import type { Store } from '../src/store/store.ts'
import {
  busiest,
  differences,
  everyFault,
  openTrialStore,
  sharedClock,
  startCrawlChild,
  type ChildOptions,
  type ChildVisit,
  type CrawlChild,
  type Difference,
  type TrialStore,
} from './crawl-harness.ts'

interface Stage extends AsyncDisposable {
  readonly world: World
  readonly clock: Clock
  readonly simulator: Simulator
  readonly store: Store
  readonly names: readonly string[]
  readonly child: ChildOptions
  verify(): Promise<readonly string[]>
}

async function openStage(options: {
  readonly channels: number
  readonly days: number
  readonly speed: number
  readonly ratePerS: number
  readonly concurrency: number
  readonly place?: Place | undefined
}): Promise<Stage> {
  const { channels, days, speed, ratePerS, concurrency, place = inFiles } = options
  const seed = 11
  const world = createWorld({ seed, channels, days, activity: 0.7, steady: true })
  const time = { startAt: world.startAt, realStartAt: systemClock.now(), speed }
  const clock = sharedClock(time)
  const simulator = await startSimulator({ world, clock, logSize: 1_000_000 })
  const at = await place()
  const store = await openTrialStore(at.store, clock)
  return {
    world,
    clock,
    simulator,
    store,
    names: world.channels.map((channel) => world.usernameAt(channel, clock.now())),
    child: { origin: simulator.url, store: at.store, ratePerS, concurrency, pauseMs: 5_000, time },
    verify: () => store.verify(),
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]()
      await simulator.close()
      await at[Symbol.asyncDispose]()
    },
  }
}

/** A trial's own place for its archive, removed at the end. */
export type Place = () => Promise<
  AsyncDisposable & {
    readonly store: TrialStore
  }
>

const inFiles: Place = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'telegrep-crawl-'))
  return {
    store: { kind: 'sqlite', folder },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  }
}

const pause = (ms: number) => systemClock.sleep(ms)

/** Waits until the condition holds; fails with a message when it never does. */
async function until(holds: () => Promise<boolean>, limitMs: number, what: string): Promise<void> {
  const endAt = systemClock.now() + limitMs
  while (!(await holds())) {
    assert.ok(systemClock.now() < endAt, `${what}: not within ${limitMs / 1000} s`)
    await pause(200)
  }
}

/** A process takes a moment to start, so its life counts from its first request. */
async function begins({ log }: Simulator): Promise<void> {
  const before = log.total
  await until(async () => log.total > before, 30_000, 'a first request')
}

/** With every fault on and killed again and again, the archive equals the truth in the end. */
export async function surviveKills(options: {
  readonly channels: number
  readonly days: number
  readonly kills: number
  readonly killEveryMs: number
  readonly speed: number
  readonly ratePerS: number
  readonly limitMs: number
  readonly place?: Place
  /** How many crawlers run at once. */
  readonly crawlers?: number
}): Promise<Record<string, unknown>> {
  await using stage = await openStage({ ...options, concurrency: 8 })
  const { simulator, store, clock, names } = stage
  simulator.setFaults(everyFault(1))
  await addChannels(store, names, clock)
  const visits: ChildVisit[] = []
  const crashes: string[] = []
  const collect = (child: CrawlChild) => {
    visits.push(...child.visits)
    crashes.push(...child.crashes)
  }
  const startAll = () =>
    Array.from({ length: options.crawlers ?? 1 }, () => startCrawlChild(stage.child))
  for (let i = 0; i < options.kills; i++) {
    const children = startAll()
    await begins(simulator)
    await pause(options.killEveryMs * (0.5 + Math.random()))
    for (const child of children) {
      await child.kill()
      collect(child)
    }
  }
  const lasts = startAll()
  await begins(stage.simulator)
  let open: Difference[] = []
  try {
    await until(() => isSettled(stage), options.limitMs, 'every channel visited, no gap open')
    const ids = new Map<string, number>()
    await until(
      async () => {
        const ended = lasts.find((last) => last.hasEnded())
        assert.ok(!ended, `a crawler ended by itself: ${ended?.crashes.join('\n')}`)
        // First all channels are compared, then only those that differed.
        const suspects = open.length > 0 ? [...new Set(open.map(({ channel }) => channel))] : names
        open = await compare(stage, suspects)
        // What changed while a page was on its way, or could not be confirmed, is seen at the next visit.
        for (const { channel } of open) {
          const id = ids.get(channel) ?? (await store.archive.channel(channel))!.id
          ids.set(channel, id)
          await store.frontier.makeDue(id, clock.now())
        }
        if (open.length > 0) await pause(1_000)
        return open.length === 0
      },
      options.limitMs,
      'the archive equals the truth',
    ).catch((error: unknown) => {
      throw new Error(`${String(error)}\n${JSON.stringify(open.slice(0, 10))}`)
    })
  } finally {
    for (const last of lasts) {
      assert.equal(await last.stop(), 0, 'a crawler ends cleanly when told to')
      collect(last)
    }
  }
  assert.deepEqual(crashes, [])
  assert.deepEqual(await stage.verify(), [])
  const totals = await store.archive.totals()
  const log = simulator.log.entries()
  const tenMinutes = busiest(log, 600_000)
  assert.ok(tenMinutes <= options.ratePerS * 600 + 3, `${tenMinutes} requests in ten minutes`)
  return {
    channels: names.length,
    posts: totals.posts,
    kills: options.kills,
    visits: visits.length,
    requests: simulator.log.total,
    faults: log.filter((request) => request.fault !== null).length,
    simulatedMinutes: Math.round((clock.now() - stage.world.startAt) / 60_000),
    differences: open.length,
  }
}

async function isSettled({ store, names, clock }: Stage): Promise<boolean> {
  const overview = await store.frontier.overview(clock.now())
  if (overview.gaps.gap > 0) return false
  for (const [i, name] of names.entries()) {
    if (i % 20 === 0) await pause(1)
    const channel = await store.archive.channel(name)
    if (!channel || channel.lastVisitedAt === null) return false
  }
  return true
}

async function compare(
  { store, world, clock }: Stage,
  names: readonly string[],
): Promise<Difference[]> {
  const found: Difference[] = []
  for (const name of names) {
    // The platform runs in this process, so it must not block.
    await pause(1)
    const channel = await store.archive.channel(name)
    assert.ok(channel, `${name} is archived`)
    const deletedBefore = clock.now() - 60_000
    const firstVisitAt = clock.now()
    found.push(...(await differences(store, world, channel, { firstVisitAt, deletedBefore })))
  }
  return found
}

/** In real time, with kills: never more than rate + 3 in a second, nor rate × 60 in a minute. */
export async function keepTheRate(options: {
  readonly ratePerS: number
  readonly kills: number
  readonly runMs: number
  readonly place?: Place
}): Promise<Record<string, unknown>> {
  const { ratePerS, kills, runMs, place } = options
  await using stage = await openStage({
    channels: 60,
    days: 5,
    speed: 1,
    ratePerS,
    concurrency: 6,
    place,
  })
  await addChannels(stage.store, stage.names, stage.clock)
  for (let i = 0; i <= kills; i++) {
    const child = startCrawlChild(stage.child)
    await begins(stage.simulator)
    await pause(runMs / (kills + 1))
    await child.kill()
  }
  const log = stage.simulator.log.entries()
  const second = busiest(log, 1_000)
  const minute = busiest(log, 60_000)
  assert.ok(log.length > ratePerS, 'it did work')
  assert.ok(second <= ratePerS + 3, `${second} requests in a second at ${ratePerS} a second`)
  assert.ok(minute <= ratePerS * 60, `${minute} requests in a minute at ${ratePerS} a second`)
  return { ratePerS, kills, requests: log.length, busiestSecond: second, busiestMinute: minute }
}

/** Two processes on one store: both work, and never on the same channel at once. */
export async function shareWork(options: {
  readonly channels: number
  /** How many visits each process has to make. */
  readonly visits: number
  readonly place?: Place
}): Promise<Record<string, unknown>> {
  await using stage = await openStage({
    channels: options.channels,
    place: options.place,
    days: 5,
    // A lease lasts a minute of this time: six seconds, longer than a busy machine keeps a process waiting.
    speed: 10,
    ratePerS: 9,
    concurrency: 4,
  })
  await addChannels(stage.store, stage.names, stage.clock)
  const children = [startCrawlChild(stage.child), startCrawlChild(stage.child)]
  const isEnough = async () => children.every((child) => child.visits.length >= options.visits)
  await until(isEnough, 180_000, 'both processes visit channels')
  for (const child of children) assert.equal(await child.stop(), 0)
  const counts = children.map((child) => child.visits.length)
  for (const child of children) assert.deepEqual(child.crashes, [])
  const visits = children.flatMap((child) => child.visits)
  assert.equal(visits.filter((visit) => visit.outcome === 'stale').length, 0)
  const byChannel = Map.groupBy(visits, (visit) => visit.channel)
  let overlaps = 0
  for (const list of byChannel.values()) {
    const spans = list.map((v) => [v.endedAt - v.tookMs, v.endedAt] as const)
    spans.sort((a, b) => a[0] - b[0])
    spans.forEach(([from], i) => {
      if (i > 0 && from < (spans[i - 1]?.[1] ?? 0)) overlaps++
    })
  }
  assert.equal(overlaps, 0, 'no channel is visited twice at once')
  return { visits: counts, channels: byChannel.size, overlaps }
}

/** A channel in the opt-out register is never requested; one with the opt-out tag in its description is requested once. */
export async function respectOptOut(): Promise<Record<string, unknown>> {
  await using stage = await openStage({
    channels: 30,
    days: 5,
    speed: 30,
    ratePerS: 3,
    concurrency: 4,
  })
  const { store, world, clock, simulator } = stage
  const at = world.startAt - 60_000
  const tagged = world.script.addChannel({
    username: 'leave_me_out',
    description: 'News. #telegrep_optout',
  })
  world.script.publish(tagged, at, { text: 'hello' })
  const removed = stage.names.slice(0, 5)
  await store.removals.removeChannel(removed[0]!, 'asked for', clock.now())
  const added = await addChannels(store, [...stage.names, 'leave_me_out'], clock)
  assert.equal(added[0]?.outcome, 'removed')
  for (const name of removed.slice(1)) {
    await store.removals.removeChannel(name, 'asked for', clock.now())
  }
  const child = startCrawlChild(stage.child)
  const isOver = async () =>
    simulator.log.total > 60 && (await store.removals.find({ name: 'leave_me_out' })) !== undefined
  await until(isOver, 60_000, 'the others are visited')
  await pause(500)
  assert.equal(await child.stop(), 0)
  for (const name of removed)
    assert.equal(simulator.log.of(name).length, 0, `${name} was asked for`)
  assert.ok(await store.removals.find({ name: 'leave_me_out' }))
  assert.equal(await store.archive.channel('leave_me_out'), undefined)
  const asked = simulator.log.of('leave_me_out').length
  assert.equal(asked, 1, 'the tagged channel was asked for once')
  return { removed: removed.length, requestsForThem: 0, requests: simulator.log.total }
}
