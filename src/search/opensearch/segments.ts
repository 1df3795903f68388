import { HOUR_MS } from '../../model/time.ts'
import { expectOk, type Client } from './client.ts'
import { ask } from './control.ts'

/** A segment of one copy of a shard. */
export interface Segment {
  readonly index: string
  /** Its copy of a shard, as in `Copy`. */
  readonly copy: string
  readonly node: string
  readonly name: string
  readonly posts: number
  /** Replaced or removed posts that are still in the file. */
  readonly lost: number
  readonly bytes: number
}

/** The segments of all copies of all shards of these indices. */
export async function segmentsOf(client: Client, weeks: string): Promise<readonly Segment[]> {
  const { indices } = await ask<ByShard<Listed>>(client, 'GET', `/${weeks}/_segments`)
  return copiesIn(indices).flatMap(
    ([
      index,
      shard,
      {
        routing: { node },
        segments,
      },
    ]) =>
      Object.entries(segments).map(([name, { num_docs, deleted_docs, size_in_bytes }]) => ({
        index,
        copy: `${shard}/${node}`,
        node,
        name,
        posts: num_docs,
        lost: deleted_docs,
        bytes: size_in_bytes,
      })),
  )
}

/** A copy of a shard. */
export interface Copy {
  readonly index: string
  readonly shard: string
  readonly copy: string
  readonly isMerging: boolean
  /** The last operation, and the first one that is retained for replicas. */
  readonly written: number
  readonly kept: number
}

export async function copiesOf(client: Client, weeks: string): Promise<readonly Copy[]> {
  const path = `/${weeks}/_stats/store,merge?level=shards`
  const { indices } = await ask<ByShard<Stats>>(client, 'GET', path)
  return copiesIn(indices).map(([index, shard, stats]) => ({
    index,
    shard,
    copy: `${shard}/${stats.routing.node}`,
    isMerging: stats.merges.current > 0,
    written: stats.seq_no?.max_seq_no ?? -1,
    kept: Math.min(
      ...(stats.retention_leases?.leases ?? []).map((lease) => lease.retaining_seq_no),
    ),
  }))
}

/** Merging rewrites whole segments, which may be large. */
const MERGE_MS = HOUR_MS

/** Resolves once the engine has merged. It goes on merging even if the request is cut off. */
export async function forceMerge(client: Client, weeks: string, how: string): Promise<void> {
  const path = `/${weeks}/_forcemerge?${how}&flush=true`
  const deadline = performance.now() + MERGE_MS
  const answer = await client.request({ method: 'POST', path, deadline, once: true })
  const { _shards: told } = expectOk<Merged>(answer)
  if (told.failed > 0) throw new Error(told.failures?.[0]?.reason?.reason ?? 'a shard failed')
}

/** Values of each copy of each shard. */
interface ByShard<Told> {
  readonly indices: Readonly<
    Record<string, { readonly shards: Readonly<Record<string, readonly Told[]>> }>
  >
}

interface Listed {
  readonly routing: { readonly node: string }
  readonly segments: Readonly<
    Record<
      string,
      {
        readonly num_docs: number
        readonly deleted_docs: number
        readonly size_in_bytes: number
      }
    >
  >
}

interface Stats {
  readonly routing: { readonly node: string }
  readonly merges: { readonly current: number }
  readonly seq_no?: { readonly max_seq_no: number }
  readonly retention_leases?: { readonly leases: readonly { readonly retaining_seq_no: number }[] }
}

interface Merged {
  readonly _shards: {
    readonly failed: number
    readonly failures?: readonly { readonly reason?: { readonly reason?: string } }[]
  }
}

function copiesIn<Told>(
  indices: ByShard<Told>['indices'],
): (readonly [index: string, shard: string, Told])[] {
  return Object.entries(indices).flatMap(([index, { shards }]) =>
    Object.entries(shards).flatMap(([shard, copies]) =>
      copies.map((told) => [index, `${index}/${shard}`, told] as const),
    ),
  )
}
