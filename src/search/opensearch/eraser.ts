import type { Client } from './client.ts'
import { ask } from './control.ts'
import type { Merger } from './merger.ts'
import { forceMerge, segmentsOf, type ByShard } from './segments.ts'

interface Work {
  readonly weeks: string
  /** The sequence number of the last write, by shard. */
  readonly written: ReadonlyMap<string, number>
  /** Segments with deleted documents, once these may be dropped. */
  segments?: ReadonlySet<string>
  isMerging: boolean
}

/**
 * Purges removed posts from the files. The engine keeps what was replaced until segments are merged, and a merge keeps
 * operations that replicas may still have to be sent. So it takes steps: note the last write of each shard, wait until no
 * operation up to there is retained for replicas (half a minute), merge the segments with deleted documents, wait until
 * these segments are gone. Each call goes on as far as possible without waiting; it resolves to true once everything
 * removed before the first step is gone.
 */
export function createEraser(
  client: Client,
  merger: Pick<Merger, 'isMerging'>,
): (weeks: string) => Promise<boolean> {
  let work: Work | undefined

  async function copiesOf(weeks: string): Promise<readonly Copy[]> {
    const { indices } = await ask<Stats>(client, 'GET', `/${weeks}/_stats/store?level=shards`)
    return Object.entries(indices).flatMap(([index, { shards }]) =>
      Object.entries(shards).flatMap(([shard, copies]) =>
        copies.map((copy) => ({
          shard: `${index}/${shard}`,
          written: copy.seq_no?.max_seq_no ?? -1,
          kept: Math.min(
            ...(copy.retention_leases?.leases ?? []).map((lease) => lease.retaining_seq_no),
          ),
        })),
      ),
    )
  }

  async function writtenIn(weeks: string): Promise<Map<string, number>> {
    const written = new Map<string, number>()
    for (const copy of await copiesOf(weeks)) {
      written.set(copy.shard, Math.max(written.get(copy.shard) ?? -1, copy.written))
    }
    return written
  }

  async function isKeptForCopies({ weeks, written }: Work): Promise<boolean> {
    const copies = await copiesOf(weeks)
    return copies.some(({ shard, kept }) => kept <= (written.get(shard) ?? -1))
  }

  async function segmentsWithLosses(weeks: string): Promise<Set<string>> {
    const segments = await segmentsOf(client, weeks)
    return new Set(
      segments
        .filter(({ lost }) => lost > 0)
        .map(({ index, shard, node, name }) => `${index}/${shard}/${node}/${name}`),
    )
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
      // What is being merged now may keep words of removed posts in a segment that is not there yet.
      if (merger.isMerging || (await isKeptForCopies(work))) return false
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

interface Copy {
  readonly shard: string
  readonly written: number
  /** The first operation that is retained for replicas. */
  readonly kept: number
}

type Stats = ByShard<{
  readonly seq_no?: { readonly max_seq_no: number }
  readonly retention_leases?: { readonly leases: readonly { readonly retaining_seq_no: number }[] }
}>
