import { createClockCheck } from '../../src/model/clock-check.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAccess } from '../../src/access/access.ts'
import { createKeys, type Keys } from '../../src/access/keys.ts'
import { DEFAULT_TIERS, type Tiers } from '../../src/access/tiers.ts'
import { createClient, type Client } from '../../src/client/client.ts'
import { createHttpApp } from '../../src/http/server.ts'
import type { HttpEvents } from '../../src/http/events.ts'
import { silentEvents } from '../silent-events.ts'
import { listen } from '../../src/http/listen.ts'
import { openApiDocument } from '../../src/http/openapi.ts'
import { quotaOfAddress } from '../../src/http/respond.ts'
import { createAdmission, placesFor, type Places } from '../../src/http/admission.ts'
import type { ChannelProfile } from '../../src/model/channel.ts'
import { systemClock, type Clock } from '../../src/model/clock.ts'
import { createCursorCodec } from '../../src/model/cursor.ts'
import type { MediaMode } from '../../src/model/picture.ts'
import type { Post } from '../../src/model/post.ts'
import { createContext, type Context } from '../../src/operations/context.ts'
import type { Stamper } from '../../src/evidence/package.ts'
import type { LiveReader } from '../../src/crawl/live.ts'
import { createEvidence } from '../../src/evidence/evidence.ts'
import { openIndexWriter, openSearchIndex } from '../../src/search/open-search-index.ts'
import { WINDOW_MS } from '../../src/search/search-index.ts'
import { makePost as makeBarePost } from '../../src/store/contract/make-post.ts'
import { ended, sampleReading } from '../../src/store/contract/samples.ts'
import { openPictureFiles } from '../../src/store/picture-files.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { Retention, Store } from '../../src/store/store.ts'
import { openPlainIndex, type PlainIndex } from '../plain-index.ts'
import type { Derive } from '../../src/indexing/derive.ts'
import { createPlainIndexer } from '../plain-indexer.ts'
import { holdToContract } from './contract.ts'

/** The service on a real socket, with a real store and index, and means to control it. */
export interface Service extends AsyncDisposable {
  readonly url: string
  readonly ctx: Context
  readonly store: Store
  readonly keys: Keys
  readonly client: Client
  readonly clock: Clock
  /** Advances the service's clock. */
  pass(ms: number): void
  /** Writes posts as a crawl would, and brings the index up to date. */
  publish(
    channel: Partial<ChannelProfile> & { username: string },
    posts: readonly Post[],
    deleted?: readonly number[],
  ): Promise<number>
  index(): Promise<void>
  /** Drops from the index what has left the window, as a running indexer does from time to time. */
  expire(): Promise<void>
  get(path: string, headers?: Record<string, string>, init?: RequestInit): Promise<Answer>
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // Tests look into replies of every shape; each is also checked against its schema.
  readonly json: any
}

export interface ServiceOptions {
  readonly tiers?: Tiers
  readonly anonymous?: boolean
  readonly retention?: Retention
  readonly places?: Partial<Places>
  readonly trustProxy?: number
  readonly live?: (store: Store, clock: Clock) => LiveReader
  readonly events?: Partial<HttpEvents>
  /** By default the index is read in this thread. */
  readonly index?: 'embedded'
  /** Opens another store on the same folder, as a second process would. */
  readonly folder?: string
  readonly secret?: string
  readonly media?: MediaMode
  readonly stamper?: Stamper
  /** By default posts are in one of two languages, by their letters. */
  readonly derive?: Derive
}

/** The index with its threads, as in production. */
async function openThreads(folder: string, clock: Clock): Promise<PlainIndex> {
  const location = { kind: 'embedded', folder, workers: 1 } as const
  const writer = await openIndexWriter(location, clock)
  const index = await openSearchIndex(location, clock)
  return {
    writer,
    index,
    async [Symbol.asyncDispose]() {
      await index[Symbol.asyncDispose]()
      await writer[Symbol.asyncDispose]()
    },
  }
}

const NO_LIVE: LiveReader = {
  cached: () => undefined,
  read: () => Promise.resolve({ kind: 'unreachable', what: 'network', detail: 'no platform here' }),
}

export async function startService(options: ServiceOptions = {}): Promise<Service> {
  await using stack = new AsyncDisposableStack()
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'telegrep-api-'))
  if (options.folder === undefined) stack.defer(() => rmSync(folder, { recursive: true }))
  let ahead = 0
  const clock: Clock = {
    now: () => systemClock.now() + ahead,
    elapsed: () => systemClock.elapsed() + ahead,
    sleep: systemClock.sleep,
  }
  const retention = options.retention ?? { deleted: 'redact', versions: 'keep' }
  const store = stack.use(await openStore({ kind: 'sqlite', folder, retention, clock }))
  const { writer, index } = stack.use(
    options.index === 'embedded'
      ? await openThreads(join(folder, 'index'), clock)
      : await openPlainIndex(clock),
  )
  const indexer = createPlainIndexer({
    store,
    writer,
    clock,
    ...(options.derive && { derive: options.derive }),
  })
  const secret = options.secret ?? 'a secret of the tests'
  const shared = {
    ledger: store.ledger,
    tiers: options.tiers ?? DEFAULT_TIERS,
    pepper: secret,
    clock,
  }
  const access = stack.use(createAccess({ ...shared, anonymous: options.anonymous ?? true }))
  const settings = {
    publicUrl: 'https://telegrep.example',
    isPersonal: false,
    version: '0.0.0-test',
    contact: 'mailto:ops@telegrep.example',
    removalUrl: 'https://telegrep.example/removal',
    needsKey: options.anonymous === false,
    crawlRatePerS: 1,
    media: options.media ?? 'link',
    stamps: false,
  }
  const ctx = createContext({
    store,
    pictureFiles: openPictureFiles(join(folder, 'media')),
    index,
    live: options.live?.(store, clock) ?? NO_LIVE,
    access,
    clock,
    clockCheck: createClockCheck(clock),
    cursors: createCursorCodec(secret, () => clock.now()),
    evidence: createEvidence({ secret, stamper: options.stamper ?? null }),
    settings,
  })
  const places = { other: placesFor(index.capacity, false), ...options.places }
  const admission = createAdmission(places, ctx)
  const app = createHttpApp({
    ctx,
    events: { ...silentEvents, ...options.events },
    trustProxy: options.trustProxy ?? 0,
    whyNotReady: () => Promise.all([store.ping(), index.state()]).then(() => null),
  })
  const server = stack.use(
    await listen(app, {
      host: '127.0.0.1',
      port: 0,
      publicUrl: settings.publicUrl,
      clock,
      quotaOf: quotaOfAddress(ctx),
      isOpen: true,
      admission,
    }),
  )
  stack.use(ctx.streams)
  const url = `http://127.0.0.1:${server.port}`
  const document = openApiDocument(settings)
  const owned = stack.move()
  const key = await createKeys(shared)
    .create({ tier: 'unlimited', name: 'tests' })
    .catch(() => undefined)

  const service: Service = {
    url,
    ctx,
    store,
    clock,
    keys: createKeys(shared),
    client: createClient({ url, key: key?.key }),
    pass(ms) {
      ahead += ms
    },
    index: async () => void (await indexer.drain()),
    expire: () => writer.expire(clock.now() - WINDOW_MS),
    async publish(profile, posts, deleted = []) {
      const at = clock.now()
      const added = await store.archive.addChannel(profile.username, { at, status: 'queued' })
      if (added.outcome === 'removed') throw new Error(`${profile.username} is removed`)
      const channelId = added.channel.id
      await store.frontier.makeDue(channelId, 0)
      const lease = { owner: 'test', limit: 1, ttlMs: 1, eager: false }
      const [visit] = await store.frontier.lease(lease)
      if (visit?.channel.id !== channelId) throw new Error(`${profile.username} is not due`)
      const shown = { at, profile: { ...PROFILE, ...profile }, posts, deleted }
      const reading = sampleReading(channelId, shown)
      const numbers = posts.map(({ number }) => number)
      const newestNumber = Math.max(visit.schedule.newestNumber ?? 0, ...numbers)
      const schedule = { ...visit.schedule, nextVisitAt: at, earliestVisitAt: at, newestNumber }
      const walked = [{ before: newestNumber + 1, downTo: Math.min(newestNumber, ...numbers) }]
      await store.frontier.settle(visit.lease, ended(visit, { reading, schedule, walked }))
      await service.index()
      return channelId
    },
    async get(path, headers = {}, init = {}) {
      const authorization: Record<string, string> = key
        ? { Authorization: `Bearer ${key.key}` }
        : {}
      const anonymous = headers['anonymous'] !== undefined
      const { anonymous: _flag, ...sent } = headers
      const response = await fetch(`${url}${path}`, {
        ...init,
        headers: { ...(anonymous ? {} : authorization), ...sent },
      })
      const text = await response.text()
      holdToContract(document, {
        method: init.method ?? 'GET',
        path,
        status: response.status,
        headers: response.headers,
        text,
      })
      const isJson = /json/.test(response.headers.get('content-type') ?? '')
      const json =
        isJson && !/ndjson/.test(response.headers.get('content-type')!) && text !== ''
          ? JSON.parse(text)
          : undefined
      return { status: response.status, headers: response.headers, text, json }
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
  return service
}

const PROFILE: Omit<ChannelProfile, 'username'> = {
  platformId: null,
  title: 'A channel',
  description: '',
  avatarUrl: null,
  verified: false,
  subscribers: null,
  counters: { photos: null, videos: null, files: null, links: null },
}

/** A post with defaults for everything a test does not care about. */
export function makePost(post: Parameters<typeof makeBarePost>[0]): Post {
  return makeBarePost({ text: `post number ${post.number}`, ...post })
}

export function count(value: number, asOf: number, raw = String(value)) {
  return { value, approx: raw !== String(value), raw, asOf }
}
