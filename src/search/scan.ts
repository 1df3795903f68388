import type { Clock } from '../model/clock.ts'
import type { PostRef } from '../model/post.ts'
import { ANALYZER_VERSION } from '../text/analyze.ts'
import { bucketOf } from './bucket.ts'
import { printOf } from './document-print.ts'
import { assignGroup, type GroupBook } from './duplicates.ts'
import { mostFrequent } from './expand.ts'
import type { TermStats } from './expr.ts'
import { SEARCH_LIMITS } from './limits.ts'
import { lengthInWords } from './post-length.ts'
import { BONUS_STEP_S, bonusSteps, secondsOf } from './prior.ts'
import { hashesOf, termsOf, type Kept } from './scan-match.ts'
import { clusterOf, searchByScanning, type Corpus } from './scan-search.ts'
import { WINDOW_MS } from './search-index.ts'
import type {
  CounterUpdate,
  IndexDocument,
  IndexState,
  IndexWriter,
  SearchIndex,
} from './search-index.ts'

/** An index that looks at every post: the oracle the others are held to, and enough for a test or a small set. */
export interface MemoryIndex {
  readonly index: SearchIndex
  readonly writer: IndexWriter
}

interface Shelf extends Corpus {
  readonly droppedBefore: () => number
  readonly removals: number
  readonly writer: Omit<
    IndexWriter,
    'startGeneration' | typeof Symbol.asyncDispose | 'state' | 'check'
  >
}

export function createMemoryIndex(clock: Clock, limits = SEARCH_LIMITS): MemoryIndex {
  let shelf = createShelf(clock, 1, 0)
  let isComplete = false
  let isRebuilding = false

  const state = async (of: Shelf): Promise<IndexState> => {
    const oldest = clock.now() - WINDOW_MS
    const times = [...of.posts.values()].map((kept) => kept.sec * 1000)
    return {
      posts: times.length,
      channels: new Set([...of.posts.values()].map((kept) => kept.channelId)).size,
      oldestPostAt: times.length > 0 ? Math.max(oldest, Math.min(...times)) : null,
      newestPostAt: times.length > 0 ? Math.max(...times) : null,
      analyzerVersion: ANALYZER_VERSION,
      generation: of.generation,
      complete: isComplete,
      rebuilding: isRebuilding,
      removals: of.removals,
      droppedBefore: of.droppedBefore(),
      bytes: 0,
      problem: null,
    }
  }
  const writerOf = (of: () => Shelf): IndexWriter => ({
    apply: (batch) => of().writer.apply(batch),
    expire: (olderThan) => of().writer.expire(olderThan),
    state: () => state(of()),
    async check() {},
    async startGeneration(removals) {
      const fresh = createShelf(clock, shelf.generation + 1, removals)
      isRebuilding = true
      return {
        ...writerOf(() => fresh),
        async swap() {
          shelf = fresh
          isComplete = true
          isRebuilding = false
        },
        async [Symbol.asyncDispose]() {
          isRebuilding = false
        },
      }
    },
    async [Symbol.asyncDispose]() {},
  })

  return {
    writer: writerOf(() => shelf),
    index: {
      async search(query, signal) {
        signal?.throwIfAborted()
        return searchByScanning(shelf, query, clock.now(), limits)
      },
      async duplicates(ref, limit) {
        const kept = shelf.posts.get(keyOf(ref))
        const found = kept && clusterOf(shelf, kept.group, secondsOf(clock.now() - WINDOW_MS))
        if (!found) return undefined
        const members = found.members.slice(0, limit)
        return {
          cluster: found.cluster,
          members: members.map(({ channelId, number }) => ({ channelId, number })),
        }
      },
      state: () => state(shelf),
      async [Symbol.asyncDispose]() {},
    },
  }
}

const keyOf = (ref: PostRef) => `${ref.channelId}/${ref.number}`

function createShelf(clock: Clock, generation: number, removals: number): Shelf {
  const posts = new Map<string, Kept>()
  const subscribers = new Map<number, number>()
  const frequencies = new Map<number, { posts: number; terms: Map<string, number> }>()
  const book = createBook()
  let seq = 0
  let droppedBefore = 0

  function put(document: IndexDocument): void {
    const oldest = clock.now() - WINDOW_MS
    if (document.publishedAt < oldest) {
      droppedBefore = Math.max(droppedBefore, oldest)
      return takeOut(document)
    }
    const held = posts.get(keyOf(document))
    if (held && held.document.revision > document.revision) return
    subscribers.set(document.channelId, document.subscribers)
    if (held && printOf(held.document) === printOf(document)) {
      held.document = document
      count(held, document)
      return
    }
    takeOut(document)
    const sec = secondsOf(document.publishedAt)
    const terms = termsOf(document)
    countTerms(bucketOf(sec), terms, held?.sec !== sec)
    const group = assignGroup(document, book) ?? 0
    const words = lengthInWords(document.toks)
    const bonus = bonusSteps(document.subscribers, words) * BONUS_STEP_S
    const kept: Kept = {
      document,
      terms,
      ...hashesOf(document),
      words,
      sec,
      channelId: document.channelId,
      number: document.number,
      prior: sec + bonus,
      group,
      seq,
      isCopy: false,
      views: document.views,
      reactions: document.reactions,
    }
    posts.set(keyOf(document), kept)
    markCopies(group)
  }

  function takeOut(ref: PostRef): void {
    const held = posts.get(keyOf(ref))
    posts.delete(keyOf(ref))
    if (held) markCopies(held.group)
  }

  /** The earliest of a group is no copy, the others are; whoever changes sides has changed. */
  function markCopies(group: number): void {
    if (group === 0) return
    const members = membersOf(group)
    for (const [i, kept] of members.entries()) {
      if (kept.isCopy !== i > 0) kept.seq = seq
      kept.isCopy = i > 0
    }
  }

  function membersOf(group: number): Kept[] {
    return [...posts.values()]
      .filter((kept) => kept.group === group)
      .sort((a, b) => a.sec - b.sec || a.channelId - b.channelId || a.number - b.number)
  }

  function count(kept: Kept, update: CounterUpdate): void {
    kept.views = update.views
    kept.reactions = update.reactions
  }

  function countTerms(bucket: number, terms: ReadonlySet<string>, isNew: boolean): void {
    let counted = frequencies.get(bucket)
    if (!counted) frequencies.set(bucket, (counted = { posts: 0, terms: new Map() }))
    if (isNew) counted.posts++
    for (const term of terms) counted.terms.set(term, (counted.terms.get(term) ?? 0) + 1)
  }

  const stats: TermStats = {
    get posts() {
      return [...frequencies.values()].reduce((sum, each) => sum + each.posts, 0)
    },
    df: (term) => [...frequencies.values()].reduce((n, each) => n + (each.terms.get(term) ?? 0), 0),
    expand(prefix, limit, look) {
      const terms = new Set([...frequencies.values()].flatMap((each) => [...each.terms.keys()]))
      const family = [...terms].filter((term) => term.startsWith(prefix)).sort()
      return mostFrequent(
        family.slice(0, look + 1).map((term) => ({ term, df: stats.df(term) })),
        limit,
        look,
      )
    },
  }

  return {
    droppedBefore: () => droppedBefore,
    posts,
    generation,
    removals,
    stats,
    membersOf,
    get seq() {
      return seq
    },
    subscribers: (channelId) => subscribers.get(channelId) ?? 0,
    writer: {
      async apply({ puts, removals, counters, channels, removedChannels }) {
        seq++
        puts?.forEach(put)
        removals?.forEach(takeOut)
        for (const update of counters ?? []) {
          const kept = posts.get(keyOf(update))
          if (kept) count(kept, update)
        }
        for (const each of channels ?? []) subscribers.set(each.channelId, each.subscribers)
        for (const kept of posts.values())
          if (removedChannels?.includes(kept.channelId)) takeOut(kept)
      },
      async expire(olderThan) {
        const first = bucketOf(secondsOf(olderThan))
        for (const [key, kept] of posts) {
          if (bucketOf(kept.sec) >= first) continue
          posts.delete(key)
          droppedBefore = Math.max(droppedBefore, olderThan)
        }
        for (const bucket of frequencies.keys()) if (bucket < first) frequencies.delete(bucket)
      },
    },
  }
}

function createBook(): GroupBook {
  const keys = new Map<number, number>()
  const sketches: (readonly number[])[] = [[]]
  return {
    find: (key) => keys.get(key),
    sketch: (group) => sketches[group]!,
    create: (sketch) => sketches.push(sketch) - 1,
    link(key, group) {
      if (!keys.has(key)) keys.set(key, group)
    },
  }
}
