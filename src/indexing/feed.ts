import type { Clock } from '../model/clock.ts'
import type { IndexWriter } from '../search/search-index.ts'
import type { Store } from '../store/store.ts'
import { claimChanges, type ClaimedChanges } from './claim-changes.ts'
import type { Derive } from './derive.ts'
import { joinGroups, prepareBatch, type PreparedBatch } from './prepare-batch.ts'
import type { Registration } from './registration.ts'
import { windowStart } from './window-start.ts'

/** Takes what has changed in the archive, batch by batch, and puts it into groups, index and event log. */
interface Feed {
  /** Handles all changes that wait now; resolves to how many there were. */
  drain(signal?: AbortSignal): Promise<number>
  /** Another writer that is told the same from now on, or none. */
  alsoTell(writer: Pick<IndexWriter, 'apply'> | undefined): void
}

interface FeedOptions {
  readonly store: Pick<Store, 'archive' | 'changes' | 'groups' | 'events'>
  readonly writer: IndexWriter
  readonly derive: Derive
  readonly clock: Clock
  readonly consumer: string
  readonly registration: Registration
  readonly events: {
    indexed(event: { posts: number; removed: number; tookMs: number }): void
  }
  /** How many changes are claimed at once. */
  readonly batch?: number
}

/** Common words repeat within a batch and are handled once: 4 000 take a tenth less time each than 2 000, 8 000 no less. */
const BATCH = 4_000
/**
 * How many batches that are not full `drain` handles in a row. Posts may change their channel's language, which changes other
 * posts of the channel, and each of these may change the standing of others in a group: the few changes that then wait are
 * handled, too.
 */
const ROUNDS = 4

export function createFeed(options: FeedOptions): Feed {
  const { store, derive, clock, events, consumer, registration, batch: most = BATCH } = options
  const { archive, changes, groups } = store
  let other: Pick<IndexWriter, 'apply'> | undefined

  /** Claims the next changes and derives their posts; undefined when none wait. */
  async function begin(): Promise<Begun | undefined> {
    const claimed = await claimChanges(changes, { consumer, limit: most, clock })
    if (!claimed) return undefined
    const startedSince = clock.elapsed()
    try {
      const since = windowStart(clock.now(), await archive.totals())
      const prepared = await prepareBatch({ archive, derive }, claimed.changes, since)
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
      await options.writer.apply(batch)
      await other?.apply(batch)
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

  return {
    drain,
    alsoTell(writer) {
      other = writer
    },
  }
}

/** Claimed changes whose posts are derived but not yet in the index. */
interface Begun {
  readonly claimed: ClaimedChanges
  readonly prepared: PreparedBatch
  readonly tookMs: number
}
