import type { Clock } from '../../model/clock.ts'
import { DAY_MS } from '../../model/time.ts'
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

  function shareOf(index: string): number {
    const { week = Infinity } = names.parse(index) ?? {}
    return week < bucketOf(secondsOf(clock.now() - LATE_MS)) ? SHARE.over : SHARE.filling
  }

  async function merge(weeks: string): Promise<void> {
    const segments = await segmentsOf(client, weeks)
    for (const [index, own] of Map.groupBy(segments, (segment) => segment.index)) {
      const most = segmentsWanted(own, shareOf(index))
      if (most === undefined) continue
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

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
