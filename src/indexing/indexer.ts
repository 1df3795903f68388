import { clockDoubt } from '../model/clock-doubt.ts'
import { pause, type Clock } from '../model/clock.ts'
import { DAY_MS, HOUR_MS } from '../model/time.ts'
import { IndexDamagedError, WINDOW_MS, type IndexWriter } from '../search/search-index.ts'
import { indexConsumer } from '../store/changes.ts'
import type { Store } from '../store/store.ts'
import { ANALYZER_VERSION } from '../text/analyze.ts'
import type { Derive } from './derive.ts'
import { claimChanges, type ClaimedChanges } from './claim-changes.ts'
import { createRegistration } from './registration.ts'
import { openRebuild, type Rebuild } from './rebuild.ts'
import { joinGroups, prepareBatch, type PreparedBatch } from './prepare-batch.ts'

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

/** Common words repeat within a batch and are handled once: 4 000 take a tenth less time each than 2 000, 8 000 no less. */
const BATCH = 4_000
/** How long the idle indexer waits between looks for changes, so that a post is searchable within a second. */
const IDLE_MS = 200
/**
 * How many batches that are not full `drain` handles in a row. Posts may change their channel's language, which changes other
 * posts of the channel, and each of these may change the standing of others in a group: the few changes that then wait are
 * handled, too.
 */
const ROUNDS = 4
const MAX_BACKOFF_MS = 30_000
const MAX_FAILURES = 5
/** By how much the clock that dropped old posts may have been ahead before the index is rebuilt. */
const CLOCK_SLACK_MS = DAY_MS
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
  const { store, writer, derive, clock, events, batch: most = BATCH } = options
  const { analyzerVersion: ownVersion = ANALYZER_VERSION } = options
  const { archive, changes, groups } = store
  const consumer = indexConsumer(ownVersion)
  const registration = createRegistration({ changes, consumer, clock })
  let rebuild: Rebuild | undefined
  let tendedSince = -Infinity
  let rebuiltSince = -Infinity
  /** A rebuild has failed half way and can be resumed, as long as no change is indexed without it. */
  let isHalfway = false

  /** Claims the next changes and derives their posts; undefined when none wait. */
  async function begin(): Promise<Begun | undefined> {
    const claimed = await claimChanges(changes, { consumer, limit: most, clock })
    if (!claimed) return undefined
    const startedSince = clock.elapsed()
    try {
      const prepared = await prepareBatch({ archive, derive }, claimed.changes)
      if (prepared.derived.length > 0) await archive.saveDerived(prepared.derived)
      return { claimed, prepared, tookMs: clock.elapsed() - startedSince }
    } catch (error) {
      await claimed.release()
      throw error
    }
  }

  async function finish({ claimed, prepared, tookMs }: Begun): Promise<void> {
    const startedSince = clock.elapsed()
    try {
      // Groups are in the store, which does not check who may write the index, so the claim is checked first.
      await claimed.expectClaimed()
      const { batch, logged } = await joinGroups(groups, prepared)
      for (const target of rebuild ? [writer, rebuild.writer] : [writer]) await target.apply(batch)
      // Not earlier: posts of the previous batch no longer wait by now, and this batch was derived with the new language.
      for (const channelId of prepared.languageChanged) await changes.markForeign(channelId)
      // Last, so that a follower who is told of a post can find it. After a crash before this, the same changes come again.
      await store.events.append(logged)
      events.indexed({
        posts: batch.puts.length,
        removed: batch.removals.length,
        tookMs: tookMs + clock.elapsed() - startedSince,
      })
    } catch (error) {
      await claimed.release()
      throw error
    }
    await claimed.done()
  }

  async function drain(signal?: AbortSignal): Promise<number> {
    let total = 0
    let next: ReturnType<typeof begin> | undefined
    try {
      for (let rounds = ROUNDS; rounds > 0 && !signal?.aborted;) {
        // However long draining takes, other processes must see that this index is in use.
        await registration.renew()
        const begun = await (next ?? begin())
        next = undefined
        if (!begun) break
        const { length } = begun.claimed.changes
        // The batch after a full one is derived while that is put into the index. Not earlier: the posts of a batch may set
        // their channels' languages.
        if (length === most) next = begin()
        else rounds--
        // The error is handled where `next` is awaited; without a handler until then, the rejection would end the thread.
        next?.catch(() => {})
        await finish(begun)
        total += length
      }
    } finally {
      const left = await next?.catch(() => undefined)
      await left?.claimed.release()
    }
    return total
  }

  /** Drops posts that have left the search window, and rebuilds an index that no longer fits. Retried after a minute. */
  async function tend(signal: AbortSignal): Promise<void> {
    if (!isHalfway && clock.elapsed() - tendedSince < TEND_MS) return
    tendedSince = clock.elapsed()
    await registration.renew()
    try {
      await expire(clock.now())
    } finally {
      // Even if expiring fails, removed posts have to be erased from the files.
      if (await isRebuildDue()) await runRebuild(signal)
    }
  }

  /**
   * Does nothing when all posts would expire: then the clock is wrong, or nothing is being collected. Searches leave out posts
   * that are too old anyway.
   */
  async function expire(now: number): Promise<void> {
    if (clockDoubt(now, await archive.totals()) !== undefined) return
    await writer.expire(now - WINDOW_MS)
    await groups.expire(now - WINDOW_MS)
  }

  async function isRebuildDue(): Promise<boolean> {
    const state = await writer.state()
    const { complete, rebuilding, analyzerVersion, removals, droppedBefore } = state
    if (registration.isBehind() || rebuilding || !complete || analyzerVersion !== ownVersion)
      return true
    const totals = await archive.totals()
    // A clock that was ahead has made the index drop posts that are still within the window. To one that is behind, it seems so.
    const isDropped = droppedBefore > clock.now() - WINDOW_MS + CLOCK_SLACK_MS
    if (isDropped && clockDoubt(clock.now(), totals) === undefined) return true
    if (clock.elapsed() - rebuiltSince < ERASE_MS) return false
    return removals !== null && removals !== totals.removals
  }

  async function runRebuild(signal?: AbortSignal): Promise<void> {
    rebuiltSince = clock.elapsed()
    await registration.renew()
    const { posts: total } = await archive.totals()
    const begun = await openRebuild(options, { mayResume: registration.mayResume() })
    rebuild = begun
    try {
      await registration.noteBegun()
      // Even if the rebuild keeps failing, changes are indexed.
      await drain(signal)
      // Rebuilding and draining alternate in one loop, so that no change falls between reading a post and writing it.
      for await (const done of begun.steps()) {
        signal?.throwIfAborted()
        await drain(signal)
        events.rebuilding({ done, total })
      }
      await begun.writer.swap()
      await registration.noteRebuilt()
    } finally {
      rebuild = undefined
      rebuiltSince = clock.elapsed()
      try {
        await begun[Symbol.asyncDispose]()
      } finally {
        isHalfway = (await writer.state()).rebuilding
      }
    }
  }

  return {
    async drain(signal) {
      await registration.renew()
      try {
        if (registration.isBehind()) await runRebuild(signal)
      } catch (error) {
        // As where there is no room for a second index. Not beside a half-filled one, which could then not be resumed.
        if (!isHalfway) await drain(signal)
        throw error
      }
      return drain(signal)
    },
    rebuild: runRebuild,
    async run(signal) {
      let failures = 0
      while (!signal.aborted) {
        try {
          await writer.check()
          await tend(signal)
          const drained = await drain(signal)
          failures = 0
          if (drained === 0) await pause(clock, IDLE_MS, signal)
        } catch (error) {
          if (signal.aborted) return
          // Waiting does not help, but reopening the index does.
          if (error instanceof IndexDamagedError) throw error
          events.failed(error)
          // Where waiting does not help, reopening store and index may: the caller does that.
          if (failures >= MAX_FAILURES) throw error
          await pause(clock, Math.min(MAX_BACKOFF_MS, 500 * 2 ** failures++), signal)
        }
      }
    },
  }
}

/** Claimed changes whose posts are derived but not yet in the index. */
interface Begun {
  readonly claimed: ClaimedChanges
  readonly prepared: PreparedBatch
  readonly tookMs: number
}
