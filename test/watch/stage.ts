import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp, type App } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import type { Post } from '../../src/model/post.ts'
import type { Sinks, Watch, WatchOptions } from '../../src/model/watch.ts'
import { openIndexWriter } from '../../src/search/open-search-index.ts'
import { addChannel, samplePost, sampleReading } from '../../src/store/contract/samples.ts'
import { deliver, type DeliverOptions } from '../../src/watch/deliver.ts'
import type { Senders } from '../../src/watch/sender.ts'
import { createSenders } from '../../src/watch/senders.ts'
import { createWatchMatcher, type WatchMatcher } from '../../src/watch/watch-matcher.ts'
import { readWatch } from '../../src/watch/watch-query.ts'
import { createPlainIndexer } from '../plain-indexer.ts'

/** Archive, index, log and watches of a real data folder, driven step by step under the test's own clock. */
export interface Stage extends AsyncDisposable {
  readonly app: App
  readonly matcher: WatchMatcher
  readonly options: DeliverOptions
  readonly delivered: string[]
  /** Errors that were reported as bugs. */
  readonly failed: unknown[]
  /** Events that the matcher could not read. */
  readonly lost: number[]
  now(): number
  pass(ms: number): void
  /** Posts of a channel by number and text; a post whose text differs from before is edited. */
  publish(
    channel: string,
    posts: Readonly<Record<number, string>>,
    fields?: Partial<Post>,
  ): Promise<void>
  erase(channel: string, numbers: readonly number[]): Promise<void>
  watch(name: string, query: string, fields?: Partial<WatchFields>): Promise<Watch>
  /** Judges everything that happened by the watches. */
  tell(): Promise<void>
  /** Sends everything that is due. */
  send(): Promise<void>
}

interface WatchFields {
  readonly sinks: Sinks
  readonly options: Partial<WatchOptions>
  readonly query: Watch['query']
}

const PLAIN: WatchOptions = {
  oncePerStory: false,
  edits: false,
  deletions: false,
  digestMinutes: null,
  quiet: null,
}

export async function openStage(
  env: Readonly<Record<string, string>> = {},
  otherSenders: Partial<Senders> = {},
): Promise<Stage> {
  await using owned = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-watch-'))
  owned.defer(() => rmSync(folder, { recursive: true, force: true }))
  const { config, secrets } = readConfig({ TELEGREP_DATA: folder, TELEGREP_LOG: 'silent', ...env })
  let now = Math.floor(Date.now() / 3_600_000) * 3_600_000
  const clock = { now: () => now, elapsed: () => now, sleep: async () => {} }
  const app = owned.use(await createApp(config, secrets, { clock }))
  const { store, context } = app
  const writer = owned.use(
    await openIndexWriter(config.index, clock, { isExpected: false, onDamaged: () => {} }),
  )
  const indexer = createPlainIndexer({ store, writer, clock })
  const senders = owned.use(createSenders(config.senders, { clock, userAgent: 'telegrep/test' }))
  const delivered: string[] = []
  const failed: unknown[] = []
  const lost: number[] = []
  const options: DeliverOptions = {
    store,
    cards: context.cards,
    senders: { ...senders, ...otherSenders },
    clock,
    isClockWrong: () => false,
    random: () => 0.5,
    events: {
      delivered: ({ sink, outcome }) => delivered.push(`${sink} ${outcome}`),
      sinkStopped: ({ sink, reason }) => delivered.push(`${sink} stopped: ${reason}`),
      workerFailed: (error) => failed.push(error),
    },
  }
  const matcher = createWatchMatcher({
    store,
    clock,
    read: (query) => readWatch(context, query),
    onUnreadable(_watch, error) {
      throw error
    },
    onEventLost: ({ seq }) => lost.push(seq),
  })
  const channelOf = async (name: string) =>
    (await store.archive.channel(name)) ?? (await addChannel(store, name, now))
  const all = owned.move()
  return {
    app,
    matcher,
    options,
    delivered,
    failed,
    lost,
    now: () => now,
    pass: (ms) => (now += ms),
    async publish(channel, posts, fields) {
      const { id } = await channelOf(channel)
      const made = Object.entries(posts).map(([number, text]) =>
        samplePost(Number(number), { text, publishedAt: now - 60_000, ...fields }),
      )
      await store.archive.record(sampleReading(id, { at: now, posts: made }))
      await indexer.drain()
    },
    async erase(channel, numbers) {
      const { id } = await channelOf(channel)
      await store.archive.record(sampleReading(id, { at: now, deleted: numbers }))
      await indexer.drain()
    },
    async watch(name, q, fields = {}) {
      const { last } = await store.events.bounds()
      return store.watches.put({
        name,
        query: { ...(q === '' ? {} : { q }), ...fields.query },
        sinks: fields.sinks ?? { command: { argv: ['true'] } },
        options: { ...PLAIN, ...fields.options },
        createdAt: now,
        since: last,
      })
    },
    async tell() {
      do await matcher.loadWatches()
      while (await matcher.step())
    },
    async send() {
      const never = new AbortController().signal
      for (;;) {
        const delivery = await store.deliveries.lease(60_000)
        if (!delivery) return
        await deliver(options, delivery, never)
      }
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}
