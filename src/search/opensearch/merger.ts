import type { Clock } from '../../model/clock.ts'
import { DAY_MS, HOUR_MS } from '../../model/time.ts'
import { bucketOf } from '../bucket.ts'
import { secondsOf } from '../prior.ts'
import type { Client } from './client.ts'
import { ask } from './control.ts'
import type { Names } from './names.ts'
import { forceMerge, segmentsOf, type Segment } from './segments.ts'

export interface Merger {
  readonly isMerging: boolean
  /** Begins to merge those of these weeks that have too many segments, one after another. Does nothing while it merges. */
  begin(weeks: string): void
}

/** Larger segments are not made: to replace or remove posts in them would cost too much. */
const MAX_BYTES = 5 * 2 ** 30
/** A week is not merged again sooner: where merging fails, as on a full disk, trying would be all that the engine does. */
const PAUSE_MS = HOUR_MS
/** How long after its end a week is still being filled. */
const LATE_MS = 2 * DAY_MS
/**
 * The share of its posts that a week must have in its largest segment. It is merged less often while it is being filled:
 * each post is then written again as often as the week doubles.
 */
const SHARE = { filling: 0.5, over: 0.9 }

/**
 * Every search looks up its words in every segment, and the engine leaves a dozen or two in each week, however long it is
 * over. Merged into one, a million posts take half the processor time to search.
 */
export function createMerger(client: Client, names: Names, clock: Clock): Merger {
  let isMerging = false
  /** When each index was last merged. */
  const merged = new Map<string, number>()

  function shareOf(index: string): number {
    const { week = Infinity } = names.parse(index) ?? {}
    return week < bucketOf(secondsOf(clock.now() - LATE_MS)) ? SHARE.over : SHARE.filling
  }

  async function merge(weeks: string): Promise<void> {
    const segments = Map.groupBy(await segmentsOf(client, weeks), ({ index }) => index)
    for (const index of merged.keys()) if (!segments.has(index)) merged.delete(index)
    for (const [index, own] of segments) {
      if (clock.elapsed() - (merged.get(index) ?? -Infinity) < PAUSE_MS) continue
      const most = segmentsWanted(own, shareOf(index))
      if (most === undefined || !hasRoom(own, await freeBytes(client))) continue
      merged.set(index, clock.elapsed())
      await forceMerge(client, index, `max_num_segments=${most}`)
      // Until a refresh, searches use the old segments.
      await ask(client, 'POST', `/${index}/_refresh`)
    }
  }

  return {
    get isMerging() {
      return isMerging
    },
    begin(weeks) {
      if (isMerging) return
      isMerging = true
      // If it fails, it is tried again the next time.
      merge(weeks)
        .catch(() => undefined)
        .finally(() => (isMerging = false))
    },
  }
}

/** To how many segments each shard of an index should be merged; undefined if none needs it. */
export function segmentsWanted(segments: readonly Segment[], share: number): number | undefined {
  const copies = Map.groupBy(segments, ({ shard, node }) => `${shard}/${node}`)
  const wanted = [...copies.values()].flatMap((own) => {
    const most = Math.max(1, Math.ceil(sum(own.map(({ bytes }) => bytes)) / MAX_BYTES))
    const sizes = own.map(({ posts }) => posts).toSorted((a, b) => b - a)
    return sum(sizes.slice(0, most)) < share * sum(sizes) ? [most] : []
  })
  return wanted.length === 0 ? undefined : Math.max(...wanted)
}

/** Whether each node has room for its segments a second time, and as much again for what comes in meanwhile. */
export function hasRoom(segments: readonly Segment[], free: ReadonlyMap<string, number>): boolean {
  const nodes = Map.groupBy(segments, ({ node }) => node)
  return [...nodes].every(
    ([node, own]) => (free.get(node) ?? 0) > 2 * sum(own.map(({ bytes }) => bytes)),
  )
}

/** By node. */
async function freeBytes(client: Client): Promise<ReadonlyMap<string, number>> {
  const path = '/_nodes/stats/fs?filter_path=nodes.*.fs.total.available_in_bytes'
  const { nodes } = await ask<FileStats>(client, 'GET', path)
  return new Map(Object.entries(nodes).map(([id, { fs }]) => [id, fs.total.available_in_bytes]))
}

interface FileStats {
  readonly nodes: Readonly<
    Record<string, { readonly fs: { readonly total: { readonly available_in_bytes: number } } }>
  >
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
