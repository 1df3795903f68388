import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { createApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { serve } from '../src/serve.ts'
import { makePost } from '../src/store/contract/make-post.ts'
import type { Store } from '../src/store/store.ts'
import { until } from './until.ts'
import { watchLoop, type LoopWatch } from './watch-loop.ts'

const WARM_MS = 5_000

export interface Held {
  readonly what: string
  readonly ms: number
}

/** Enough posts that every page has something to show, each edited once. */
async function publish(store: Store, channelId: number, at: number): Promise<void> {
  const reading = { channelId, capture: 'crawl', parserVersion: 1, profile: null, deleted: [] }
  for (const [i, words] of ['snow in the north', 'much snow in the north'].entries()) {
    const posts = Array.from({ length: 100 }, (_, n) =>
      makePost({ number: n + 1, publishedAt: at - n * 60_000, text: `${words}, report ${n}` }),
    )
    await store.archive.record({ ...reading, capture: 'crawl', at: at + i, posts })
  }
}

/**
 * Runs the whole service with its loops on a folder, while another thread requests everything. Measures how long the event
 * loop was blocked during each request, and while nobody asked, in milliseconds of this thread's processor time.
 */
export async function holdsOfService(
  folder: string,
  idleMs: number,
): Promise<{ readonly startMs: number; readonly held: readonly Held[] }> {
  const tiers = join(folder, 'tiers.json')
  writeFileSync(tiers, '{"anonymous": {"burst": 1000000}}')
  const beside = new Worker(new URL('./many-channels-requests.ts', import.meta.url))
  await using _beside = { [Symbol.asyncDispose]: async () => void (await beside.terminate()) }
  const [{ platform }] = (await once(beside, 'message')) as [{ platform: string }]
  const { config: read, secrets } = readConfig({
    TELEGREP_DATA: folder,
    TELEGREP_PORT: '0',
    TELEGREP_ADMIN_PORT: '0',
    TELEGREP_SOURCE_URL: platform,
    TELEGREP_CRAWL_RATE: '20',
    TELEGREP_TIERS: tiers,
    TELEGREP_LOG: 'error',
  })
  const pictures = { ...read.pictures, url: platform }
  await using app = await createApp({ ...read, pictures }, secrets)
  const [channel] = await app.store.archive.channelsById([777])
  await publish(app.store, 777, Date.now() - 3_600_000)
  const stop = new AbortController()
  const ready = Promise.withResolvers<{ address: string | null; adminAddress: string | null }>()
  const watch = watchLoop()
  const running = serve(
    app,
    { api: true, crawl: true, index: true, onReady: ready.resolve },
    stop.signal,
  )
  running.catch(ready.reject)
  try {
    const { address, adminAddress } = await ready.promise
    const metrics = async () => (await fetch(`${adminAddress}/metrics`)).text()
    // The first visit loads the code for visits: once, however many channels there are.
    await until(async () => /^telegrep_visits_total\{.*\} [1-9]/m.test(await metrics()))
    await app.clock.sleep(WARM_MS)
    const startMs = watch.take()
    const held: Held[] = []
    await app.clock.sleep(idleMs)
    held.push({ what: 'loops, nobody asking', ms: watch.take() })
    held.push(...(await askAll(beside, { url: address!, name: channel!.username }, watch)))
    await metrics()
    held.push({ what: '/metrics', ms: watch.take() })
    return { startMs, held }
  } finally {
    watch.stop()
    stop.abort()
    await running
  }
}

async function askAll(beside: Worker, whom: { url: string; name: string }, watch: LoopWatch) {
  const held: Held[] = []
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  beside.once('error', reject)
  beside.on('message', (message: 'done' | { path: string; status: number | null }) => {
    if (message === 'done') return resolve()
    const ms = watch.take()
    if (message.status !== null) held.push({ what: `${message.path} (${message.status})`, ms })
    beside.postMessage('on')
  })
  beside.postMessage(whom)
  await promise
  return held
}
