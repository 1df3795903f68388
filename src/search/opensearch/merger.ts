import type { Clock } from '../../model/clock.ts'
import { DAY_MS, HOUR_MS } from '../../model/time.ts'
import { bucketOf } from '../bucket.ts'
import { secondsOf } from '../prior.ts'
import type { Client } from './client.ts'
import { ask } from './control.ts'
import type { Names } from './names.ts'
import { expectRoom } from './room.ts'
import { copiesOf, forceMerge, segmentsOf, type Segment } from './segments.ts'

interface MergerOptions {
  readonly client: Client
  readonly names: Names
  readonly clock: Clock
  /** Called with an index that could not be merged, and why. */
  readonly onUnmerged?: ((index: string, why: string) => void) | undefined
}

/** Larger segments are not made: the engine rewrites those by itself only once a fifth of a shard was replaced. */
const MAX_BYTES = 5 * 2 ** 30
/** A week that was merged, or failed to be, rests for an hour, and for most of the time where merging takes long. */
const REST_MS = HOUR_MS
const REST_FACTOR = 20
/** How long after its end a week is still being filled. */
const LATE_MS = 2 * DAY_MS
/**
 * Of the posts that could be in one segment, the share that must be. It is less while a week is being filled: each post is
 * then written again as often as the week doubles.
 */
const SHARE = { filling: 0.5, over: 0.9 }

/**
 * Every search looks up its words in every segment, and the engine leaves a dozen or two in each week, however long it is
 * over. Merged into one, a million posts take half the processor time to search. Each call begins to merge one of these
 * weeks, if one has too many segments and none is being merged.
 */
export function createMerger(options: MergerOptions): (weeks: string) => void {
  const { client, names, clock, onUnmerged } = options
  let isMerging = false
  /** By index. */
  const restsUntil = new Map<string, number>()

  function shareOf(index: string): number {
    const { week = Infinity } = names.parse(index) ?? {}
    return week < bucketOf(secondsOf(clock.now() - LATE_MS)) ? SHARE.over : SHARE.filling
  }

  async function mergeNext(weeks: string): Promise<void> {
    const [segments, copies] = await Promise.all([
      segmentsOf(client, weeks),
      copiesOf(client, weeks),
    ])
    if (!segments || !copies) return
    const indices = Map.groupBy(segments, ({ index }) => index)
    for (const index of restsUntil.keys()) if (!indices.has(index)) restsUntil.delete(index)
    // The engine may still be at what an earlier writer asked for.
    const busy = new Set(copies.flatMap(({ index, isMerging: is }) => (is ? [index] : [])))
    for (const [index, own] of indices) {
      const rests = clock.elapsed() < (restsUntil.get(index) ?? -Infinity)
      const most = rests || busy.has(index) ? undefined : segmentsWanted(own, shareOf(index))
      if (most !== undefined) return merge(index, own, most)
    }
  }

  async function merge(index: string, own: readonly Segment[], most: number): Promise<void> {
    const since = clock.elapsed()
    try {
      await expectRoom(client, own)
      const isDone = await forceMerge(client, index, `max_num_segments=${most}`)
      // Until a refresh, searches use the old segments.
      if (isDone) await ask(client, 'POST', `/${index}/_refresh`)
    } catch (error) {
      onUnmerged?.(index, (error as Error).message)
    }
    const tookMs = clock.elapsed() - since
    restsUntil.set(index, clock.elapsed() + Math.max(REST_MS, REST_FACTOR * tookMs))
  }

  return (weeks) => {
    if (isMerging) return
    isMerging = true
    // What the engine cannot tell now is asked for again the next time.
    mergeNext(weeks)
      .catch(() => undefined)
      .finally(() => (isMerging = false))
  }
}

/**
 * To how many segments each shard of an index should be merged; undefined if none needs it. The engine merges the smallest
 * ones until that many are left.
 */
export function segmentsWanted(segments: readonly Segment[], share: number): number | undefined {
  const copies = [...Map.groupBy(segments, ({ copy }) => copy).values()].map((own) => {
    const sizes = own.toSorted((a, b) => a.bytes - b.bytes)
    let fitting = 0
    for (let bytes = 0; fitting < sizes.length; fitting++) {
      bytes += sizes[fitting]!.bytes
      if (bytes > MAX_BYTES) break
    }
    const posts = sizes.slice(0, fitting).map((segment) => segment.posts)
    const isScattered = Math.max(0, ...posts) < share * sum(posts)
    return { isScattered, count: own.length, least: own.length - Math.max(1, fitting) + 1 }
  })
  const most = Math.max(...copies.map(({ least }) => least))
  const isWanted = copies.some(({ isScattered, count }) => isScattered && count > most)
  return isWanted ? most : undefined
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
