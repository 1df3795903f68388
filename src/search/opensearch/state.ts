import { LACKS_POSTS, WINDOW_MS, type IndexState } from '../search-index.ts'
import { expectOk, type Client } from './client.ts'
import type { Meta } from './control.ts'
import { LIVE } from './mapping.ts'

/** Up to so many channels are counted exactly. */
const EXACT_CHANNELS = 40_000

interface Counted {
  readonly hits: { readonly total: { readonly value: number } }
  /** Left out where there is no index yet. */
  readonly aggregations?: Readonly<Record<string, { readonly value: number | null }>>
}

/** What some indices hold, a pattern or an alias. */
export async function describeState(
  client: Client,
  indices: string,
  about: {
    readonly meta: Meta
    readonly now: number
    readonly analyzerVersion: number
    readonly deadline: number
  },
): Promise<IndexState> {
  const { meta, now, analyzerVersion, deadline } = about
  const [counted, bytes] = await Promise.all([
    count(client, indices, deadline),
    bytesOf(client, indices, deadline),
  ])
  const at = (name: string) => {
    const sec = counted.aggregations?.[name]?.value ?? null
    return sec === null ? null : sec * 1000
  }
  const oldest = at('oldest')
  return {
    kind: 'opensearch',
    posts: counted.hits.total.value,
    channels: counted.aggregations?.['channels']?.value ?? 0,
    oldestPostAt: oldest === null ? null : Math.max(oldest, now - WINDOW_MS),
    newestPostAt: at('newest'),
    analyzerVersion,
    generation: meta.generation,
    complete: meta.complete,
    rebuilding: meta.rebuilding,
    removals: meta.removals,
    droppedBefore: meta.droppedBefore,
    bytes,
    problem: meta.lacks ? LACKS_POSTS : null,
  }
}

async function count(client: Client, indices: string, deadline: number): Promise<Counted> {
  const answer = await client.request({
    method: 'POST',
    path: `/${indices}/_search?ignore_unavailable=true&allow_no_indices=true`,
    body: {
      size: 0,
      track_total_hits: true,
      query: { term: { live: LIVE } },
      aggs: {
        channels: { cardinality: { field: 'ch', precision_threshold: EXACT_CHANNELS } },
        oldest: { min: { field: 'sec' } },
        newest: { max: { field: 'sec' } },
      },
    },
    deadline,
  })
  return expectOk<Counted>(answer)
}

async function bytesOf(client: Client, indices: string, deadline: number): Promise<number> {
  const path = `/${indices}/_stats/store?filter_path=_all.primaries.store.size_in_bytes`
  const answer = await client.request({ method: 'GET', path, deadline })
  if (answer.status === 404) return 0
  const body = expectOk<{ _all?: { primaries?: { store?: { size_in_bytes: number } } } }>(answer)
  return body._all?.primaries?.store?.size_in_bytes ?? 0
}
