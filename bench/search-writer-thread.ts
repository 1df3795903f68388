/** Puts posts into an index at a steady rate while others search it. */
import { parentPort, workerData } from 'node:worker_threads'
import { systemClock } from '../src/model/clock.ts'
import { openIndexWriter } from '../src/search/open-search-index.ts'
import { NOW, simulated } from './search-corpus.ts'

const { folder, perSecond, count } = workerData as {
  folder: string
  perSecond: number
  count: number
}
const clock = { now: () => NOW, elapsed: () => NOW, sleep: systemClock.sleep }
await using writer = await openIndexWriter({ kind: 'embedded', folder }, clock)
let isStopped = false
parentPort!.on('message', () => (isStopped = true))
let written = 0
const startedAt = performance.now()
const batch = []
for await (const { document } of simulated(count, 1).documents()) {
  // Dated now, so that they go where new posts go.
  const publishedAt = NOW - 60_000 + Math.floor(performance.now() - startedAt)
  batch.push({ ...document, number: document.number + 1_000_000_000, publishedAt })
  if (batch.length < perSecond / 5) continue
  await writer.apply({ puts: batch.splice(0) })
  written += perSecond / 5
  const ahead = (written / perSecond) * 1000 - (performance.now() - startedAt)
  // Even when it is late: the message to stop arrives as an event.
  await systemClock.sleep(Math.max(0, ahead))
  if (isStopped) break
}
parentPort!.postMessage({ written, seconds: (performance.now() - startedAt) / 1000 })
parentPort!.close()
