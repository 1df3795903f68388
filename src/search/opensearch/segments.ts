import { HOUR_MS } from '../../model/time.ts'
import { expectOk, type Client } from './client.ts'
import { ask } from './control.ts'

/** A segment of one copy of a shard. */
export interface Segment {
  readonly index: string
  readonly shard: string
  readonly node: string
  readonly name: string
  readonly posts: number
  /** Replaced or removed posts that are still in the file. */
  readonly lost: number
  readonly bytes: number
}

/** The segments of all copies of all shards of these indices. */
export async function segmentsOf(client: Client, weeks: string): Promise<readonly Segment[]> {
  const { indices } = await ask<Response>(client, 'GET', `/${weeks}/_segments`)
  return Object.entries(indices).flatMap(([index, { shards }]) =>
    Object.entries(shards).flatMap(([shard, copies]) =>
      copies.flatMap(({ routing: { node }, segments }) =>
        Object.entries(segments).map(([name, { num_docs, deleted_docs, size_in_bytes }]) => ({
          index,
          shard,
          node,
          name,
          posts: num_docs,
          lost: deleted_docs,
          bytes: size_in_bytes,
        })),
      ),
    ),
  )
}

/** Values of each copy of each shard. */
export interface ByShard<Told> {
  readonly indices: Readonly<
    Record<string, { readonly shards: Readonly<Record<string, readonly Told[]>> }>
  >
}

type Response = ByShard<{
  readonly routing: { readonly node: string }
  readonly segments: Readonly<Record<string, Counted>>
}>

interface Counted {
  readonly num_docs: number
  readonly deleted_docs: number
  readonly size_in_bytes: number
}

/** Merging rewrites whole segments, which may be large. */
const MERGE_MS = HOUR_MS

/** Resolves once the engine has merged. It goes on merging even if the request is cut off. */
export async function forceMerge(client: Client, weeks: string, how: string): Promise<void> {
  const path = `/${weeks}/_forcemerge?${how}&flush=true`
  const deadline = performance.now() + MERGE_MS
  expectOk(await client.request({ method: 'POST', path, deadline, once: true }))
}
