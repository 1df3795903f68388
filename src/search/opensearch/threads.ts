import type { Clock } from '../../model/clock.ts'
import { threadFile } from '../../model/thread-file.ts'
import type { ClusterLocation } from '../index-location.ts'
import type { SearchLimits } from '../limits.ts'
import type { SearchIndex } from '../search-index.ts'
import { SEARCH_CORES, openPool } from '../thread-pool.ts'

export interface WorkerData {
  readonly location: ClusterLocation
  readonly limits: SearchLimits | undefined
}

/** A thread waits for the cluster most of the time and has many searches under way: what it does itself is some 5 ms each. */
const THREADS = 2
const DEPTH = 256

/** Searches a cluster from threads: planning a query and ranking its candidates would keep the event loop for milliseconds. */
export function openThreads(data: WorkerData, clock: Clock): SearchIndex {
  const pool = openPool({ file: WORKER, data, size: THREADS, depth: DEPTH, clock })
  return {
    // Of a search this host plans and ranks: what it can work on goes by its cores.
    capacity: SEARCH_CORES,
    search: (query, signal) => pool.ask({ kind: 'search', query }, signal),
    duplicates: (ref, limit) => pool.ask({ kind: 'duplicates', ref, limit }),
    state: () => pool.ask({ kind: 'state' }),
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  }
}

const WORKER = threadFile('worker', import.meta.url)
