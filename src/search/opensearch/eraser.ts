import type { Clock } from '../../model/clock.ts'
import { HOUR_MS } from '../../model/time.ts'
import type { Client } from './client.ts'
import { ask } from './control.ts'
import { expectRoom } from './room.ts'
import { copiesOf, forceMerge, segmentsOf, type Copy, type Segment } from './segments.ts'

interface EraserOptions {
  readonly client: Client
  readonly clock: Clock
  /** Called with an index that could not be merged, and why. */
  readonly onUnmerged?: ((index: string, why: string) => void) | undefined
}

interface Work {
  readonly weeks: string
  readonly copies: ReadonlySet<string>
  /** The sequence number of the last write, by shard. */
  readonly written: ReadonlyMap<string, number>
  /** Copies that have been merging ever since merges drop what was written until then. */
  busy?: ReadonlySet<string> | undefined
  /** The segments with deleted documents that there were once no such merge was left. */
  found?: ReadonlySet<string> | undefined
  isMerging: boolean
  /** Indices that could not be merged. */
  readonly failed: Set<string>
}

/** Erasing begins anew this long after an index could not be merged, for what has been removed from the others since. */
const REST_MS = HOUR_MS

/**
 * Purges removed posts from the files. The engine keeps what was replaced until segments are merged, and a merge keeps
 * operations that replicas may still have to be sent. So it takes steps: note the last write of each shard, commit until
 * merges drop operations up to there, wait until the merges that began before are over, merge the segments with deleted
 * documents, wait until these segments are gone. Each call goes on as far as possible without waiting; it resolves to true
 * once everything removed before the first step is gone.
 */
export function createEraser(options: EraserOptions): (weeks: string) => Promise<boolean> {
  const { client, clock, onUnmerged } = options
  let work: Work | undefined
  let restsUntil = -Infinity

  /** A merge that began too early may carry words of removed posts into a segment that is not there yet. */
  async function isSettled(begun: Work, copies: readonly Copy[]): Promise<boolean> {
    const { weeks, written, busy } = begun
    if (copies.some(({ shard, retained }) => retained <= written.get(shard)!)) {
      // Only with a commit does a copy learn what it need no longer retain, and tells so with the next one.
      await ask(client, 'POST', `/${weeks}/_flush?force=true`)
      // One that was killed has gone back to an earlier commit.
      begun.busy = begun.found = undefined
      return false
    }
    const still = copies.filter(({ copy, isMerging }) => isMerging && (busy?.has(copy) ?? true))
    begun.busy = new Set(still.map(({ copy }) => copy))
    return still.length === 0
  }

  /** Not awaited: posts keep coming in meanwhile. */
  async function merge(begun: Work, left: readonly Segment[]): Promise<void> {
    begun.isMerging = true
    for (const [index, own] of Map.groupBy(left, (segment) => segment.index)) {
      try {
        await expectRoom(client, own)
        const isDone = await forceMerge(client, index, 'only_expunge_deletes=true')
        // The engine may still be at it, which has to be waited for.
        if (!isDone) begun.busy = undefined
      } catch (error) {
        begun.failed.add(index)
        onUnmerged?.(index, (error as Error).message)
      }
    }
    begun.isMerging = false
  }

  return async (weeks) => {
    if (work?.isMerging || clock.elapsed() < restsUntil) return false
    const copies = await copiesOf(client, weeks)
    if (!copies || !(await isWhole(client, weeks, copies))) return false
    // Another copy may have been made from files of before.
    const names = namesOf(copies)
    const isSame = work?.weeks === weeks && work.copies.symmetricDifference(names).size === 0
    if (!work || !isSame) work = begin(weeks, copies)
    if (!(await isSettled(work, copies))) return false
    // Until a refresh, merged segments are listed because searches use them.
    await ask(client, 'POST', `/${weeks}/_refresh`)
    const segments = await segmentsOf(client, weeks)
    if (!segments) return false
    const lossy = segments.filter(({ lost }) => lost > 0)
    const found = (work.found ??= new Set(lossy.map(keyOf)))
    const left = new Set(lossy.flatMap((each) => (found.has(keyOf(each)) ? [each.index] : [])))
    const open = left.difference(work.failed)
    if (open.size > 0) {
      void merge(
        work,
        lossy.filter(({ index }) => open.has(index)),
      )
      return false
    }
    work = undefined
    if (left.size > 0) restsUntil = clock.elapsed() + REST_MS
    return left.size === 0
  }
}

function begin(weeks: string, copies: readonly Copy[]): Work {
  const written = new Map<string, number>()
  for (const copy of copies) {
    written.set(copy.shard, Math.max(written.get(copy.shard) ?? -1, copy.written))
  }
  return { weeks, copies: namesOf(copies), written, isMerging: false, failed: new Set() }
}

/** Whether no copy is away that would come back with its files, or is being made from those of another. */
async function isWhole(client: Client, weeks: string, copies: readonly Copy[]): Promise<boolean> {
  const leased = new Set(copies.flatMap((copy) => copy.leased))
  if (!leased.isSubsetOf(namesOf(copies))) return false
  const fields = 'status,initializing_shards,relocating_shards'
  const path = `/_cluster/health/${weeks}?filter_path=${fields}`
  const told = await ask<Health>(client, 'GET', path)
  return told.status !== 'red' && told.initializing_shards + told.relocating_shards === 0
}

interface Health {
  readonly status: 'green' | 'yellow' | 'red'
  readonly initializing_shards: number
  readonly relocating_shards: number
}

const namesOf = (copies: readonly Copy[]) => new Set(copies.map(({ copy }) => copy))
const keyOf = ({ copy, name }: Segment) => `${copy}/${name}`
