import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createApp, type App } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { addChannels } from '../src/crawl/add-channels.ts'
import { serve } from '../src/serve.ts'
import { indexConsumer } from '../src/store/changes.ts'
import { ANALYZER_VERSION } from '../src/text/analyze.ts'
import { startSimulator, type Simulator } from '../src/simulator/server.ts'
import type { WorldOptions } from '../src/simulator/world.ts'

export interface Service extends AsyncDisposable {
  readonly app: App
  readonly simulator: Simulator
  /** Base address without a trailing slash. */
  readonly url: string
  readonly folder: string
  readonly names: readonly string[]
  /** Waits until every simulated channel has been visited and the index has every change. */
  settled(timeoutMs?: number): Promise<void>
}

/** The whole program in this process, over real sockets, on a temporary folder, reading a simulated platform. */
export async function startService(
  options: {
    readonly world?: Partial<WorldOptions>
    /** A running simulator to use instead of a new world. */
    readonly simulator?: Simulator
    readonly env?: Readonly<Record<string, string>>
    /** Where pictures are fetched, if not from the simulator. */
    readonly picturesUrl?: string
    readonly crawl?: boolean
    /** Called before the first channel is read. */
    readonly prepare?: (app: App, simulator: Simulator) => Promise<void>
  } = {},
): Promise<Service> {
  await using owned = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-service-'))
  owned.defer(() => rmSync(folder, { recursive: true, force: true }))
  const simulator =
    options.simulator ??
    owned.use(
      await startSimulator({
        world: { seed: 'service', channels: 12, days: 20, startAt: Date.now(), ...options.world },
      }),
    )
  const { config: read, secrets } = readConfig({
    TELEGREP_DATA: folder,
    TELEGREP_PORT: '0',
    TELEGREP_SOURCE_URL: simulator.url,
    TELEGREP_CRAWL_RATE: '500',
    TELEGREP_CRAWL_CONCURRENCY: '8',
    TELEGREP_LOG: 'error',
    ...options.env,
  })
  const pictures = { ...read.pictures, url: options.picturesUrl ?? simulator.url }
  const app = owned.use(await createApp({ ...read, pictures }, secrets))
  await options.prepare?.(app, simulator)
  const names = simulator.world.truth.readableNames(simulator.now())
  if (options.crawl !== false) await addChannels(app.store, names, app.clock)

  const stop = new AbortController()
  const ready = Promise.withResolvers<string>()
  const running = serve(
    app,
    {
      api: true,
      crawl: options.crawl !== false,
      index: options.crawl !== false,
      onReady: ({ address }) => ready.resolve(address ?? ''),
    },
    stop.signal,
  )
  running.catch(ready.reject)
  owned.defer(async () => {
    stop.abort()
    await running
  })
  const url = await ready.promise
  const all = owned.move()
  return {
    app,
    simulator,
    url,
    folder,
    names,
    settled: (timeoutMs) => settled(app, timeoutMs),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

async function settled({ store, clock }: App, timeoutMs = 120_000): Promise<void> {
  const until = Date.now() + timeoutMs
  for (;;) {
    const [totals, pending, frontier] = await Promise.all([
      store.archive.totals(),
      store.changes.pending(indexConsumer(ANALYZER_VERSION), 1),
      store.frontier.overview(clock.now()),
    ])
    const queued = totals.channelsByStatus.queued ?? 0
    if (queued === 0 && pending.count === 0 && totals.posts > 0) return
    if (Date.now() > until) {
      throw new Error(`not settled: ${JSON.stringify({ totals, frontier })}`)
    }
    await sleep(50)
  }
}
