import { expectOk, type Client } from './client.ts'
import type { Control, Tally } from './control.ts'
import type { IndexDocument } from '../search-index.ts'
import { LIVE } from './mapping.ts'

/** Up to this many channels are counted exactly. */
const EXACT_CHANNELS = 40_000
/** Counting reads every post: it may take this share of the time, and each count at most `COUNT_MS`. */
const SHARE = 0.05
const COUNT_MS = 600_000
/** Changes within this time are counted together. */
const PAUSE_MS = 500
/** How long a closing writer waits for the last count. */
const LAST_MS = 2_000

/**
 * Counts what the serving generation holds and records it in the state document that everybody reads: every answer
 * includes it and cannot wait for a count of all posts. The more posts there are, the less often they are counted.
 */
interface Tallying {
  /** Something may have changed: it is counted soon, and nobody waits for it. */
  changed(): void
  /** Counts once more if something has changed; never rejects. */
  close(): Promise<void>
}

export function startTallying(client: Client, control: Control, weeks: () => string): Tallying {
  let isChanged = false
  let timer: NodeJS.Timeout | undefined
  let counting: Promise<void> | undefined
  let earliest = 0
  const closed = new AbortController()

  async function count(ms: number, signal?: AbortSignal): Promise<void> {
    const begun = performance.now()
    isChanged = false
    try {
      const pattern = weeks()
      const tally = await tallyOf(client, pattern, { deadline: begun + ms, signal })
      // Another generation may serve by now; its own count was recorded at the swap.
      if (pattern === weeks()) await control.update({ tally })
    } catch {
      // The last count stays until the next one succeeds.
      isChanged = true
    }
    earliest = performance.now() + (performance.now() - begun) / SHARE
  }

  function schedule(): void {
    if (counting || timer || closed.signal.aborted) return
    timer = setTimeout(
      () => {
        timer = undefined
        counting = count(COUNT_MS, closed.signal).finally(() => {
          counting = undefined
          if (isChanged) schedule()
        })
      },
      Math.max(PAUSE_MS, earliest - performance.now()),
    )
    timer.unref()
  }

  return {
    changed() {
      isChanged = true
      schedule()
    },
    async close() {
      clearTimeout(timer)
      isChanged ||= counting !== undefined
      closed.abort(new Error('the writer leaves'))
      await counting
      if (isChanged) await count(LAST_MS)
    },
  }
}

/** Updates the time of the newest post at once, so that the index's freshness is known before the next count. */
export function withNewest(tally: Tally, puts: readonly IndexDocument[]): Tally {
  const newest = puts.reduce(
    (latest, { publishedAt }) => Math.max(latest, publishedAt),
    tally.newestPostAt ?? 0,
  )
  return { ...tally, newestPostAt: newest || null }
}

interface Counted {
  readonly hits: { readonly total: { readonly value: number } }
  /** Left out if there is no index yet. */
  readonly aggregations?: Readonly<Record<string, { readonly value: number | null }>>
}

interface Asked {
  readonly deadline: number
  readonly signal?: AbortSignal | undefined
}

/** Reads every post of the indices that match a pattern: takes a second per million posts of a shard. */
export async function tallyOf(client: Client, indices: string, asked: Asked): Promise<Tally> {
  const [counted, bytes] = await Promise.all([
    count(client, indices, asked),
    bytesOf(client, indices, asked),
  ])
  const valueOf = (name: string) => counted.aggregations?.[name]?.value ?? null
  const at = (name: string) => {
    const sec = valueOf(name)
    return sec === null ? null : sec * 1000
  }
  return {
    posts: counted.hits.total.value,
    channels: valueOf('channels') ?? 0,
    oldestPostAt: at('oldest'),
    newestPostAt: at('newest'),
    bytes,
  }
}

async function count(client: Client, indices: string, asked: Asked): Promise<Counted> {
  const answer = await client.request({
    method: 'POST',
    path: `/${indices}/_search?ignore_unavailable=true&allow_no_indices=true&allow_partial_search_results=false`,
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
    ...asked,
  })
  return expectOk<Counted>(answer)
}

async function bytesOf(client: Client, indices: string, asked: Asked): Promise<number> {
  const path = `/${indices}/_stats/store?filter_path=_all.primaries.store.size_in_bytes`
  const answer = await client.request({ method: 'GET', path, ...asked })
  if (answer.status === 404) return 0
  const body = expectOk<{ _all?: { primaries?: { store?: { size_in_bytes: number } } } }>(answer)
  return body._all?.primaries?.store?.size_in_bytes ?? 0
}
