import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { channelsOf, createDerive, derive, grouped } from '../src/indexing/derive.ts'
import { drainChanges } from '../test/drain-changes.ts'
import { createIndexer } from '../src/indexing/indexer.ts'
import type { Channel } from '../src/model/channel.ts'
import { systemClock } from '../src/model/clock.ts'
import type { Post } from '../src/model/post.ts'
import { openIndexWriter } from '../src/search/open-search-index.ts'
import { WINDOW_MS, type IndexDocument } from '../src/search/search-index.ts'
import {
  createBulk,
  generatePosts,
  type BulkChannel,
  type BulkOptions,
  type BulkPost,
} from '../test/simulated/bulk-posts.ts'
import { indexConsumer } from '../src/store/changes.ts'
import { openStore } from '../src/store/open-store.ts'
import type { Store } from '../src/store/store.ts'
import { ANALYZER_VERSION } from '../src/text/analyze.ts'
import type { LanguageDetector } from '../src/text/language.ts'

/** Posts of a channel within a chunk are one transaction; with one for each page of twenty, a million would take hours. */
const CHUNK = 250_000
const CONSUMER = indexConsumer(ANALYZER_VERSION)
const BATCH = 10_000
const READING = {
  at: systemClock.now(),
  capture: 'crawl',
  parserVersion: 1,
  profile: null,
  deleted: [],
} as const

export function bulkOptions(posts: number) {
  return {
    seed: 'service',
    count: posts,
    channels: 2000,
    until: systemClock.now(),
    days: 29,
  } satisfies BulkOptions
}

/** Every post is in its channel's language: the cost of detection is measured elsewhere. */
const KNOWN: LanguageDetector = {
  detect: () => ({ code: null, score: 0, letters: 0 }),
  detectObvious: () => undefined,
}

/** What a data folder is filled with. */
export interface DataSource {
  readonly name: string
  readonly count: number
  readonly channels: readonly BulkChannel[]
  /** In ascending order of time. */
  posts(): Iterable<BulkPost>
}

export function bulkData(count: number): DataSource {
  const options = bulkOptions(count)
  const { channels } = createBulk(options)
  return { name: `posts-${count}`, count, channels, posts: () => generatePosts(options) }
}

/** Fills a data folder with this many simulated posts, or those of a source, archived and indexed, unless it is filled. */
export async function prepareData(folder: string, from: number | DataSource): Promise<void> {
  const source = typeof from === 'number' ? bulkData(from) : from
  const mark = join(folder, source.name.replaceAll(' ', '-'))
  if (existsSync(mark)) return
  mkdirSync(folder, { recursive: true })
  const retention = { deleted: 'redact', versions: 'keep' } as const
  await using store = await openStore({ kind: 'sqlite', folder, retention })
  await beginIndex(store, join(folder, 'index'))
  await using index = startWriter(join(folder, 'index'))
  const ids = await addChannels(store, source.channels)
  const languages = new Map(source.channels.map((each) => [ids[each.index]!, each.language]))

  async function indexWaiting(): Promise<number> {
    return drainChanges(store, CONSUMER, BATCH, async (changes) => {
      const refs = changes.flatMap((change) => (change.kind === 'post' ? [change] : []))
      const found = await store.archive.posts(refs)
      const known = await channelsOf(
        store.archive,
        refs.map((ref) => ref.channelId),
      )
      const settled = new Map(
        [...known].map(([id, each]) => [id, settle(each, languages.get(id)!)]),
      )
      const made = derive(KNOWN, found, settled, systemClock.now() - WINDOW_MS)
      await store.archive.saveDerived(made.derived)
      await index.put(await grouped(store.groups, made.searchable))
    })
  }

  let prepared = 0
  let byChannel = new Map<BulkChannel, Post[]>()
  for (const { channel, post } of source.posts()) {
    const held = byChannel.get(channel)
    if (held) held.push(post)
    else byChannel.set(channel, [post])
    prepared++
    if (prepared % CHUNK !== 0 && prepared < source.count) continue
    for (const [each, posts] of byChannel) {
      await store.archive.record({ ...READING, channelId: ids[each.index]!, posts })
    }
    byChannel = new Map()
    while ((await indexWaiting()) > 0);
    console.log(`prepared ${prepared} posts`)
  }
  await index.flushed()
  writeFileSync(mark, '')
}

/** An index that was never complete is rebuilt at the first start; the index of an empty archive is complete. */
async function beginIndex(store: Store, folder: string): Promise<void> {
  await using writer = await openIndexWriter({ kind: 'embedded', folder }, systemClock)
  const events = { indexed() {}, rebuilding() {}, failed() {} }
  const clock = systemClock
  const derived = createDerive(KNOWN)
  const indexer = createIndexer({ store, writer, derive: derived, clock, events })
  await indexer.rebuild(new AbortController().signal)
}

function startWriter(folder: string) {
  const worker = new Worker(new URL('./data-writer-thread.ts', import.meta.url), {
    workerData: { folder },
  })
  const failed = new Promise<never>((_, reject) => worker.once('error', reject))
  failed.catch(() => undefined)
  let last: Promise<unknown> = Promise.resolve()
  return {
    /** Resolves when the previous batch is written, so that one batch may wait. */
    async put(documents: readonly IndexDocument[]): Promise<void> {
      await last
      last = Promise.race([failed, new Promise((resolve) => worker.once('message', resolve))])
      worker.postMessage(documents)
    },
    flushed: () => last,
    async [Symbol.asyncDispose]() {
      await last
      const ended = new Promise((resolve) => worker.once('exit', resolve))
      worker.postMessage(null)
      await ended
    },
  }
}

function settle(channel: Channel, language: string): Channel {
  return { ...channel, language, languages: [{ code: language, share: 1 }], posts: 1000 }
}

async function addChannels(store: Store, channels: readonly BulkChannel[]): Promise<number[]> {
  const ids: number[] = []
  for (const { username, platformId, title, description, subscribers } of channels) {
    const { at } = READING
    const added = await store.archive.addChannel(username, { at, status: 'queued' })
    if (added.outcome === 'removed') throw new Error(`${username} is removed`)
    ids.push(added.channel.id)
    await store.archive.record({
      ...READING,
      channelId: added.channel.id,
      profile: {
        username,
        platformId,
        title,
        description,
        avatarUrl: null,
        verified: false,
        subscribers: { value: subscribers, approx: false, raw: String(subscribers), asOf: at },
        counters: { photos: null, videos: null, files: null, links: null },
      },
      posts: [],
    })
  }
  return ids
}
