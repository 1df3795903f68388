import { once } from 'node:events'
import { addressOf } from './config.ts'
import type { App } from './app.ts'
import { addChannels } from './crawl/add-channels.ts'
import { createCrawler } from './crawl/crawler.ts'
import { createPictureKeeper } from './crawl/picture-keeper.ts'
import { isIndexRemote } from './search/index-location.ts'
import { createOwner } from './store/owner.ts'
import { isStoreRemote } from './store/store-location.ts'
import { lockShared } from './store-lock.ts'
import { createAdmission, placesFor } from './http/admission.ts'
import { createAdminApp } from './http/health.ts'
import { compress } from './http/compress.ts'
import { listen, type Listener } from './http/listen.ts'
import { mountMcp } from './http/mount-mcp.ts'
import { quotaOfAddress } from './http/respond.ts'
import { createHttpApp } from './http/server.ts'
import { startIndexer } from './indexing/start-indexer.ts'
import { maintain } from './maintain.ts'
import { CONTENT_TYPE } from './observe/instruments.ts'
import type { McpHttp } from './mcp/over-http.ts'
import { readLanguageModel } from './language-model.ts'
import { explainListenFailure } from './listen-failure.ts'
import { readChannelsFile } from './operator-files.ts'
import { whyNotReady } from './ready.ts'
import { VERSION } from './version.ts'
import { watchFeed } from './watch/feed.ts'
import { runWatches } from './watch/run-watches.ts'
import { createSenders } from './watch/senders.ts'
import { readWatch } from './watch/watch-query.ts'
import { createWeb } from './web/web.ts'

interface ServeOptions {
  readonly api: boolean
  readonly crawl: boolean
  /** Feeds the index, or stands by while another process does. */
  readonly index: boolean
  /** The platform is simulated; the pages say so. */
  readonly isDemo?: boolean
  /** Called once everything runs. */
  readonly onReady?: (running: Running) => void
}

export interface Running {
  /** Null where no API is served. */
  readonly address: string | null
  readonly adminAddress: string | null
  readonly crawling: boolean
  readonly indexing: boolean
  /** Indexed channels at the start, including those of TELEGREP_CHANNELS. */
  readonly channels: number
  /** How many of them came from an import alone and are not crawled. */
  readonly imported: number
}

/**
 * Runs the service until aborted, then ends all its parts at once, each within a few seconds: no new requests are accepted,
 * running ones are answered, visits are released, and the indexer stops between two batches.
 */
export async function serve(app: App, options: ServeOptions, signal: AbortSignal): Promise<void> {
  await app.expectSameSettings()
  await app.compareClocks()
  // Where engines were slow to answer, Ctrl-C may have come before there is anything to end.
  signal.throwIfAborted()
  const names = options.crawl ? await readChannelsFile(app.config) : []
  const stop = new AbortController()
  const both = AbortSignal.any([signal, stop.signal])
  const parts: AsyncDisposable[] = [await lockShared(app.store)]
  const loops: Promise<void>[] = []
  try {
    const address = options.api ? await startApi(app, parts, options.isDemo === true) : null
    const adminAddress = await startAdmin(app, parts, options.api)
    if (options.crawl) await addNamed(app, names)
    if (options.index) parts.push(await indexer(app))
    if (options.index) loops.push(watch(app, both))
    if (options.crawl) loops.push(crawl(app, both))
    loops.push(maintain(app, both))
    loops.push(keepPictures(app, options.crawl, both))
    const { channels, channelsByStatus } = await app.store.archive.totals()
    const running = { address, crawling: options.crawl, indexing: options.index, channels }
    app.events.started(running)
    // A service starts without its index; whoever started it should not have to wait for the first search to be told why.
    if (options.api) app.index.state().catch((error) => app.events.workerFailed(error, 'search'))
    options.onReady?.({ ...running, imported: channelsByStatus.imported ?? 0, adminAddress })
    // The first loop to fail ends the service: a service of which half is running would look healthy.
    await Promise.race([Promise.all(loops), aborted(signal)])
  } finally {
    stop.abort(new Error('the service stops'))
    await Promise.allSettled([...parts.map((part) => part[Symbol.asyncDispose]()), ...loops])
    app.events.stopped()
  }
}

async function startApi(app: App, parts: AsyncDisposable[], isDemo: boolean): Promise<string> {
  const { config, context, events, clock } = app
  const face = new AsyncDisposableStack()
  parts.push(face)
  const isRemote = isStoreRemote(config.store) || isIndexRemote(config.index)
  const places = { other: placesFor(app.index.capacity, isRemote) }
  const admission = createAdmission(places, context, events.requestShed)
  // Loaded with the first MCP request, so that no start waits for the protocol's library.
  let mcp: Promise<McpHttp> | undefined
  const openMcp = async () => {
    const { createMcpHttp } = await import('./mcp/over-http.ts')
    return createMcpHttp(context, events, admission.enter)
  }
  face.defer(async () => (await mcp)?.close())
  const http = createHttpApp({
    ctx: context,
    events,
    trustProxy: config.trustProxy,
    whyNotReady: () => whyNotReady(app, true),
    mcp: mountMcp(context, () => (mcp ??= openMcp())),
    feedOf: (asked) => watchFeed(context, asked),
    web: createWeb({
      ctx: context,
      showMedia: config.media === 'show',
      isDemo,
      compress,
      onFailure: events.requestFailed,
      onRefusal: events.requestRefused,
    }),
  })
  const { host, port, publicUrl } = config
  const quotaOf = quotaOfAddress(context)
  const onUntaken = (error: Error) => events.workerFailed(error, 'listener')
  const options = {
    host,
    port,
    publicUrl,
    clock,
    quotaOf,
    isBehindProxy: config.trustProxy > 0,
    isOpen: !config.isPersonal,
    admission,
    onUntaken,
  }
  const listener: Listener = face.use(
    await listen(http, options).catch(explainListenFailure(host, 'TELEGREP')),
  )
  // Disposed of first: closing the listener waits for busy connections, and streams would keep theirs busy.
  face.use(context.streams)
  return addressOf(host, listener.port)
}

async function startAdmin(
  app: App,
  parts: AsyncDisposable[],
  hasApi: boolean,
): Promise<string | null> {
  const { config, metrics, clock } = app
  if (config.admin === null) return null
  const admin = createAdminApp({
    metrics: () => ({ text: metrics.text(), contentType: CONTENT_TYPE }),
    whyNotReady: () => whyNotReady(app, hasApi),
  })
  const { host, port } = config.admin
  const options = { host, port, publicUrl: config.publicUrl, clock }
  const listener = await listen(admin, options).catch(explainListenFailure(host, 'TELEGREP_ADMIN'))
  parts.push(listener)
  return addressOf(host, listener.port)
}

async function indexer(app: App): Promise<AsyncDisposable> {
  const { config, events } = app
  return startIndexer({
    store: { ...config.store, retention: config.retention },
    index: config.index,
    languageModel: await readLanguageModel(),
    events,
  })
}

/** Sends what watches find; runs beside the indexer. */
async function watch(app: App, signal: AbortSignal): Promise<void> {
  const { config, store, context, clock, clockCheck, events } = app
  await using senders = createSenders(config.senders, { clock, userAgent: `telegrep/${VERSION}` })
  await runWatches(
    {
      store,
      cards: context.cards,
      senders,
      clock,
      isClockWrong: clockCheck.isWrong,
      random: Math.random,
      events,
      read: (query) => readWatch(context, query),
    },
    signal,
  )
}

function crawl(app: App, signal: AbortSignal): Promise<void> {
  const { config, store, source, politeness, clock, clockCheck, events } = app
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
    isClockWrong: clockCheck.isWrong,
    random: Math.random,
  }).run(signal)
}

/** Fetches pictures if they are kept and channels are crawled here; erases files in any case. */
function keepPictures(app: App, isCrawling: boolean, signal: AbortSignal): Promise<void> {
  const { config, store, clock, clockCheck, events } = app
  return createPictureKeeper({
    store,
    files: app.context.pictureFiles,
    source: isCrawling && config.media === 'keep' ? app.pictureSource : null,
    limits: config.pictures.limits,
    ratePerS: config.crawl.ratePerS,
    clock,
    isClockWrong: clockCheck.isWrong,
    owner: createOwner(),
    events,
  }).run(signal)
}

async function addNamed({ store, clock, events }: App, names: readonly string[]): Promise<void> {
  for (const { name, outcome } of await addChannels(store, names, clock)) {
    if (outcome === 'invalid' || outcome === 'removed') events.channelRefused({ name, outcome })
  }
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort')
}
