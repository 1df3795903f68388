import { Worker } from 'node:worker_threads'
import type { Clock } from '../../model/clock.ts'
import { AppError } from '../../model/errors.ts'
import { threadFile } from '../../model/thread-file.ts'
import type { ClusterLocation } from '../index-location.ts'
import type { SearchLimits } from '../limits.ts'
import type { SearchIndex } from '../search-index.ts'
import { settle, type Ask, type Reply, type Waiter } from '../thread-messages.ts'

/** What a thread is told: what to answer and when it was asked, that nobody waits any more, or to end. */
export type Request =
  | ({
      readonly id: number
      readonly now: number
      readonly elapsed: number
    } & Ask)
  | { readonly kind: 'abort'; readonly id: number }
  | { readonly kind: 'close' }

export interface WorkerData {
  readonly location: ClusterLocation
  readonly limits: SearchLimits | undefined
}

interface Thread {
  worker: Worker
  readonly jobs: Map<number, Waiter>
}

/** A thread waits for the cluster most of the time and has many searches under way: what it does itself is some 5 ms each. */
const THREADS = 2
/** Beyond so many under way, a caller is better told to come again. */
const MAX_JOBS = 512

/** Searches a cluster from threads: planning a query and ranking its candidates would keep the event loop for milliseconds. */
export function openThreads(data: WorkerData, clock: Clock): SearchIndex {
  const threads: Thread[] = Array.from({ length: THREADS }, open)
  let lastId = 0
  let isClosed = false

  function open(): Thread {
    const made: Thread = { worker: start(), jobs: new Map() }
    function start(): Worker {
      const worker = new Worker(WORKER, { workerData: data })
      worker.unref()
      worker.on('message', (reply: Reply) => {
        const job = made.jobs.get(reply.id)
        made.jobs.delete(reply.id)
        if (made.jobs.size === 0) worker.unref()
        if (job) settle(job, reply)
      })
      worker.on('error', (error) => {
        for (const job of made.jobs.values()) {
          job.reject(new Error('a search thread failed', { cause: error }))
        }
        made.jobs.clear()
        if (!isClosed) made.worker = start()
      })
      return worker
    }
    return made
  }

  function ask<T>(question: Ask, signal?: AbortSignal): Promise<T> {
    if (isClosed) return Promise.reject(new Error('the index is closed'))
    if (signal?.aborted) return Promise.reject(signal.reason as Error)
    const thread = threads.reduce((a, b) => (b.jobs.size < a.jobs.size ? b : a))
    if (thread.jobs.size >= MAX_JOBS) {
      return Promise.reject(
        new AppError('overloaded', 'too many searches wait', { retryAfterS: 1 }),
      )
    }
    const id = ++lastId
    return new Promise<T>((resolve, reject) => {
      const onAbort = () => {
        tell(thread, { kind: 'abort', id })
        reject(signal!.reason as Error)
      }
      const done = () => signal?.removeEventListener('abort', onAbort)
      signal?.addEventListener('abort', onAbort, { once: true })
      thread.jobs.set(id, {
        resolve: (value) => (done(), resolve(value as T)),
        reject: (error) => (done(), reject(error as Error)),
      })
      thread.worker.ref()
      tell(thread, { ...question, id, now: clock.now(), elapsed: clock.elapsed() })
    })
  }

  async function close(): Promise<void> {
    if (isClosed) return
    isClosed = true
    await Promise.all(
      threads.map((thread) => {
        for (const job of thread.jobs.values()) job.reject(new Error('the index is closed'))
        thread.worker.ref()
        const ended = new Promise<void>((resolve) => thread.worker.once('exit', () => resolve()))
        tell(thread, { kind: 'close' })
        return ended
      }),
    )
  }

  return {
    search: (query, signal) => ask({ kind: 'search', query }, signal),
    duplicates: (ref, limit) => ask({ kind: 'duplicates', ref, limit }),
    state: () => ask({ kind: 'state' }),
    [Symbol.asyncDispose]: close,
  }
}

function tell({ worker }: Thread, request: Request): void {
  worker.postMessage(request)
}

const WORKER = threadFile('worker', import.meta.url)
