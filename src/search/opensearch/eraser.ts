import type { Client } from './client.ts'
import { ask } from './control.ts'
import { copiesOf, forceMerge, segmentsOf } from './segments.ts'

interface Work {
  readonly weeks: string
  /** The sequence number of the last write, by shard. */
  readonly written: ReadonlyMap<string, number>
  /** Copies of shards that have been merging ever since these operations might be dropped. */
  busy?: ReadonlySet<string>
  /** Segments with deleted documents, once none is left that a merge has begun with before that. */
  segments?: ReadonlySet<string>
  isMerging: boolean
}

/**
 * Purges removed posts from the files. The engine keeps what was replaced until segments are merged, and a merge keeps
 * operations that replicas may still have to be sent. So it takes steps: note the last write of each shard, wait until no
 * operation up to there is retained for replicas (half a minute) and the merges that began before are over, merge the
 * segments with deleted documents, wait until these segments are gone. Each call goes on as far as possible without
 * waiting; it resolves to true once everything removed before the first step is gone.
 */
export function createEraser(client: Client): (weeks: string) => Promise<boolean> {
  let work: Work | undefined

  async function writtenIn(weeks: string): Promise<Map<string, number>> {
    const written = new Map<string, number>()
    for (const copy of await copiesOf(client, weeks)) {
      written.set(copy.shard, Math.max(written.get(copy.shard) ?? -1, copy.written))
    }
    return written
  }

  /** A merge that has begun may carry words of removed posts into a segment that is not there yet. */
  async function isSettled(begun: Work): Promise<boolean> {
    const copies = await copiesOf(client, begun.weeks)
    const { written, busy } = begun
    const isKept = copies.some(({ shard, kept }) => kept <= (written.get(shard) ?? -1))
    if (!busy && isKept) return false
    const still = copies.filter(({ copy, isMerging }) => isMerging && (busy?.has(copy) ?? true))
    begun.busy = new Set(still.map(({ copy }) => copy))
    return still.length === 0
  }

  async function segmentsWithLosses(weeks: string): Promise<Set<string>> {
    const segments = await segmentsOf(client, weeks)
    const found = segments.filter(({ lost }) => lost > 0)
    return new Set(found.map(({ copy, name }) => `${copy}/${name}`))
  }

  /** Not awaited: posts keep coming in meanwhile. If it fails, segments are left over and it is started again. */
  function merge(begun: Work): void {
    begun.isMerging = true
    forceMerge(client, begun.weeks, 'only_expunge_deletes=true')
      .catch(() => undefined)
      .finally(() => (begun.isMerging = false))
  }

  return async (weeks) => {
    if (work?.weeks !== weeks) work = undefined
    work ??= { weeks, written: await writtenIn(weeks), isMerging: false }
    if (work.isMerging) return false
    if (!work.segments) {
      if (!(await isSettled(work))) return false
      await ask(client, 'POST', `/${weeks}/_flush`)
      work.segments = await segmentsWithLosses(weeks)
    } else {
      // Until a refresh, searches hold the merged segments open.
      await ask(client, 'POST', `/${weeks}/_refresh`)
    }
    const left = (await segmentsWithLosses(weeks)).intersection(work.segments)
    if (left.size > 0) {
      merge(work)
      return false
    }
    work = undefined
    return true
  }
}
