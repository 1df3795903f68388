import { clockDoubt } from '../model/clock-doubt.ts'
import { pause, type Clock } from '../model/clock.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../model/time.ts'
import { IndexDamagedError, WINDOW_MS, type IndexWriter } from '../search/search-index.ts'
import { indexConsumer, isIndexConsumer } from '../store/changes.ts'
import type { Store } from '../store/store.ts'
import { ANALYZER_VERSION } from '../text/analyze.ts'
import type { Derive } from './derive.ts'
import { holdChanges, type HeldChanges } from './hold-changes.ts'
import { openRebuild, type Rebuild } from './rebuild.ts'
import { joinGroups, prepare, type Prepared } from './work.ts'

export interface IndexerEvents {
  indexed(event: { posts: number; removed: number; tookMs: number }): void
  rebuilding(event: { done: number; total: number }): void
  failed(error: unknown): void
}

export interface IndexerOptions {
  /** Its log of events is told of posts once they are searchable. */
  readonly store: Pick<Store, 'archive' | 'changes' | 'groups' | 'events'>
  readonly writer: IndexWriter
  readonly derive: Derive
  /** This program's, but for tests. */
  readonly analyzerVersion?: number
  /** How many changes are taken at once. */
  readonly batch?: number
  readonly clock: Clock
  readonly events: IndexerEvents
}

/** Common words repeat within a batch and are counted once: into a million posts this goes a third faster than 500. */
const BATCH = 2_000
/** How long a change may wait when nothing else happens: searchable within a second. */
const IDLE_MS = 200
/**
 * Batches that are not full, one after the other. Posts may give their channel another language, which it then tells to those that go
 * by it, and any of these may change where others stand in a group: the few that wait by then are put in, too.
 */
const ROUNDS = 4
const MAX_BACKOFF_MS = 30_000
const MAX_FAILURES = 5
/** By how much two clocks may differ before posts that one of them dropped are missed. */
const CLOCK_SLACK_MS = DAY_MS
const TEND_MS = 60_000
/** Ridding the index's files of what was removed costs minutes of a core: not more often than this. */
const ERASE_MS = HOUR_MS
/** An index that no process has fed for so long, of an analyzer version that is no longer in use, is told nothing more. */
const STRIKE_MS = 10 * MINUTE_MS

/** Tells the index what changed in the archive. Everything it does may be repeated, so a crash costs only time. */
export interface Indexer {
  /** Until aborted; rejects when it fails again and again. */
  run(signal: AbortSignal): Promise<void>
  /** All that waits now; resolves to how many changes there were. */
  drain(signal?: AbortSignal): Promise<number>
  /** Builds a new generation beside the one that serves, then swaps. */
  rebuild(signal: AbortSignal): Promise<void>
}

export function createIndexer(options: IndexerOptions): Indexer {
  const { store, writer, derive, clock, events, batch: most = BATCH } = options
  const { analyzerVersion: ownVersion = ANALYZER_VERSION } = options
  const { archive, changes, groups } = store
  let rebuild: Rebuild | undefined
  const consumer = indexConsumer(ownVersion)
  let tendedSince = -Infinity
  let registeredSince = -Infinity
  /** Changes went by before this index was registered for them. */
  let isBehind = false
  let rebuiltSince = -Infinity
  /** A rebuild has failed and can be gone on with, as long as nothing is put in that it is not told. */
  let isHalfway = false
  /** What the archive's count of removals was when ridding the index of them by steps was begun. */
  let erasing: number | undefined

  /** Takes what waits next and derives it; undefined where nothing waits. */
  async function begin(): Promise<Begun | undefined> {
    const held = await holdChanges(changes, { consumer, limit: most, clock })
    if (!held) return undefined
    const startedSince = clock.elapsed()
    try {
      const prepared = await prepare({ archive, derive }, held.changes)
      if (prepared.derived.length > 0) await archive.saveDerived(prepared.derived)
      return { held, prepared, tookMs: clock.elapsed() - startedSince }
    } catch (error) {
      await held.release()
      throw error
    }
  }

  async function finish({ held, prepared, tookMs }: Begun): Promise<void> {
    const startedSince = clock.elapsed()
    try {
      // Groups are the store's, and know nothing of who may write the index.
      await held.expectHeld()
      const { batch, told } = await joinGroups(groups, prepared)
      for (const target of rebuild ? [writer, rebuild.writer] : [writer]) {
        await target.apply(batch)
      }
      // Not earlier: all that the batch before has derived waits no more, and this one knew the language already.
      for (const channelId of prepared.respoken) await changes.touchForeign(channelId)
      // Last, so that whoever is told of a post can find it; a crash before it brings the same changes again.
      await store.events.append(told)
      events.indexed({
        posts: batch.puts.length,
        removed: batch.removals.length,
        tookMs: tookMs + clock.elapsed() - startedSince,
      })
    } catch (error) {
      await held.release()
      throw error
    }
    await held.done()
  }

  /** Says now and then that this index is in use; those of other versions that are not are struck. */
  async function register(): Promise<void> {
    if (clock.elapsed() - registeredSince < TEND_MS) return
    const { missed } = await changes.register(consumer)
    registeredSince = clock.elapsed()
    isBehind ||= missed
    for (const { name, seenAt } of await changes.consumers()) {
      if (isIndexConsumer(name) && clock.now() - seenAt > STRIKE_MS) await changes.strike(name)
    }
  }

  async function drain(signal?: AbortSignal): Promise<number> {
    let total = 0
    let next: ReturnType<typeof begin> | undefined
    try {
      for (let rounds = ROUNDS; rounds > 0 && !signal?.aborted;) {
        // However long this lasts, others see that this index is in use.
        await register()
        const begun = await (next ?? begin())
        next = undefined
        if (!begun) break
        const { length } = begun.held.changes
        // What waits behind a full batch is derived while that is put in. Not earlier: a channel's language comes of its posts.
        if (length === most) next = begin()
        else rounds--
        // Its failure is told where it is waited for; nobody listening until then would end the thread.
        next?.catch(() => {})
        await finish(begun)
        total += length
      }
    } finally {
      const left = await next?.catch(() => undefined)
      await left?.held.release()
    }
    return total
  }

  /** What has left the window goes, and an index that no longer fits is built anew; should that fail, a minute later. */
  async function tend(signal: AbortSignal): Promise<void> {
    if (!isHalfway && clock.elapsed() - tendedSince < TEND_MS) return
    tendedSince = clock.elapsed()
    await register()
    try {
      await expire(clock.now())
    } finally {
      // Also where that fails: what was removed has to leave the files all the same.
      if (await isRebuildDue()) await runRebuild(signal)
    }
  }

  /** Not where all would go: then the clock is wrong, or nobody collects, and searches leave out what is too old anyway. */
  async function expire(now: number): Promise<void> {
    if (clockDoubt(now, await archive.totals()) !== undefined) return
    await writer.expire(now - WINDOW_MS)
    await groups.expire(now - WINDOW_MS)
  }

  async function isRebuildDue(): Promise<boolean> {
    const state = await writer.state()
    const { complete, rebuilding, analyzerVersion, removals, droppedBefore } = state
    if (isBehind || rebuilding || !complete || analyzerVersion !== ownVersion) return true
    // A clock that was ahead has dropped what the archive still holds.
    if (droppedBefore > clock.now() - WINDOW_MS + CLOCK_SLACK_MS) return true
    if (erasing === undefined && clock.elapsed() - rebuiltSince < ERASE_MS) return false
    const removed = (await archive.totals()).removals
    if (removals === removed) return false
    if (!writer.erase) return true
    await eraseBySteps(removed)
    return false
  }

  /** Begun only when the index has taken out all of them. */
  async function eraseBySteps(removed: number): Promise<void> {
    if (erasing === undefined) {
      const startedAt = clock.now()
      await drain()
      const { since } = await changes.pending(consumer, 1)
      if (since !== null && since <= startedAt) return
    }
    erasing ??= removed
    if (!(await writer.erase!(erasing))) return
    erasing = undefined
    rebuiltSince = clock.elapsed()
  }

  async function runRebuild(signal?: AbortSignal): Promise<void> {
    rebuiltSince = clock.elapsed()
    erasing = undefined
    await register()
    const wasBehind = isBehind
    isBehind = false
    const { posts: total } = await archive.totals()
    const begun = await openRebuild(options, { mayGoOn: !wasBehind })
    rebuild = begun
    try {
      // Whatever keeps failing, changes go on.
      await drain(signal)
      // One loop for both, so that no change slips in between reading a post and writing it.
      for await (const done of begun.steps()) {
        signal?.throwIfAborted()
        await drain(signal)
        events.rebuilding({ done, total })
      }
      await begun.swap()
    } catch (error) {
      isBehind = wasBehind
      throw error
    } finally {
      rebuild = undefined
      rebuiltSince = clock.elapsed()
      try {
        await begun[Symbol.asyncDispose]()
      } finally {
        isHalfway = (await writer.state()).rebuilding
        if (isHalfway) isBehind = false
      }
    }
  }

  return {
    async drain(signal) {
      await register()
      if (isBehind) await runRebuild(signal)
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
          // Waiting heals nothing, and opening the index anew does.
          if (error instanceof IndexDamagedError) throw error
          events.failed(error)
          // What does not heal by waiting may heal by opening store and index anew: whoever runs this does.
          if (failures >= MAX_FAILURES) throw error
          await pause(clock, Math.min(MAX_BACKOFF_MS, 500 * 2 ** failures++), signal)
        }
      }
    },
  }
}

/** Changes whose posts are derived, and are yet to be put into the index. */
interface Begun {
  readonly held: HeldChanges
  readonly prepared: Prepared
  readonly tookMs: number
}
