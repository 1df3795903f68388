import { addressOf } from './config.ts'
import { indexFolder, readLanguageModel } from './app.ts'
import type { App } from './app.ts'
import { addChannels } from './crawl/add-channels.ts'
import { createCrawler } from './crawl/crawler.ts'
import { createOwner } from './crawl/owner.ts'
import { createAdminApp } from './http/admin.ts'
import { listen } from './http/listen.ts'
import type { Listener } from './http/listen.ts'
import { mountMcp } from './http/mount-mcp.ts'
import { createHttpApp } from './http/server.ts'
import { DEFAULT_SHED_LIMITS, createShedder } from './http/shed.ts'
import { startIndexer } from './indexing/start-indexer.ts'
import { maintain } from './maintain.ts'
import { createMcpHttp } from './mcp/server.ts'
import { readChannelsFile } from './operator-files.ts'
import { createWeb } from './web/pages.ts'

export interface ServeOptions {
  readonly api: boolean
  readonly crawl: boolean
  /** Told once everything runs. */
  readonly onReady?: (running: { readonly address: string | null }) => void
}

/** Runs the service until aborted, then drains: no new requests, running ones answered, visits ended. */
export async function serve(app: App, options: ServeOptions, signal: AbortSignal): Promise<void> {
  await using running = new AsyncDisposableStack()
  const loops = new AbortController()
  const both = AbortSignal.any([signal, loops.signal])
  const address = options.api ? await startApi(app, running) : null
  if (options.api) await startAdmin(app, running)

  const work = [maintain(app, both)]
  if (options.crawl) {
    running.use(await indexer(app))
    await addFromFile(app)
    work.push(crawl(app, both))
  }
  options.onReady?.({ address })
  // The first loop to fail ends the service: half of it running would look like all of it.
  try {
    await Promise.race([Promise.all(work), aborted(signal)])
  } finally {
    loops.abort(new Error('the service stops'))
    await Promise.allSettled(work)
  }
}

async function startApi(app: App, running: AsyncDisposableStack): Promise<string> {
  const { config, context, events, clock } = app
  const shedder = running.use(createShedder(DEFAULT_SHED_LIMITS))
  const mcp = createMcpHttp(context, events)
  running.defer(() => mcp.close())
  const http = createHttpApp({
    ctx: context,
    events,
    shedder,
    trustProxy: config.trustProxy,
    isReady: () => isReady(app),
    mcp: mountMcp(context, mcp),
    web: createWeb({
      ctx: context,
      showMedia: config.media === 'show',
      crawlRatePerS: config.crawl.ratePerS,
      onFailure: events.requestFailed,
    }) as never,
  })
  const { host, port, publicUrl } = config
  const listener: Listener = running.use(await listen(http, { host, port, publicUrl, clock }))
  return addressOf(host, listener.port)
}

async function startAdmin(app: App, running: AsyncDisposableStack): Promise<void> {
  const { config, metrics, clock } = app
  if (config.admin === null) return
  const { registry } = metrics
  const admin = createAdminApp({
    metrics: async () => ({ text: await registry.metrics(), contentType: registry.contentType }),
    isReady: () => isReady(app),
  })
  running.use(await listen(admin, { ...config.admin, publicUrl: config.publicUrl, clock }))
}

/** Store and index answer; whatever the platform does or how far the index is behind. */
async function isReady(app: App): Promise<boolean> {
  try {
    await Promise.all([app.store.archive.totals(), app.index.state()])
    return true
  } catch {
    return false
  }
}

async function indexer(app: App): Promise<AsyncDisposable> {
  const { config, events } = app
  return startIndexer({
    store: { kind: 'sqlite', folder: config.dataFolder, retention: config.retention },
    index: { kind: 'embedded', folder: indexFolder(config) },
    languageModel: await readLanguageModel(),
    events,
  })
}

function crawl(app: App, signal: AbortSignal): Promise<void> {
  const { config, store, source, politeness, clock, events } = app
  return createCrawler({
    store,
    source,
    politeness,
    clock,
    owner: createOwner(),
    ratePerS: config.crawl.ratePerS,
    concurrency: config.crawl.concurrency,
    autoIndex: config.autoIndex,
    events,
    random: Math.random,
  }).run(signal)
}

async function addFromFile(app: App): Promise<void> {
  const names = await readChannelsFile(app.config)
  if (names.length > 0) await addChannels(app.store, names, app.clock)
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
