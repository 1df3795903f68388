import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDerive } from '../../src/indexing/derive.ts'
import { createIndexer } from '../../src/indexing/indexer.ts'
import type { Clock } from '../../src/model/clock.ts'
import { AppError } from '../../src/model/errors.ts'
import type { Post } from '../../src/model/post.ts'
import { openIndexWriter, openSearchIndex } from '../../src/search/open-search-index.ts'
import type { SearchIndex } from '../../src/search/search-index.ts'
import { openStore } from '../../src/store/open-store.ts'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import type { Store } from '../../src/store/store.ts'
import type { LanguageDetector } from '../../src/text/language.ts'
import { engines } from '../engines.ts'
import { ownLocation } from '../open-on-cluster.ts'
import { onDatabase } from '../postgres.ts'
import { NOW, type SamePosts } from './same-posts.ts'

/** An archive and its index, in files or on servers. */
export interface SameArchive extends AsyncDisposable {
  readonly name: string
  readonly store: Store
  readonly index: SearchIndex
  /** Brings the index up to date. */
  catchUp(): Promise<void>
}

const clock: Clock = {
  now: () => NOW,
  elapsed: () => performance.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
}
const retention = { deleted: 'redact', versions: 'keep' } as const

/**
 * Detects languages by script: both archives have to learn the same languages, whatever a model would say. Every text counts
 * as long, so that none takes its channel's language, which in a channel of two languages depends on the order of its posts.
 */
const BY_SCRIPT: LanguageDetector = {
  detect: (text) => ({ code: scriptOf(text), score: 1, letters: 1_000 }),
  detectObvious: () => undefined,
}

function scriptOf(text: string): string {
  if (/[іїєґ]/i.test(text)) return 'uk'
  if (/\p{Script=Cyrillic}/u.test(text)) return 'ru'
  if (/[پچژگ]/.test(text)) return 'fa'
  if (/\p{Script=Arabic}/u.test(text)) return 'ar'
  return /[äöüß]/.test(text) ? 'de' : 'en'
}

export async function openOnFiles(): Promise<SameArchive> {
  await using owned = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-same-'))
  owned.defer(() => rmSync(folder, { recursive: true, force: true }))
  const store = owned.use(await openStore({ kind: 'sqlite', folder, retention, clock }))
  const location = { kind: 'embedded', folder: join(folder, 'index'), workers: 1 } as const
  const writer = owned.use(await openIndexWriter(location, clock))
  const index = owned.use(await openSearchIndex(location, clock))
  return archiveOf('files', { store, writer, index }, owned.move())
}

export async function openOnServers(): Promise<SameArchive> {
  await using owned = new AsyncDisposableStack()
  const schema = `same_${randomUUID().slice(0, 8)}`
  const drop = [schema, `${schema}_ledger`].map((name) => `drop schema if exists ${name} cascade`)
  owned.defer(() => onDatabase(schema, (db) => db.script(drop.join(';'))))
  const { databaseUrl: url } = engines()
  const options = { url, schema, connections: 4, retention, clock, databaseNow: () => NOW }
  const store = owned.use(await openPostgresStore(options))
  const location = owned.use(ownLocation())
  const writer = owned.use(await openIndexWriter(location, clock))
  const index = owned.use(await openSearchIndex(location, clock))
  return archiveOf('servers', { store, writer, index }, owned.move())
}

function archiveOf(
  name: string,
  opened: Pick<SameArchive, 'store' | 'index'> & {
    readonly writer: Awaited<ReturnType<typeof openIndexWriter>>
  },
  owned: AsyncDisposableStack,
): SameArchive {
  const { store, writer, index } = opened
  const events = {
    indexed() {},
    rebuilding() {},
    failed(error: unknown) {
      throw error
    },
  }
  const derive = createDerive(BY_SCRIPT)
  const indexer = createIndexer({ store, writer, derive, clock, events })
  return {
    name,
    store,
    index,
    async catchUp() {
      while ((await again(() => indexer.drain())) > 0);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

const PAGE = 200

/** Records all posts, then what happens to some of them later: edits, deletions, the removal of a post and of a channel. */
export async function fill(
  { store, catchUp }: SameArchive,
  { channels }: SamePosts,
): Promise<Map<string, number>> {
  const ids = new Map<string, number>()
  for (const name of channels.keys()) {
    const added = await again(() => store.archive.addChannel(name, { at: NOW, status: 'queued' }))
    if (added.outcome === 'removed') throw new Error(`${name} was removed`)
    ids.set(name.toLowerCase(), added.channel.id)
  }
  const read = (name: string, posts: readonly Post[], deleted: readonly number[] = []) =>
    again(() =>
      store.archive.record({
        channelId: ids.get(name.toLowerCase())!,
        at: NOW,
        capture: 'crawl',
        parserVersion: 1,
        profile: null,
        posts,
        deleted,
      }),
    )
  for (const [name, posts] of channels) {
    for (let at = 0; at < posts.length; at += PAGE) await read(name, posts.slice(at, at + PAGE))
  }
  await catchUp()
  for (const [name, posts] of channels) {
    const edited = posts
      .filter((post) => post.number % 17 === 0)
      .map((post) => ({ ...post, text: `${post.text}\nverified correction`, edited: true }))
    const gone = posts.filter((post) => post.number % 41 === 0).map((post) => post.number)
    if (edited.length + gone.length > 0) await read(name, edited, gone)
  }
  const names = [...channels.keys()]
  await store.removals.removeChannel(names.at(-1)!, 'asked to', NOW)
  const [first, posts] = [...channels][0]!
  await store.removals.removePost(first, posts.at(-1)!.number, 'asked to', NOW)
  await catchUp()
  return ids
}

/** A process that gets no time on a busy machine loses its transaction; everything written here may be written again. */
async function again<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await work()
    } catch (error) {
      const isBusy = error instanceof AppError && error.code === 'unavailable'
      if (!isBusy || tries === 20) throw error
      await clock.sleep(1_000)
    }
  }
}
