/** A crawler in its own process, to be killed. It reports its visits as lines of JSON on stdout. */
import { createCrawler } from '../src/crawl/crawler.ts'
import { createOwner } from '../src/store/owner.ts'
import { createPoliteness } from '../src/crawl/politeness.ts'
import { createWebSource } from '../src/telegram/web-source.ts'
import { canariesOf, openTrialStore, sharedClock, type ChildOptions } from './crawl-harness.ts'
import { UNHEARD_CRAWL } from './unheard-events.ts'

const options = JSON.parse(process.argv[2] ?? '{}') as ChildOptions
const clock = sharedClock(options.time)
const stop = new AbortController()
process.once('SIGTERM', () => stop.abort(new Error('told to stop')))

await using store = await openTrialStore(options.store, clock)
const { ratePerS, pauseMs } = options
const politeness = createPoliteness({ budget: store.budget, ratePerS, clock, pauseMs })
await using source = createWebSource({
  origin: options.origin,
  clock,
  userAgent: 'telegrep/test',
  permit: politeness.permit,
  onThrottle: politeness.backOff,
  canaries: (except) => canariesOf(store, except),
  // Longer than a busy machine needs, shorter than the faults take.
  timeouts: { connectMs: 3_000, headersMs: 2_000, bodyMs: 2_000, totalMs: 4_000 },
})
const say = (line: unknown) => process.stdout.write(`${JSON.stringify(line)}\n`)
await createCrawler({
  store,
  source,
  politeness,
  clock,
  isClockWrong: () => false,
  owner: createOwner(),
  ratePerS,
  concurrency: options.concurrency,
  autoIndex: 'off',
  random: Math.random,
  events: {
    ...UNHEARD_CRAWL,
    visitFinished: (event) => say({ ...event, delaysMs: [], endedAt: clock.now() }),
    crashed: ({ channel, error }) =>
      say({ crashed: channel, error: String((error as Error).stack) }),
    paused: ({ until }) => say({ pausedUntil: until }),
  },
}).run(stop.signal)
