import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Clock } from '../../model/clock.ts'
import { AppError } from '../../model/errors.ts'
import { threadFile } from '../../model/thread-file.ts'
import type { IndexState, SearchIndex } from '../search-index.ts'
import { settle, type Ask, type Reply, type Waiter } from '../thread-messages.ts'
import type { ReaderOptions } from './reader.ts'

export type Request = { readonly id: number; readonly now: number } & Ask

/** What a thread is given. */
export interface WorkerData {
  readonly folder: string
  readonly reader?: ReaderOptions
}

interface PoolOptions {
  readonly folder: string
  readonly clock: Clock
  /** Threads; by default `SEARCH_THREADS`. */
  readonly workers?: number
  /** What is otherwise than usual in each of them. */
  readonly reader?: ReaderOptions
}

/** One less than there are cores, which the event loop needs, at most four. */
export const SEARCH_THREADS = Math.min(4, Math.max(1, availableParallelism() - 1))

/** Beyond so many waiting, a caller is better told to come again. */
const MAX_WAITING = 512
const STATE_MS = 1_000

interface Job extends Waiter {
  readonly request: Request
}

interface Thread {
  worker: Worker
  /** Handed over and not answered yet; answers come in this order. */
  readonly jobs: Job[]
}

/**
 * How many searches a thread holds at a time. With one, both sides sleep and wake for every search, which costs more than
 * the search; with a few, a busy thread finds the next one waiting. More would only keep them from a thread that is free.
 */
const DEPTH = 4

/** The index as a pool of threads: the event loop only passes messages. */
export async function openEmbeddedIndex(options: PoolOptions): Promise<SearchIndex> {
  const size = options.workers ?? SEARCH_THREADS
  const waiting: Job[] = []
  const threads: Thread[] = []
  let isClosed = false
  let lastId = 0
  let cached: { state: IndexState; since: number } | undefined

  function startThread(): Thread {
    const thread: Thread = { worker: start(), jobs: [] }
    function start(): Worker {
      const worker = new Worker(WORKER, {
        workerData: { folder: options.folder, reader: options.reader },
      })
      worker.unref()
      worker.on('message', (reply: Reply) => {
        const job = thread.jobs.shift()
        if (job) settle(job, reply)
        next(thread)
      })
      worker.on('error', (error) => {
        for (const job of thread.jobs.splice(0)) {
          job.reject(new Error('a search thread failed', { cause: error }))
        }
        if (isClosed) return
        thread.worker = start()
        next(thread)
      })
      return worker
    }
    return thread
  }

  function next(free: Thread): void {
    for (let job = waiting.shift(); job; job = waiting.shift()) {
      if (free.jobs.length === 0) free.worker.ref()
      free.jobs.push(job)
      free.worker.postMessage(job.request)
      if (free.jobs.length >= DEPTH) return
    }
    if (free.jobs.length === 0) free.worker.unref()
  }

  /** The thread with the fewest searches, if any can take one. */
  function leastBusy(): Thread | undefined {
    let best: Thread | undefined
    for (const each of threads) {
      if (each.jobs.length < (best?.jobs.length ?? DEPTH)) best = each
    }
    return best
  }

  function ask<T>(question: Ask, signal?: AbortSignal): Promise<T> {
    if (isClosed) return Promise.reject(new Error('the index is closed'))
    if (signal?.aborted) return Promise.reject(signal.reason as Error)
    if (waiting.length >= MAX_WAITING) {
      return Promise.reject(
        new AppError('overloaded', 'too many searches wait', { retryAfterS: 1 }),
      )
    }
    const request = { ...question, id: ++lastId, now: options.clock.now() } as Request
    return new Promise<T>((resolve, reject) => {
      const onAbort = () => {
        const place = waiting.indexOf(job)
        if (place >= 0) waiting.splice(place, 1)
        reject(signal!.reason as Error)
      }
      const done = () => signal?.removeEventListener('abort', onAbort)
      const job: Job = {
        request,
        resolve: (value) => (done(), resolve(value as T)),
        reject: (error) => (done(), reject(error as Error)),
      }
      signal?.addEventListener('abort', onAbort, { once: true })
      waiting.push(job)
      const free = leastBusy()
      if (free) next(free)
    })
  }

  for (let i = 0; i < size; i++) threads.push(startThread())
  let closing: Promise<void> | undefined
  const close = () => (closing ??= endThreads())
  async function endThreads(): Promise<void> {
    isClosed = true
    for (const job of waiting.splice(0)) job.reject(new Error('the index is closed'))
    await Promise.all(
      threads.map(
        (each) =>
          new Promise<void>((resolve) => {
            each.worker.ref()
            each.worker.once('exit', () => resolve())
            each.worker.postMessage('close')
          }),
      ),
    )
  }

  try {
    // Each thread loads its columns now and not on somebody's time.
    await Promise.all(threads.map(() => ask({ kind: 'state' })))
  } catch (error) {
    await close()
    throw error
  }

  return {
    search: (query, signal) => ask({ kind: 'search', query }, signal),
    duplicates: (ref, limit) => ask({ kind: 'duplicates', ref, limit }),
    async state() {
      const elapsed = options.clock.elapsed()
      if (!cached || elapsed - cached.since >= STATE_MS) {
        cached = { state: await ask<IndexState>({ kind: 'state' }), since: elapsed }
      }
      return cached.state
    },
    [Symbol.asyncDispose]: close,
  }
}

const WORKER = threadFile('worker', import.meta.url)
