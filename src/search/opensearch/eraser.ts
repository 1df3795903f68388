import type { Clock } from '../../model/clock.ts'
import { isUnavailable } from '../../model/errors.ts'
import { MINUTE_MS } from '../../model/time.ts'
import type { Client } from './client.ts'
import { ask } from './control.ts'
import { expectRoom } from './room.ts'
import { copiesOf, forceMerge, segmentsOf, type Segment } from './segments.ts'

interface EraserOptions {
  readonly client: Client
  readonly clock: Clock
  /** Called with an index that could not be merged, and why. */
  readonly onUnmerged?: ((index: string, why: string) => void) | undefined
}

interface Work {
  readonly weeks: string
  /** The sequence number of the last write, by shard. */
  readonly written: ReadonlyMap<string, number>
  /** Copies of shards that have been merging ever since merges drop what was written until then. */
  busy?: ReadonlySet<string> | undefined
  /** What there was once no such merge was left: copies, and segments with deleted documents. */
  found?: { readonly copies: string; readonly segments: ReadonlySet<string> } | undefined
  isMerging: boolean
}

/** How long to wait after a merge failed. */
const REST_MS = 10 * MINUTE_MS

/**
 * Purges removed posts from the files. The engine keeps what was replaced until segments are merged, and a merge keeps
 * operations that replicas may still have to be sent. So it takes steps: note the last write of each shard, commit until
 * merges drop operations up to there (half a minute), wait until the merges that began before are over, merge the segments
 * with deleted documents, wait until these segments are gone. Each call goes on as far as possible without waiting; it
 * resolves to true once everything removed before the first step is gone.
 */
export function createEraser(options: EraserOptions): (weeks: string) => Promise<boolean> {
  const { client, clock, onUnmerged } = options
  let work: Work | undefined
  let restsUntil = -Infinity

  async function begin(weeks: string): Promise<Work> {
    const written = new Map<string, number>()
    for (const copy of await copiesOf(client, weeks)) {
      written.set(copy.shard, Math.max(written.get(copy.shard) ?? -1, copy.written))
    }
    return { weeks, written, isMerging: false }
  }

  /** A merge that began too early may carry words of removed posts into a segment that is not there yet. */
  async function isSettled(begun: Work): Promise<boolean> {
    const { weeks, written, busy } = begun
    if (busy?.size === 0) return true
    const copies = await copiesOf(client, weeks)
    const drops = copies.every(({ shard, retained }) => retained > (written.get(shard) ?? -1))
    if (!drops) {
      // Only with a commit does a copy learn what it need no longer retain, and tells so with the next one.
      await ask(client, 'POST', `/${weeks}/_flush?force=true`)
      return false
    }
    const still = copies.filter(({ copy, isMerging }) => isMerging && (busy?.has(copy) ?? true))
    begun.busy = new Set(still.map(({ copy }) => copy))
    return still.length === 0
  }

  /** Segments left of those that may hold removed words; undefined if other copies have come, which may bring more. */
  async function leftOf(begun: Work): Promise<readonly Segment[] | undefined> {
    // Until a refresh, merged segments are listed because searches use them.
    await ask(client, 'POST', `/${begun.weeks}/_refresh`)
    const listed = await segmentsOf(client, begun.weeks)
    const copies = [...new Set(listed.map(({ copy }) => copy))].toSorted().join()
    const lossy = listed.filter(({ lost }) => lost > 0)
    begun.found ??= { copies, segments: new Set(lossy.map(keyOf)) }
    const { found } = begun
    if (copies !== found.copies) return undefined
    return lossy.filter((segment) => found.segments.has(keyOf(segment)))
  }

  /** Not awaited: posts keep coming in meanwhile. */
  async function merge(begun: Work, left: readonly Segment[]): Promise<void> {
    begun.isMerging = true
    for (const [index, own] of Map.groupBy(left, (segment) => segment.index)) {
      try {
        await expectRoom(client, own)
        await forceMerge(client, index, 'only_expunge_deletes=true')
      } catch (error) {
        // The engine may still be at it.
        begun.busy = undefined
        restsUntil = clock.elapsed() + REST_MS
        if (!isUnavailable(error)) onUnmerged?.(index, (error as Error).message)
      }
    }
    begun.isMerging = false
  }

  return async (weeks) => {
    if (work?.weeks !== weeks) work = await begin(weeks)
    if (work.isMerging || clock.elapsed() < restsUntil) return false
    // A copy that is being made now has the files of another from before.
    if (!(await isSettled(work)) || (await isMoving(client, weeks))) return false
    const left = await leftOf(work)
    if (!left) {
      work.busy = work.found = undefined
      return false
    }
    if (left.length > 0) {
      void merge(work, left)
      return false
    }
    work = undefined
    return true
  }
}

const keyOf = ({ copy, name }: Segment) => `${copy}/${name}`

async function isMoving(client: Client, weeks: string): Promise<boolean> {
  const path = `/_cluster/health/${weeks}?filter_path=initializing_shards,relocating_shards`
  const told = await ask<Moving>(client, 'GET', path)
  return told.initializing_shards + told.relocating_shards > 0
}

interface Moving {
  readonly initializing_shards: number
  readonly relocating_shards: number
}
