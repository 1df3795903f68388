import type { Clock } from '../../model/clock.ts'
import type { PostRef } from '../../model/post.ts'
import type { SearchHit, SearchQuery, SearchResult } from '../../model/query.ts'
import type { SearchLimits } from '../limits.ts'
import { WINDOW_MS, type IndexBatch, type IndexWriter, type SearchIndex } from '../search-index.ts'
import { createRandom, sampleDocument, type Random } from './sample.ts'
import { createScan, type Scan } from './scan.ts'

/** What a suite gets of an adapter. */
export interface Opened extends AsyncDisposable {
  readonly index: SearchIndex
  readonly writer: IndexWriter
  /** Opens the same index again, with these limits as far as the adapter has them. */
  openBounded(limits: SearchLimits): Promise<SearchIndex>
}

/** Opens a new index, as in production. */
export type Open = (clock: Clock) => Promise<Opened>

/**
 * For consecutive stages: they share one index, so that its threads start only once. Each stage finds it empty, as a new
 * generation. However early the clock of a stage starts, elapsed time goes on.
 */
export function shareIndex(open: Open): { readonly open: Open; close(): Promise<void> } {
  let passed = 0
  let stage: Clock | undefined
  let opening: Promise<Opened> | undefined
  const clock: Clock = {
    now: () => stage!.now(),
    elapsed: () => passed + stage!.elapsed(),
    sleep: (ms, signal) => stage!.sleep(ms, signal),
  }
  return {
    async open(given) {
      passed += stage?.elapsed() ?? 0
      stage = given
      const isNew = opening === undefined
      const opened = await (opening ??= open(clock))
      if (!isNew) {
        await using empty = await opened.writer.startGeneration(0)
        await empty.swap()
      }
      return { ...opened, [Symbol.asyncDispose]: () => Promise.resolve() }
    },
    close: async () => (await opening)?.[Symbol.asyncDispose](),
  }
}

/** An index and the oracle beside it, given the same random posts. */
export interface Stage extends Opened {
  readonly random: Random
  readonly scan: Scan
  now(): number
  /** Writes everything that may happen to posts: new ones, edits, deletions, counters, copies, removed channels. */
  write(posts?: number): Promise<void>
  apply(batch: IndexBatch): Promise<void>
  /** Lets time pass; sometimes posts that have left the window are dropped. */
  pass(ms: number): Promise<void>
}

const START = Date.UTC(2026, 2, 14, 9, 26, 53)

export async function openStage(open: Open, seed: number): Promise<Stage> {
  const random = createRandom(seed)
  let now = START
  const clock: Clock = { now: () => now, elapsed: () => now, sleep: () => Promise.resolve() }
  const opened = await open(clock)
  const scan = createScan(clock)
  const texts: string[] = []

  async function apply(batch: IndexBatch): Promise<void> {
    scan.apply(batch)
    await opened.writer.apply(batch)
  }

  async function write(posts = 5 + Math.floor(random() * 60)): Promise<void> {
    const puts = Array.from({ length: posts }, () => sampleDocument(random, now, texts))
    await apply({ puts })
    const again = puts
      .filter(() => random() < 0.2)
      .map((each) => ({ ...each, revision: 3, views: each.views + 50, subscribers: 77 }))
    const regrouped = puts
      .filter(() => random() < 0.1)
      .map((each) => ({ ...each, revision: 3, group: 1 + Math.floor(random() * 9), isCopy: true }))
    await apply({
      puts: [...again, ...regrouped],
      removals: puts.filter(() => random() < 0.15),
      counters: puts.map((each) => ({ ...each, views: 50 + Math.floor(random() * 900) })),
      channels: [{ channelId: 2, subscribers: Math.floor(random() * 9000) }],
      removedChannels: random() < 0.1 ? [1 + Math.floor(random() * 6)] : [],
    })
  }

  return {
    ...opened,
    random,
    scan,
    now: () => now,
    apply,
    write,
    async pass(ms) {
      now += ms
      if (random() < 0.5) await opened.writer.expire(now - WINDOW_MS)
    },
  }
}

export const refsOf = (posts: readonly PostRef[]) =>
  posts.map(({ channelId, number }) => `${channelId}/${number}`)

/** All pages of a search. */
export async function walk(index: SearchIndex, query: SearchQuery): Promise<SearchResult[]> {
  const pages: SearchResult[] = []
  for (let after: SearchQuery['after'] = null; pages.length < 200;) {
    const page = await index.search({ ...query, after })
    pages.push(page)
    if (page.next === null) return pages
    after = page.next
  }
  throw new Error(`a walk without an end: ${JSON.stringify(query)}`)
}

export const hitsOf = (pages: readonly SearchResult[]): SearchHit[] =>
  pages.flatMap((page) => page.hits)
