import { parentPort, workerData } from 'node:worker_threads'
import { systemClock, type Clock } from '../../model/clock.ts'
import { endThread } from '../../model/thread.ts'
import { ANALYZER_VERSION } from '../../text/analyze.ts'
import { openClient } from './client.ts'
import { createIndex } from './opensearch-index.ts'
import {
  failureOf,
  type ThreadRequest,
  type Reply,
  type ThreadMessage,
} from '../thread-messages.ts'
import type { WorkerData } from './open.ts'

/** A thread that searches a cluster, many searches at a time. Its clock shows the time of the last question. */
const { location, limits } = workerData as WorkerData
const port = parentPort!
let at = { now: 0, elapsed: 0 }
const clock: Clock = { ...systemClock, now: () => at.now, elapsed: () => at.elapsed }
const client = await openClient(location)
const index = createIndex({
  client,
  prefix: location.prefix,
  analyzerVersion: ANALYZER_VERSION,
  clock,
  ...(limits && { limits }),
})
const underWay = new Map<number, AbortController>()

function answer(request: ThreadRequest, signal: AbortSignal): Promise<unknown> {
  switch (request.kind) {
    case 'search':
      return index.search(request.query, signal)
    case 'duplicates':
      return index.duplicates(request.ref, request.limit)
    case 'state':
      return index.state()
  }
}

async function serve(request: ThreadRequest): Promise<void> {
  const { id, now, elapsed } = request
  at = { now, elapsed }
  const leaving = new AbortController()
  underWay.set(id, leaving)
  try {
    port.postMessage({ id, value: await answer(request, leaving.signal) } satisfies Reply)
  } catch (error) {
    port.postMessage(failureOf(id, error))
  } finally {
    underWay.delete(id)
  }
}

port.on('message', (message: ThreadMessage) => {
  if (message.kind === 'abort') {
    underWay.get(message.id)?.abort(new Error('nobody waits for it any more'))
  } else if (message.kind === 'close') {
    void client[Symbol.asyncDispose]().then(endThread)
  } else void serve(message)
})
