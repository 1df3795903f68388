import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { createApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { makePost } from '../src/model/post.ts'
import { serve } from '../src/serve.ts'
import { startSimulator } from '../src/simulator/server.ts'
import type { Store } from '../src/store/store.ts'

export interface Held {
  readonly what: string
  readonly ms: number
}

/** Posts enough that every page has something to show, each edited once. */
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
 * The whole service on a folder, its loops going, asked for everything by a thread beside it: how long the event loop was held
 * while each request was answered, and while nobody asked. In milliseconds of this thread on the processor.
 */
export async function holdsOfService(
  folder: string,
  idleMs: number,
): Promise<{ readonly startMs: number; readonly held: readonly Held[] }> {
  const tiers = join(folder, 'tiers.json')
  writeFileSync(tiers, '{"anonymous": {"burst": 1000000}}')
  await using simulator = await startSimulator({
    world: { seed: 'many', channels: 5, days: 3, startAt: Date.now() },
  })
  const { config, secrets } = readConfig({
    TELEGREP_DATA: folder,
    TELEGREP_PORT: '0',
    TELEGREP_ADMIN_PORT: '0',
    TELEGREP_SOURCE_URL: simulator.url,
    TELEGREP_MEDIA_URL: simulator.url,
    TELEGREP_CRAWL_RATE: '20',
    TELEGREP_TIERS: tiers,
    TELEGREP_LOG: 'error',
  })
  await using app = await createApp(config, secrets)
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
    const startMs = watch.take()
    const held: Held[] = []
    await app.clock.sleep(idleMs)
    held.push({ what: 'loops, nobody asking', ms: watch.take() })
    held.push(...(await askAll(address!, channel!.username, watch)))
    await fetch(`${adminAddress}/metrics`).then((response) => response.text())
    held.push({ what: '/metrics', ms: watch.take() })
    return { startMs, held }
  } finally {
    watch.stop()
    stop.abort()
    await running
  }
}

async function askAll(url: string, name: string, watch: Watch): Promise<Held[]> {
  const held: Held[] = []
  const worker = new Worker(new URL('./many-channels-requests.ts', import.meta.url), {
    workerData: { url, name, headers: {} },
  })
  worker.on('message', ({ path, status }: { path: string; status: number | null }) => {
    const ms = watch.take()
    if (status !== null) held.push({ what: `${path} (${status})`, ms })
    worker.postMessage('on')
  })
  await new Promise((resolve, reject) => {
    worker.once('exit', resolve)
    worker.once('error', reject)
  })
  return held
}

interface Watch {
  /** The longest turn since the last call. */
  take(): number
  stop(): void
}

function watchLoop(): Watch {
  let worst = 0
  let isRunning = true
  let last = process.threadCpuUsage()
  const look = () => {
    const { user, system } = process.threadCpuUsage(last)
    worst = Math.max(worst, (user + system) / 1000)
    last = process.threadCpuUsage()
    if (isRunning) setImmediate(look)
  }
  setImmediate(look)
  return {
    take() {
      const taken = worst
      worst = 0
      return taken
    },
    stop: () => void (isRunning = false),
  }
}
