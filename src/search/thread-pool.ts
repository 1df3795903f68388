import { availableParallelism } from 'node:os'
import type { Worker } from 'node:worker_threads'
import type { Clock } from '../model/clock.ts'
import { AppError } from '../model/errors.ts'
import { startThread, threadEnded } from '../model/thread.ts'
import type { SearchIndex } from './search-index.ts'
import {
  settle,
  type ThreadCall,
  type ThreadRequest,
  type Reply,
  type Waiter,
} from './thread-messages.ts'

interface PoolOptions {
  readonly file: URL
  /** The `workerData` of each thread. */
  readonly data: unknown
  readonly size: number
  /** How many questions a thread is given at a time. */
  readonly depth: number
  /** The capacity that the index reports. */
  readonly capacity: number
  readonly clock: Clock
}

/** One core fewer than there are, as the event loop needs one; at most four. */
export const SEARCH_CORES = Math.min(4, Math.max(1, availableParallelism() - 1))

/** If more than this many wait, a caller is told to try again later. */
const MAX_WAITING = 512

interface Job extends Waiter {
  readonly question: ThreadRequest
}

interface Thread {
  worker: Worker
  /** Handed over but not answered yet. */
  readonly jobs: Map<number, Job>
}

/** An index that is searched by threads: the event loop only passes messages. Rejects with `overloaded` if too many wait. */
export function openPool(options: PoolOptions): SearchIndex {
  const { file, data, size, depth, capacity, clock } = options
  const waiting: Job[] = []
  const threads = Array.from({ length: size }, openThread)
  let lastId = 0
  let closing: Promise<void> | undefined

  function openThread(): Thread {
    const thread: Thread = { worker: start(), jobs: new Map() }
    function start(): Worker {
      const worker = startThread(file, { workerData: data })
      worker.unref()
      worker.on('message', (reply: Reply) => {
        const job = thread.jobs.get(reply.id)
        thread.jobs.delete(reply.id)
        if (job) settle(job, reply)
        handOver(thread)
      })
      worker.on('error', (cause) => {
        rejectAll(thread, new Error('a search thread failed', { cause }))
        if (closing) return
        thread.worker = start()
        handOver(thread)
      })
      return worker
    }
    return thread
  }

  function handOver(thread: Thread): void {
    const { worker, jobs } = thread
    for (let job; jobs.size < depth && (job = waiting.shift());) {
      if (jobs.size === 0) worker.ref()
      jobs.set(job.question.id, job)
      worker.postMessage(job.question)
    }
    // While closing, the worker stays referenced: `endThreads` waits for it, and nothing else may keep the process alive.
    if (jobs.size === 0 && !closing) worker.unref()
  }

  /** The thread with the fewest questions that can take another, if any. */
  function leastBusy(): Thread | undefined {
    let best: Thread | undefined
    for (const each of threads) {
      if (each.jobs.size < (best?.jobs.size ?? depth)) best = each
    }
    return best
  }

  function forget(job: Job): void {
    const place = waiting.indexOf(job)
    if (place >= 0) waiting.splice(place, 1)
    const { id } = job.question
    threads.find(({ jobs }) => jobs.has(id))?.worker.postMessage({ kind: 'abort', id })
  }

  async function endThreads(): Promise<void> {
    const closed = new Error('the index is closed')
    for (const job of waiting.splice(0)) job.reject(closed)
    await Promise.all(
      threads.map(async (thread) => {
        thread.worker.ref()
        const ended = threadEnded(thread.worker)
        thread.worker.postMessage({ kind: 'close' })
        await ended
        rejectAll(thread, closed)
      }),
    )
  }

  function ask<T>(asked: ThreadCall, signal?: AbortSignal): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (closing) throw new Error('the index is closed')
      signal?.throwIfAborted()
      if (waiting.length >= MAX_WAITING) {
        throw new AppError('overloaded', 'too many searches wait', { retryAfterS: 1 })
      }
      const question = { ...asked, id: ++lastId, now: clock.now(), elapsed: clock.elapsed() }
      const onAbort = () => {
        forget(job)
        reject(signal!.reason as Error)
      }
      const done = () => signal?.removeEventListener('abort', onAbort)
      const job: Job = {
        question,
        resolve: (value) => (done(), resolve(value as T)),
        reject: (error) => (done(), reject(error as Error)),
      }
      signal?.addEventListener('abort', onAbort, { once: true })
      waiting.push(job)
      const free = leastBusy()
      if (free) handOver(free)
    })
  }

  return {
    capacity,
    search: (query, signal) => ask({ kind: 'search', query }, signal),
    duplicates: (ref, limit) => ask({ kind: 'duplicates', ref, limit }),
    state: () => ask({ kind: 'state' }),
    [Symbol.asyncDispose]: () => (closing ??= endThreads()),
  }
}

function rejectAll({ jobs }: Thread, error: Error): void {
  for (const job of jobs.values()) job.reject(error)
  jobs.clear()
}
