import { createAccess } from './access/access.ts'
import { expectSameSettings } from './same-settings.ts'
import type { Tiers } from './access/tiers.ts'
import type { Config, Secrets } from './config.ts'
import { createLiveReader } from './crawl/live.ts'
import { createPoliteness, type Politeness } from './crawl/politeness.ts'
import { withFreePort } from './free-port.ts'
import { systemClock, type Clock } from './model/clock.ts'
import { createClockCheck, type ClockCheck } from './model/clock-check.ts'
import { createCursorCodec } from './model/cursor.ts'
import { createEvidence } from './evidence/evidence.ts'
import { createStamper } from './evidence/timestamp.ts'
import { createEvents, type Events } from './observe/events.ts'
import { createLog, type Logger } from './observe/log.ts'
import { createMetrics, type Metrics } from './observe/metrics.ts'
import { createContext, type Context } from './operations/context.ts'
import { prepareDataFolder, readSecret, readTiers } from './operator-files.ts'
import { openSearchIndex } from './search/open-search-index.ts'
import type { SearchIndex } from './search/search-index.ts'
import { shareAnswers } from './search/share-answers.ts'
import { ALL_CHANNELS } from './store/archive.ts'
import { skewOf } from './clock-skew.ts'
import { openPictureFiles } from './store/picture-files.ts'
import { openStore } from './store/open-store.ts'
import { isStoreRemote } from './store/store-location.ts'
import type { Store } from './store/store.ts'
import type { PictureSource } from './telegram/picture-source.ts'
import type { Source } from './telegram/source.ts'
import { createWebPictureSource } from './telegram/web-picture-source.ts'
import { createWebSource } from './telegram/web-source.ts'
import { userAgent } from './user-agent.ts'
import { VERSION } from './version.ts'
import { publicLookup } from './watch/private-address.ts'

/** Everything that answers, created but not started: `serve.ts` puts it on the network and starts the loops. */
export interface App extends AsyncDisposable {
  readonly config: Config
  readonly clock: Clock
  readonly clockCheck: ClockCheck
  readonly log: Logger
  readonly metrics: Metrics
  readonly events: Events
  readonly store: Store
  readonly index: SearchIndex
  readonly politeness: Politeness
  readonly source: Source
  readonly pictureSource: PictureSource
  readonly context: Context
  /** Resolves to how far the store's clock is ahead of ours; a database's is told to the check. */
  compareClocks(): Promise<number>
  /** Rejects when other processes on a shared store have another secret or other tiers; to be called from time to time. */
  expectSameSettings(): Promise<void>
}

interface Overrides {
  readonly clock?: Clock
  /** The log level when the operator sets none. Commands whose output is their result log less. */
  readonly log?: 'warn' | 'error'
  /** Whether log lines are coloured; by default the environment decides. */
  readonly color?: boolean
  /** Used when the operator has no tiers file. */
  readonly tiers?: Tiers
  /** An index that is already being opened; the app owns it from now on. */
  readonly index?: Promise<SearchIndex>
  /** Aborts the start, so that it does not wait for servers that do not answer. */
  readonly signal?: AbortSignal | undefined
}

/** Creates everything in order; disposing of the app ends everything in reverse order. */
export async function createApp(
  given: Config,
  secrets: Secrets,
  overrides: Overrides = {},
): Promise<App> {
  await using owned = new AsyncDisposableStack()
  const { clock = systemClock } = overrides
  const clockCheck = createClockCheck(clock)
  const opening = overrides.index ?? openSearchIndex(given.index, clock, overrides.signal)
  owned.defer(async () => {
    const opened = await opening.catch(() => undefined)
    await opened?.[Symbol.asyncDispose]()
  })
  // Avoids an unhandled rejection: the error is reported where `opening` is awaited, below.
  opening.catch(() => {})
  const config = await withFreePort(given)
  await prepareDataFolder(config)
  const log = createLog(
    config.log === 'info' ? (overrides.log ?? 'info') : config.log,
    overrides.color === undefined ? {} : { color: overrides.color },
  )
  const metrics = createMetrics()
  const events = createEvents(log, metrics, clock)
  const secret = await readSecret(config, secrets)
  const tiers = await readTiers(config, overrides.tiers)

  const { retention } = config
  const store = owned.use(
    await openStore({ ...config.store, retention, clock, signal: overrides.signal }),
  )
  const index = shareAnswers(await opening, clock)

  const politeness = createPoliteness({
    budget: store.budget,
    ratePerS: config.crawl.ratePerS,
    clock,
    onThrottled: events.throttled,
  })
  const source = owned.use(
    createWebSource({
      origin: config.sourceUrl,
      clock,
      userAgent: userAgent(config),
      async permit(purpose, signal) {
        await politeness.permit(purpose, signal)
        events.platformAsked(purpose)
      },
      onThrottle: politeness.backOff,
      onPage(outcome) {
        if (outcome.kind === 'page') events.pageRead(outcome.page)
        const problem = outcome.kind === 'unreachable' ? outcome.detail : null
        events.platformHeard({ source: config.sourceUrl, problem })
      },
      canaries: (except) => knownChannels(store, except),
      onDate: (at) => clockCheck.hear('platform', at),
    }),
  )
  const pictureSource = owned.use(
    createWebPictureSource({
      userAgent: userAgent(config),
      maxBytes: config.pictures.limits.pictureBytes,
      now: () => clock.now(),
      origin: config.pictures.url,
      lookup: publicLookup(),
    }),
  )
  const pictureFiles = openPictureFiles(config.pictures.folder)
  const live = createLiveReader({
    source,
    store,
    politeness,
    clock,
    autoIndex: config.autoIndex,
    isClockWrong: clockCheck.isWrong,
  })
  const access = owned.use(
    createAccess({
      ledger: store.ledger,
      tiers,
      pepper: secret,
      clock,
      anonymous: config.anonymous,
    }),
  )
  const context = createContext(
    {
      store,
      pictureFiles,
      index,
      live,
      access,
      clock,
      clockCheck,
      cursors: createCursorCodec(secret, () => clock.now()),
      evidence: createEvidence({
        secret,
        stamper:
          config.timestampUrl === null
            ? null
            : createStamper(config.timestampUrl, clock, events.notStamped),
      }),
      settings: {
        publicUrl: config.publicUrl,
        isPersonal: config.isPersonal,
        version: VERSION,
        contact: config.contact,
        removalUrl: config.removalUrl,
        needsKey: !config.anonymous,
        crawlRatePerS: config.crawl.ratePerS,
        media: config.media,
        stamps: config.timestampUrl !== null,
      },
    },
    events,
  )

  owned.use(context.streams)

  const all = owned.move()
  return {
    config,
    clock,
    clockCheck,
    log,
    metrics,
    events,
    store,
    index,
    politeness,
    source,
    pictureSource,
    context,
    async compareClocks() {
      const aheadMs = await skewOf(store, clock)
      if (isStoreRemote(config.store)) clockCheck.hear('database', clock.now() + aheadMs)
      return aheadMs
    },
    async expectSameSettings() {
      if (isStoreRemote(config.store)) await expectSameSettings(store.roles, { secret, tiers })
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

/** Channels that were read lately, so they exist. They are tried before the platform is believed that another one does not. */
async function knownChannels(store: Store, except: string): Promise<string[]> {
  const { items } = await store.archive.channels({
    ...ALL_CHANNELS,
    status: ['active'],
    sort: 'newest_post',
    limit: 4,
  })
  return items
    .map((channel) => channel.username)
    .filter((name) => name.toLowerCase() !== except.toLowerCase())
}
