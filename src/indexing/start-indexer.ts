import type { Worker } from 'node:worker_threads'
import { systemClock } from '../model/clock.ts'
import { startDeadline } from '../model/deadline.ts'
import { startThread, threadEnded, threadFile } from '../model/thread.ts'
import type { IndexLocation } from '../search/index-location.ts'
import type { StoreLocation } from '../store/store-location.ts'
import type { Retention } from '../store/store.ts'

/** What the thread needs to open store and index itself; plain data only. */
export interface IndexerConfig {
  readonly store: StoreLocation & { readonly retention: Retention }
  readonly index: IndexLocation
  /** The bytes of lid.176.ftz. */
  readonly languageModel: Uint8Array
}

interface IndexerThreadEvents {
  indexed(event: { posts: number; removed: number; tookMs: number }): void
  rebuilding(event: { done: number; total: number }): void
  indexDamaged(event: { why: string | null }): void
  workerStandsBy(reason: string, worker: string): void
  workerWaits(reason: string, worker: string): void
  workerFailed(error: unknown, worker: string): void
}

export type ThreadMessage =
  | { readonly kind: 'indexed'; readonly event: { posts: number; removed: number; tookMs: number } }
  | { readonly kind: 'rebuilding'; readonly event: { done: number; total: number } }
  | { readonly kind: 'damaged'; readonly why: string | null }
  | { readonly kind: 'standsBy' | 'waits'; readonly reason: string }
  | { readonly kind: 'failed'; readonly error: unknown }

const RESTART_MS = 1_000
const STOP_MS = 6_000

/** Runs the indexer in a thread of its own and restarts it when it crashes. Disposing stops it between two batches. */
export async function startIndexer(
  options: IndexerConfig & { readonly events: IndexerThreadEvents },
): Promise<AsyncDisposable> {
  const { events, ...config } = options
  const stopped = new AbortController()
  let worker: Worker
  let ended: Promise<void>

  function start(): void {
    worker = startThread(THREAD, { workerData: config })
    worker.on('message', (message: ThreadMessage) => {
      if (message.kind === 'indexed') events.indexed(message.event)
      else if (message.kind === 'rebuilding') events.rebuilding(message.event)
      else if (message.kind === 'damaged') events.indexDamaged({ why: message.why })
      else if (message.kind === 'standsBy') events.workerStandsBy(message.reason, 'indexer')
      else if (message.kind === 'waits') events.workerWaits(message.reason, 'indexer')
      else if (message.kind === 'failed') events.workerFailed(message.error, 'indexer')
    })
    worker.on('error', (error) => events.workerFailed(error, 'indexer'))
    ended = threadEnded(worker)
    worker.once('exit', () => {
      if (stopped.signal.aborted) return
      systemClock.sleep(RESTART_MS, stopped.signal).then(start, () => {
        // Stopped while waiting to restart.
      })
    })
  }

  start()
  return {
    async [Symbol.asyncDispose]() {
      stopped.abort(new Error('the indexer stops'))
      worker.postMessage('stop')
      using late = startDeadline(systemClock, STOP_MS)
      late.signal.addEventListener('abort', () => void worker.terminate())
      await ended
    },
  }
}

const THREAD = threadFile('indexer-thread', import.meta.url)
