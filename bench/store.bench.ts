import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { drainChanges } from '../test/drain-changes.ts'
import type { Post } from '../src/model/post.ts'
import { SHOWN_POSTS } from '../src/store/archive.ts'
import { openStore } from '../src/store/open-store.ts'
import { termHash, termHashes } from '../src/store/terms.ts'
import type { Store } from '../src/store/store.ts'
import { quantile } from './quantile.ts'

/**
 * The embedded store: how fast posts are written, how fast a page is read, how large it gets.
 *
 *     npm run bench -- store [-- <posts>]
 */

interface StoreFigures {
  readonly posts: number
  readonly upsertPostsPerS: number
  /** The same by processor time, which a busy machine does not distort. */
  readonly upsertPostsPerCpuS: number
  readonly rereadPostsPerS: number
  readonly pageP50Ms: number
  readonly pageP95Ms: number
  readonly openMs: number
  readonly statsP95Ms: number
  readonly wordsP95Ms: number
  readonly bytesPerPost: number
  readonly rssMib: number
}

const CHANNELS = 200
const CONSUMER = 'index-1'
const BATCH = 1000
const PAGES = 1000
const WORD_SEARCH = {
  hashes: [[termHash('snow')], [termHash('budget')]],
  holds: ({ text }: Post) => text.includes('snow') && text.includes('budget'),
}
const NOW = Date.UTC(2026, 2, 10, 12)
const WORDS =
  'the city council voted on water snow budget match train report market school north'.split(' ')

export async function run({
  posts: total = 1_000_000,
}: { posts?: number } = {}): Promise<StoreFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-bench-'))
  const options = {
    kind: 'sqlite',
    folder,
    retention: { deleted: 'redact', versions: 'keep' },
  } as const
  try {
    let store = await openStore(options)
    await store.changes.register(CONSUMER)
    const ids = await addChannels(store)
    const perChannel = Math.ceil(total / CHANNELS)
    const upsert = await fill(store, ids, perChannel)
    const rereadMs = await reread(store, ids, upsert.last)
    const bytes = await store.files!.bytes()
    await store[Symbol.asyncDispose]()

    const start = performance.now()
    store = await openStore(options)
    await store.archive.totals()
    const openMs = performance.now() - start
    const random = createRandom(7)
    const pages = await times(PAGES, async () => {
      const channelId = ids[Math.floor(random() * ids.length)]!
      const after = 1 + Math.floor(random() * perChannel)
      await store.archive.listPosts({ ...SHOWN_POSTS, channelId, after, limit: 100 })
    })
    const words = await times(200, async () => {
      const channelId = ids[Math.floor(random() * 10)]!
      await store.archive.listPosts({
        ...SHOWN_POSTS,
        channelId,
        words: WORD_SEARCH,
        limit: 20,
      })
    })
    const stats = await times(200, () =>
      store.archive.stats(ids[Math.floor(random() * ids.length)]!, NOW),
    )
    const rssMib = process.memoryUsage.rss() / 2 ** 20
    await store[Symbol.asyncDispose]()
    const posts = perChannel * CHANNELS
    return {
      posts,
      upsertPostsPerS: Math.round((posts / upsert.ms) * 1000),
      upsertPostsPerCpuS: Math.round((posts / upsert.cpuMs) * 1000),
      rereadPostsPerS: Math.round((REREADS * 20 * 1000) / rereadMs),
      pageP50Ms: rounded(quantile(pages, 0.5)),
      pageP95Ms: rounded(quantile(pages, 0.95)),
      openMs: Math.round(openMs),
      statsP95Ms: rounded(quantile(stats, 0.95)),
      wordsP95Ms: rounded(quantile(words, 0.95)),
      bytesPerPost: Math.round(bytes / posts),
      rssMib: Math.round(rssMib),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const REREADS = 500

async function addChannels(store: Store): Promise<number[]> {
  const ids: number[] = []
  for (let i = 0; i < CHANNELS; i++) {
    const added = await store.archive.addChannel(`bench_${i}x`, { at: NOW, status: 'queued' })
    if (added.outcome !== 'removed') ids.push(added.channel.id)
  }
  return ids
}

/** Only the writing is timed, not the making of posts. */
async function fill(store: Store, ids: readonly number[], perChannel: number) {
  const random = createRandom(1)
  let ms = 0
  let cpuMs = 0
  const last = new Map<number, readonly Post[]>()
  for (const [index, channelId] of ids.entries()) {
    for (let from = 1; from <= perChannel; from += BATCH) {
      const length = Math.min(BATCH, perChannel - from + 1)
      const posts = Array.from({ length }, (_, i) => makePost(from + i, random))
      const reading = { capture: 'crawl', parserVersion: 1, profile: null, deleted: [] } as const
      const start = performance.now()
      const cpu = process.cpuUsage()
      await store.archive.record({ ...reading, channelId, at: NOW, posts })
      ms += performance.now() - start
      const { user, system } = process.cpuUsage(cpu)
      cpuMs += (user + system) / 1000
      if (index < 10) await derive(store, channelId, posts)
      await drainChanges(store, CONSUMER, BATCH, async () => {})
      last.set(channelId, posts.slice(-20))
    }
  }
  return { ms, cpuMs, last }
}

async function derive(store: Store, channelId: number, posts: readonly Post[]): Promise<void> {
  await store.archive.saveDerived(
    posts.map((post) => ({
      channelId,
      number: post.number,
      revision: 1,
      language: 'en',
      detectedLanguage: 'en',
      languageWeight: 1,
      terms: termHashes(post.text.split(' ')),
      has: [],
    })),
  )
}

/** What a visit to a known channel writes: twenty posts whose views have changed. */
async function reread(
  store: Store,
  ids: readonly number[],
  last: ReadonlyMap<number, readonly Post[]>,
): Promise<number> {
  const start = performance.now()
  for (let i = 0; i < REREADS; i++) {
    const at = NOW + i + 1
    const channelId = ids[i % ids.length]!
    const moved = last.get(channelId)!.map((post) => ({
      ...post,
      views: { value: 1000 + i, approx: false, raw: String(1000 + i), asOf: at },
    }))
    const reading = { capture: 'crawl', parserVersion: 1, profile: null, deleted: [] } as const
    await store.archive.record({ ...reading, channelId, at, posts: moved })
  }
  return performance.now() - start
}

function makePost(number: number, random: () => number): Post {
  const length = 8 + Math.floor(random() * 60)
  const words = Array.from({ length }, () => WORDS[Math.floor(random() ** 2 * WORDS.length)]!)
  const hashtag = `#${words[0]}${Math.floor(random() * 50)}`
  const link = 'https://news.example/story'
  const text = `${hashtag} ${words.join(' ')} ${number} ${link}`
  const views = 100 + Math.floor(random() * 9000)
  const isForward = random() < 0.15
  return {
    number,
    kind: 'post',
    publishedAt: NOW - number * 300_000,
    edited: false,
    text,
    entities: [
      { type: 'hashtag', offset: 0, length: hashtag.length },
      { type: 'bold', offset: hashtag.length + 1, length: 12 },
      { type: 'link', offset: text.length - link.length, length: link.length, url: link },
    ],
    media: [],
    poll: null,
    linkPreview: null,
    buttons: [],
    author: null,
    viaBot: null,
    forwardedFrom: isForward
      ? { name: 'Source', username: `source_${number % 40}x`, postUrl: null, author: null }
      : null,
    replyTo: null,
    albumNumbers: [],
    views: { value: views, approx: true, raw: `${(views / 1000).toFixed(1)}K`, asOf: NOW },
    reactions: [
      {
        emoji: '👍',
        customId: null,
        paid: false,
        count: { value: 12, approx: false, raw: '12', asOf: NOW },
      },
    ],
    orphan: false,
  }
}

async function times(count: number, work: () => Promise<unknown>): Promise<number[]> {
  const taken: number[] = []
  for (let i = 0; i < count; i++) {
    const start = performance.now()
    await work()
    taken.push(performance.now() - start)
  }
  return taken
}

function rounded(ms: number): number {
  return Number(ms.toFixed(3))
}

function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

if (import.meta.main) {
  const posts = Number(process.argv[2] ?? 1_000_000)
  console.table(await run({ posts }))
}
