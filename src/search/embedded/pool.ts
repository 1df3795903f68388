import type { Clock } from '../../model/clock.ts'
import { threadFile } from '../../model/thread.ts'
import type { IndexState, SearchIndex } from '../search-index.ts'
import { SEARCH_CORES, openPool } from '../thread-pool.ts'
import type { ReaderOptions } from './reader.ts'

/** What a thread is given. */
export interface WorkerData {
  readonly folder: string
  readonly reader: ReaderOptions | undefined
}

interface EmbeddedOptions {
  readonly folder: string
  readonly clock: Clock
  /** Threads; by default `SEARCH_CORES`. */
  readonly workers?: number
  /** What is otherwise than usual in each of them. */
  readonly reader?: ReaderOptions
}

const STATE_MS = 1_000

/**
 * How many searches a thread holds at a time. With one, both sides sleep and wake for every search, which costs more than
 * the search; with a few, a busy thread finds the next one waiting. More would only keep them from a thread that is free.
 */
const DEPTH = 4

/** The index in files, searched by a pool of threads. */
export async function openEmbeddedIndex(options: EmbeddedOptions): Promise<SearchIndex> {
  const { folder, clock, reader, workers: size = SEARCH_CORES } = options
  const data: WorkerData = { folder, reader }
  const pool = openPool({ file: WORKER, data, size, depth: DEPTH, capacity: size, clock })
  let cached: { state: IndexState; since: number } | undefined

  try {
    // Each thread loads its columns now and not on somebody's time.
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
