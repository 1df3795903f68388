/** A crawler on a store of its own and the fake platform, with a clock that only moves when told. */
import { SECOND_MS } from '../src/model/time.ts'
import { openTemporary } from './open-temporary.ts'
import { createFakePlatform } from './fake-platform.ts'
import { addChannels } from '../src/crawl/add-channels.ts'
import type { VisitFinished } from '../src/model/visit-finished.ts'
import { createCrawler, type CrawlerOptions } from '../src/crawl/crawler.ts'
import { createOwner } from '../src/store/owner.ts'
import { createPoliteness } from '../src/crawl/politeness.ts'
import type { Clock } from '../src/model/clock.ts'
import { createManualClock, type ManualClock } from '../src/simulator/clocks.ts'
import { UNHEARD_CRAWL } from './unheard-events.ts'

export const START = Date.UTC(2026, 8, 1)

export async function openCrawler(
  clock: Clock = createManualClock(START),
  base = clock as ManualClock,
  overrides: Partial<CrawlerOptions> = {},
) {
  const store = await openTemporary(clock)
  const platform = createFakePlatform(clock)
  const ratePerS = overrides.ratePerS ?? 1
  let throttled = 0
  const onThrottled = () => throttled++
  const politeness = createPoliteness({ budget: store.budget, ratePerS, clock, onThrottled })
  const { page, post } = platform.source
  /** Channels whose page says "no posts" although there are some. */
  const hiding = new Set<string>()
  /** Channels whose visits run into a bug. */
  const broken = new Set<string>()
  /** Like the web source, it reports throttling by itself, whoever made the request. */
  const source = {
    ...platform.source,
    async page(...[name, before, read]: Parameters<typeof page>) {
      await politeness.permit(read.purpose, read.signal)
      if (broken.has(name)) throw new TypeError('a bug')
      const outcome = await page(name, before, read)
      if (outcome.kind === 'throttled') await politeness.backOff(outcome)
      return hiding.has(name) ? { kind: 'empty' as const, profile: null } : outcome
    },
    async post(...[name, number, read]: Parameters<typeof post>) {
      await politeness.permit(read.purpose, read.signal)
      return post(name, number, read)
    },
  }
  const visits: VisitFinished[] = []
  const crashes: unknown[] = []
  const start = (owner = createOwner()) => {
    const stop = new AbortController()
    const running = createCrawler({
      store,
      source,
      politeness,
      clock,
      isClockWrong: () => false,
      owner,
      ratePerS,
      concurrency: 2,
      autoIndex: 'off',
      random: () => 0.5,
      drainMs: 0,
      events: {
        ...UNHEARD_CRAWL,
        visitFinished: (event) => visits.push(event),
        crashed: (event) => crashes.push(event),
      },
      ...overrides,
    }).run(stop.signal)
    return {
      async stop() {
        stop.abort(new Error('over'))
        let isOver = false
        const over = running.finally(() => {
          isOver = true
        })
        for (let i = 0; i < 100 && !isOver; i++) await base.advance(SECOND_MS)
        await over
      },
    }
  }
  /** In steps small enough that whoever woke up can sleep again. */
  const pass = async (ms: number) => {
    const step = Math.min(ms, 500)
    for (let t = 0; t < ms; t += step) await base.advance(step)
  }
  const add = async (...names: string[]) => {
    await addChannels(store, names, clock)
    return names.map((name, i) => platform.add(name, 1000 + i))
  }
  return {
    clock,
    store,
    platform,
    politeness,
    visits,
    crashes,
    start,
    pass,
    add,
    hiding,
    broken,
    throttled: () => throttled,
  }
}
