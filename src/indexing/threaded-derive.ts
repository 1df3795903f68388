import type { Worker } from 'node:worker_threads'
import { inBatches } from '../model/in-batches.ts'
import type { ArchivedPost } from '../model/post.ts'
import type { Channel } from '../model/channel.ts'
import { startThread, threadFile } from '../model/thread.ts'
import { createSemaphore } from '../model/semaphore.ts'
import { createLanguageDetector } from '../text/language.ts'
import { createDerive, type Derive, type DerivedBatch } from './derive.ts'
import { isSearchable } from './document.ts'

/** A smaller batch is not worth sending to the thread and back. */
const WORTH_POSTS = 500
/** Posts per message: what was allocated for one message is garbage by the time of the next. */
const PART_POSTS = 250
/** A thread that has been idle for this long is ended, which frees its memory. */
const IDLE_MS = 30_000
/** The limit of its old generation: many times what a message with the longest posts takes. */
const MOST_MB = 256

export interface DeriveRequest {
  readonly posts: readonly ArchivedPost[]
  readonly channels: readonly Channel[]
  readonly since: number
}

interface ThreadedDerive extends Disposable {
  readonly derive: Derive
}

/**
 * Derives large batches in a thread of its own, so that the next batch is derived while the last is put into the index. The
 * thread starts with the first large batch. If it crashes, the batch is derived in this thread.
 */
export function createThreadedDerive(options: {
  /** The bytes of lid.176.ftz. */
  readonly languageModel: Uint8Array
  readonly idleMs?: number
}): ThreadedDerive {
  const { languageModel, idleMs = IDLE_MS } = options
  const deriveHere = createDerive(createLanguageDetector(languageModel))
  let worker: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  /** One batch at a time. */
  const semaphore = createSemaphore(1)

  function start(): Worker {
    const resourceLimits = { maxOldGenerationSizeMb: MOST_MB }
    const started = startThread(THREAD, { workerData: languageModel, resourceLimits })
    started.once('exit', () => {
      if (worker === started) worker = undefined
    })
    // The request that waits for an answer learns of it by the thread's exit; nobody else has to know.
    started.on('error', () => {})
    return started
  }

  async function ask(requests: readonly DeriveRequest[]): Promise<DerivedBatch> {
    clearTimeout(idle)
    const asked = (worker ??= start())
    const parts: DerivedBatch[] = []
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const take = (part: DerivedBatch) => {
      parts.push(part)
      if (parts.length === requests.length) resolve()
    }
    const fell = () => reject(new Error('the thread that derives has ended'))
    asked.on('message', take)
    asked.once('exit', fell)
    for (const request of requests) asked.postMessage(request)
    try {
      await promise
    } finally {
      asked.off('message', take)
      asked.off('exit', fell)
      idle = setTimeout(() => {
        worker = undefined
        void asked.terminate()
      }, idleMs)
      idle.unref()
    }
    return {
      searchable: parts.flatMap((part) => part.searchable),
      derived: parts.flatMap((part) => part.derived),
    }
  }

  function requestsOf(
    posts: readonly ArchivedPost[],
    channels: ReadonlyMap<number, Channel>,
    since: number,
  ): DeriveRequest[] {
    return Array.from(inBatches(posts, PART_POSTS), (part) => {
      const ids = new Set(part.map((post) => post.channelId))
      return { posts: part, channels: [...ids].flatMap((id) => channels.get(id) ?? []), since }
    })
  }

  return {
    async derive(posts, channels, since) {
      const searchable = posts.filter(isSearchable)
      if (searchable.length < WORTH_POSTS) return deriveHere(posts, channels, since)
      const made = semaphore.run(() => ask(requestsOf(searchable, channels, since)))
      return made.catch(() => deriveHere(posts, channels, since))
    },
    [Symbol.dispose]() {
      clearTimeout(idle)
      // The thread owns nothing that has to be closed.
      void worker?.terminate()
    },
  }
}

const THREAD = threadFile('derive-thread', import.meta.url)
