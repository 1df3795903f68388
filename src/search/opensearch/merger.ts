import type { Clock } from '../../model/clock.ts'
import { DAY_MS, HOUR_MS } from '../../model/time.ts'
import { bucketOf } from '../bucket.ts'
import { secondsOf } from '../prior.ts'
import { expectOk, type Client } from './client.ts'
import { ask } from './control.ts'
import type { Names } from './names.ts'

interface MergerOptions {
  readonly client: Client
  readonly names: Names
  readonly clock: Clock
  /** Called with an index that could not be merged, and why. */
  readonly onUnmerged?: ((index: string, why: string) => void) | undefined
}

/** A segment of one copy of a shard, as the engine lists it. */
export interface Segment {
  readonly index: string
  readonly shard: string
  /** The node that has the copy. */
  readonly id: string
  readonly 'docs.count': string
  readonly size: string
}

/** The engine by itself makes no larger segments. */
const MAX_BYTES = 5 * 2 ** 30
/** How long after its end a week is still being filled. */
const LATE_MS = 2 * DAY_MS
/**
 * The share of a week's posts that its largest segment must hold. It is less while a week is being filled: each post is then
 * written again only as often as the week doubles.
 */
const SHARE = { filling: 0.5, over: 0.9 }
/** The hour of the night when segments are rewritten without the posts that they have lost. */
const NIGHT = 3
/** Merging rewrites whole segments, which may be large. */
const MERGE_MS = HOUR_MS

/**
 * Every search looks up its words in every segment, and the engine leaves a dozen or two in each week, however long it is
 * over: merged into one, a million posts take half the processor time to search. And the words of posts that were removed or
 * replaced stay in the files until their segment is merged. So in each hour weeks with too many segments are merged, and once
 * a night all that hold such words. What is due follows from what the engine lists: nothing is remembered, and what fails or
 * is interrupted is due again.
 */
export function createMerger(options: MergerOptions): (weeks: string) => void {
  const { client, names, clock, onUnmerged } = options
  /** The hour of the last turn. */
  let last = -1
  let isMerging = false

  async function mergeDue(weeks: string, now: number): Promise<void> {
    // Merges keep what was replaced since the last commit.
    await ask(client, 'POST', `/${weeks}/_flush`)
    const indices = Map.groupBy(await segmentsOf(client, weeks), ({ index }) => index)
    const filling = bucketOf(secondsOf(now - LATE_MS))
    const isNight = new Date(now).getHours() === NIGHT
    for (const [index, segments] of indices) {
      const { week = filling } = names.parse(index) ?? {}
      const most = segmentsWanted(segments, week < filling ? SHARE.over : SHARE.filling)
      if (isNight) await merge(index, 'only_expunge_deletes=true')
      if (most !== undefined) await merge(index, `max_num_segments=${most}`)
    }
  }

  async function merge(index: string, how: string): Promise<void> {
    const deadline = performance.now() + MERGE_MS
    const path = `/${index}/_forcemerge?${how}`
    try {
      const request = { method: 'POST', path, deadline, once: true } as const
      const { failures } = expectOk<Merged>(await client.request(request))._shards
      if (failures) throw new Error(failures[0]?.reason?.reason ?? 'a shard failed')
      // Until a refresh, searches use the old segments.
      await ask(client, 'POST', `/${index}/_refresh`)
    } catch (error) {
      onUnmerged?.(index, (error as Error).message)
    }
  }

  return (weeks) => {
    const now = clock.now()
    const hour = Math.floor(now / HOUR_MS)
    if (isMerging || hour === last) return
    last = hour
    isMerging = true
    // Not awaited: posts keep coming in meanwhile. What the engine cannot tell now is asked for again in an hour.
    mergeDue(weeks, now)
      .catch(() => undefined)
      .finally(() => (isMerging = false))
  }
}

interface Merged {
  readonly _shards: { readonly failures?: readonly { readonly reason?: { reason?: string } }[] }
}

/** The segments of all copies of all shards of these indices. */
export async function segmentsOf(client: Client, weeks: string): Promise<readonly Segment[]> {
  const columns = 'index,shard,id,docs.count,size'
  return ask(client, 'GET', `/_cat/segments/${weeks}?format=json&bytes=b&h=${columns}`)
}

/**
 * To how many segments each shard of an index should be merged: to one, or to as many as are needed where that would be too
 * large; undefined if as many hold most of the posts of each copy already.
 */
export function segmentsWanted(segments: readonly Segment[], share: number): number | undefined {
  const wanted = [...Map.groupBy(segments, ({ shard, id }) => `${shard} ${id}`).values()].flatMap(
    (own) => {
      const most = Math.ceil(sum(own.map(({ size }) => Number(size))) / MAX_BYTES)
      const posts = own.map((each) => Number(each['docs.count'])).toSorted((a, b) => b - a)
      return sum(posts.slice(0, most)) < share * sum(posts) ? [most] : []
    },
  )
  return wanted.length > 0 ? Math.max(...wanted) : undefined
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
