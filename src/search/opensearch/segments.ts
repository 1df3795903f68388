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
  /** Deleted and replaced documents that it still holds. */
  readonly lost: number
  readonly bytes: number
}

/** The segments of all copies of all shards of these indices; undefined if a copy did not answer. */
export async function segmentsOf(
  client: Client,
  weeks: string,
): Promise<readonly Segment[] | undefined> {
  const listed = await ask<ByShard<Listed>>(client, 'GET', `/${weeks}/_segments`)
  return copiesIn(listed, (index, shard, { routing: { node }, segments }) =>
    Object.entries(segments).map(([name, { num_docs, deleted_docs, size_in_bytes }]) => ({
      index,
      copy: `${shard}/${node}`,
      node,
      name,
      posts: num_docs,
      lost: deleted_docs,
      bytes: size_in_bytes,
    })),
  )?.flat()
}

/** A copy of a shard. */
export interface Copy {
  readonly index: string
  readonly shard: string
  readonly copy: string
  readonly isMerging: boolean
  /** The last operation. */
  readonly written: number
  /** The first operation whose documents are retained by merges, as of its last commit. */
  readonly retained: number
  /** Copies of its shard, listed or not, that can still be sent what they lack: they keep their files. */
  readonly leased: readonly string[]
}

/** Undefined if a copy did not answer. */
export async function copiesOf(
  client: Client,
  weeks: string,
): Promise<readonly Copy[] | undefined> {
  const path = `/${weeks}/_stats/store,merge?level=shards`
  const told = await ask<ByShard<Stats>>(client, 'GET', path)
  return copiesIn(told, (index, shard, stats) => ({
    index,
    shard,
    copy: `${shard}/${stats.routing.node}`,
    isMerging: stats.merges.current > 0,
    written: stats.seq_no?.max_seq_no ?? -1,
    retained: Number(stats.commit?.user_data.min_retained_seq_no ?? -1),
    leased: (stats.retention_leases?.leases ?? []).flatMap(({ id }) =>
      id.startsWith(LEASE) ? [`${shard}/${id.slice(LEASE.length)}`] : [],
    ),
  }))
}

/** Before the node, in the name of a lease. */
const LEASE = 'peer_recovery/'

/** Merging rewrites whole segments, which may be large. */
const MERGE_MS = HOUR_MS

/**
 * Resolves to true once an index is merged, and to false if a node did not answer: it may be at it, so the request is not
 * sent again. Rejects if a shard could not be merged.
 */
export async function forceMerge(client: Client, index: string, how: string): Promise<boolean> {
  const path = `/${index}/_forcemerge?${how}&flush=true`
  const deadline = performance.now() + MERGE_MS
  const request = { method: 'POST', path, deadline, once: true } as const
  const answer = await client.request(request).catch(() => undefined)
  if (!answer) return false
  const { failed, failures = [] } = expectOk<Answered>(answer)._shards
  const other = failures.find(({ reason }) => reason?.type !== 'failed_node_exception')
  if (other) throw new Error(other.reason?.reason ?? 'a shard failed')
  return failed === 0
}

interface Answered {
  readonly _shards: {
    readonly failed: number
    readonly failures?: readonly {
      readonly reason?: { readonly type?: string; readonly reason?: string }
    }[]
  }
}

/** What is told of each copy of each shard. */
interface ByShard<Told> extends Answered {
  readonly indices: Readonly<
    Record<string, { readonly shards: Readonly<Record<string, readonly Told[]>> }>
  >
}

interface Listed {
  readonly routing: { readonly node: string }
  readonly segments: Readonly<Record<string, Counted>>
}

interface Counted {
  readonly num_docs: number
  readonly deleted_docs: number
  readonly size_in_bytes: number
}

interface Stats {
  readonly routing: { readonly node: string }
  readonly merges: { readonly current: number }
  readonly seq_no?: { readonly max_seq_no: number }
  readonly commit?: { readonly user_data: { readonly min_retained_seq_no?: string } }
  readonly retention_leases?: { readonly leases: readonly { readonly id: string }[] }
}

function copiesIn<Told, T>(
  { indices, _shards }: ByShard<Told>,
  describe: (index: string, shard: string, told: Told) => T,
): T[] | undefined {
  if (_shards.failed > 0) return undefined
  return Object.entries(indices).flatMap(([index, { shards }]) =>
    Object.entries(shards).flatMap(([shard, copies]) =>
      copies.map((told) => describe(index, `${index}/${shard}`, told)),
    ),
  )
}
