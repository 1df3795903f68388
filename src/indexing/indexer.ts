import { pause, type Clock } from '../model/clock.ts'
import { HOUR_MS } from '../model/time.ts'
import { FencedOffError, IndexDamagedError, type IndexWriter } from '../search/search-index.ts'
import { indexConsumer } from '../store/changes.ts'
import type { Store } from '../store/store.ts'
import { ANALYZER_VERSION } from '../text/analyze.ts'
import type { Derive } from './derive.ts'
import { createFeed } from './feed.ts'
import { createRegistration } from './registration.ts'
import { openRebuild } from './rebuild.ts'
import { renewArchive } from './renew-archive.ts'
import { windowStart } from './window-start.ts'

export interface IndexerEvents {
  indexed(event: { posts: number; removed: number; tookMs: number }): void
  rebuilding(event: { done: number; total: number }): void
  failed(error: unknown): void
}

export interface IndexerOptions {
  /** Posts are appended to its event log once they are searchable. */
  readonly store: Pick<Store, 'archive' | 'changes' | 'groups' | 'events'>
  readonly writer: IndexWriter
  readonly derive: Derive
  /** This program's own version by default; tests override it. */
  readonly analyzerVersion?: number
  /** How many changes are claimed at once. */
  readonly batch?: number
  readonly clock: Clock
  readonly events: IndexerEvents
}

/** How long the idle indexer waits between looks for changes, so that a post is searchable within a second. */
const IDLE_MS = 200
const MAX_BACKOFF_MS = 30_000
const MAX_FAILURES = 5
const TEND_MS = 60_000
/** Building the index anew without removed posts takes minutes of a core, so it is done at most this often. */
const ERASE_MS = HOUR_MS

/** Feeds changes of the archive into the index. Everything it does may be repeated, so a crash costs only time. */
export interface Indexer {
  /** Runs until aborted; rejects when it keeps failing. */
  run(signal: AbortSignal): Promise<void>
  /** Handles all changes that wait now; resolves to how many there were. */
  drain(signal?: AbortSignal): Promise<number>
  /** Builds a new generation next to the one that serves, then swaps them. */
  rebuild(signal: AbortSignal): Promise<void>
}

export function createIndexer(options: IndexerOptions): Indexer {
  const { store, writer, clock, events, analyzerVersion: ownVersion = ANALYZER_VERSION } = options
  const { archive, groups } = store
  const consumer = indexConsumer(ownVersion)
  const registration = createRegistration({ changes: store.changes, consumer, clock })
  const feed = createFeed({ ...options, consumer, registration })
  let tendedSince = -Infinity
  let rebuiltSince = -Infinity
  /** A rebuild has failed half way and can be resumed, as long as no change is indexed without it. */
  let isHalfway = false

  /** Drops posts that have left the search window, and rebuilds an index that no longer fits. Retried after a minute. */
  async function tend(signal: AbortSignal): Promise<void> {
    if (!isHalfway && clock.elapsed() - tendedSince < TEND_MS) return
    tendedSince = clock.elapsed()
    await registration.renew()
    try {
      const since = windowStart(clock.now(), await archive.totals())
      await writer.expire(since)
      await groups.expire(since)
    } finally {
      // Even if expiring fails, removed posts have to be erased from the files.
      if (await isRebuildDue()) await runRebuild(signal)
    }
    if (registration.isFilled()) await renew(signal)
  }

  async function isRebuildDue(): Promise<boolean> {
    const { complete, rebuilding, analyzerVersion, removals } = await writer.state()
    if (registration.isBehind() || rebuilding || !complete || analyzerVersion !== ownVersion)
      return true
    if (removals === null || clock.elapsed() - rebuiltSince < ERASE_MS) return false
    return removals !== (await archive.totals()).removals
  }

  async function runRebuild(signal?: AbortSignal): Promise<void> {
    rebuiltSince = clock.elapsed()
    await registration.renew()
    const { posts: total } = await archive.totals()
    const begun = await openRebuild(options, { mayResume: registration.mayResume() })
    feed.alsoTell(begun.writer)
    try {
      await registration.noteBegun()
      // Even if the rebuild keeps failing, changes are indexed.
      await feed.drain(signal)
      // Rebuilding and draining alternate in one loop, so that no change falls between reading a post and writing it.
      for await (const done of begun.steps()) {
        signal?.throwIfAborted()
        await feed.drain(signal)
        events.rebuilding({ done, total })
      }
      await begun.writer.swap()
      await registration.noteFilled()
    } finally {
      feed.alsoTell(undefined)
      rebuiltSince = clock.elapsed()
      try {
        await begun[Symbol.asyncDispose]()
      } finally {
        isHalfway = (await writer.state()).rebuilding
      }
    }
  }

  /** After the rebuild, so that searches are complete as soon as they can be. */
  async function renew(signal: AbortSignal): Promise<void> {
    for await (const _step of renewArchive(options)) {
      signal.throwIfAborted()
      await feed.drain(signal)
    }
    await registration.noteRenewed()
  }

  return {
    async drain(signal) {
      await registration.renew()
      try {
        if (registration.isBehind()) await runRebuild(signal)
      } catch (error) {
        // As where there is no room for a second index. Not beside a half-filled one, which could then not be resumed.
        if (!isHalfway) await feed.drain(signal)
        throw error
      }
      return feed.drain(signal)
    },
    rebuild: runRebuild,
    async run(signal) {
      let failures = 0
      while (!signal.aborted) {
        try {
          await writer.check()
          await tend(signal)
          const drained = await feed.drain(signal)
          failures = 0
          if (drained === 0) await pause(clock, IDLE_MS, signal)
        } catch (error) {
          if (signal.aborted) return
          // Waiting does not help, but reopening the index does.
          if (error instanceof IndexDamagedError || error instanceof FencedOffError) throw error
          events.failed(error)
          // Where waiting does not help, reopening store and index may: the caller does that.
          if (failures >= MAX_FAILURES) throw error
          await pause(clock, Math.min(MAX_BACKOFF_MS, 500 * 2 ** failures++), signal)
        }
      }
    },
  }
}
