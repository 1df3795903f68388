import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createIndexer } from '../src/indexing/indexer.ts'
import { systemClock } from '../src/model/clock.ts'
import type { Post } from '../src/model/post.ts'
import { openIndexWriter } from '../src/search/open-search-index.ts'
import { createBulk } from '../src/simulator/bulk-posts.ts'
import type { BulkChannel, BulkOptions } from '../src/simulator/bulk-posts.ts'
import { openStore } from '../src/store/open-store.ts'
import type { Store } from '../src/store/store.ts'
import { ANALYZER_VERSION } from '../src/text/analyze.ts'
import type { LanguageDetector } from '../src/text/language.ts'

const CHUNK = 250_000

export function bulkOptions(posts: number, until: number): BulkOptions {
  return { seed: 'http', count: posts, channels: 2000, until, days: 29 }
}

/** A data folder with so many posts, archived and indexed; made once, and taken as it is when it is there. */
export async function prepareData(folder: string, posts: number): Promise<void> {
  const mark = join(folder, `posts-${posts}`)
  if (existsSync(mark)) return
  mkdirSync(folder, { recursive: true })
  const retention = { deleted: 'redact', versions: 'keep' } as const
  await using store = await openStore({ kind: 'sqlite', folder, retention })
  const bulk = createBulk(bulkOptions(posts, systemClock.now()))
  const ids = await addChannels(store, bulk.channels)
  const index = { kind: 'embedded', folder: join(folder, 'index') } as const
  await using writer = await openIndexWriter(index, systemClock)
  let language: string | null = null
  // Languages are known here: what detecting them costs is measured with the indexer.
  const known: LanguageDetector = {
    detect: () => ({ code: language, score: 1, letters: 100 }),
    confirms: () => true,
  }
  const indexer = createIndexer({
    archive: store.archive,
    writer,
    detector: known,
    analyzerVersion: ANALYZER_VERSION,
    clock: systemClock,
    events: {
      indexed() {},
      rebuilding() {},
      failed(error) {
        throw error
      },
    },
  })
  for (let from = 0; from < posts; from += CHUNK) {
    const byChannel = new Map<BulkChannel, Post[]>()
    for (let i = from; i < Math.min(posts, from + CHUNK); i++) {
      const { channel, post } = bulk.post(i)
      const held = byChannel.get(channel)
      if (held) held.push(post)
      else byChannel.set(channel, [post])
    }
    for (const [channel, batch] of byChannel) {
      language = channel.language
      await store.archive.record({
        channelId: ids[channel.index]!,
        at: systemClock.now(),
        capture: 'crawl',
        parserVersion: 1,
        profile: null,
        posts: batch,
        deleted: [],
      })
    }
    await indexer.drain()
    console.log(`prepared ${Math.min(posts, from + CHUNK)} posts`)
  }
  writeFileSync(mark, '')
}

async function addChannels(store: Store, channels: readonly BulkChannel[]): Promise<number[]> {
  const ids: number[] = []
  for (const { username, platformId, title, description, subscribers } of channels) {
    const at = systemClock.now()
    const added = await store.archive.addChannel(username, { at, status: 'queued' })
    if (added.outcome === 'removed') throw new Error('removed')
    ids.push(added.channel.id)
    await store.archive.record({
      channelId: added.channel.id,
      at,
      capture: 'crawl',
      parserVersion: 1,
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
      deleted: [],
    })
  }
  return ids
}
