import type { Clock } from '../../model/clock.ts'
import { threadFile } from '../../model/thread.ts'
import type { IndexState, SearchIndex } from '../search-index.ts'
import { SEARCH_CORES, openPool } from '../thread-pool.ts'
import type { ReaderOptions } from './reader.ts'

/** The `workerData` of a thread. */
export interface WorkerData {
  readonly folder: string
  readonly reader: ReaderOptions | undefined
}

interface EmbeddedOptions {
  readonly folder: string
  readonly clock: Clock
  /** Number of threads; `SEARCH_CORES` by default. */
  readonly workers?: number
  /** Overrides of the readers' defaults. */
  readonly reader?: ReaderOptions
}

const STATE_MS = 1_000

/**
 * How many searches a thread is given at a time. With one, both sides sleep and wake for every search, which costs more
 * than the search; with a few, a busy thread finds the next one waiting. More would only keep searches from a thread that
 * is free.
 */
const DEPTH = 4

/** The index in files, searched by a pool of threads. */
export async function openEmbeddedIndex(options: EmbeddedOptions): Promise<SearchIndex> {
  const { folder, clock, reader, workers: size = SEARCH_CORES } = options
  const data: WorkerData = { folder, reader }
  const pool = openPool({ file: WORKER, data, size, depth: DEPTH, capacity: size, clock })
  let cached: { state: IndexState; since: number } | undefined

  try {
    // Makes each thread load its columns now, and not during somebody's search.
    await Promise.all(Array.from({ length: size }, () => pool.state()))
  } catch (error) {
    await pool[Symbol.asyncDispose]()
    throw error
  }

  return {
    ...pool,
    async state() {
      const elapsed = clock.elapsed()
      if (!cached || elapsed - cached.since >= STATE_MS) {
        cached = { state: await pool.state(), since: elapsed }
      }
      return cached.state
    },
  }
}

const WORKER = threadFile('worker', import.meta.url)
