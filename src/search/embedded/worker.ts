import { parentPort, workerData } from 'node:worker_threads'
import { endThread } from '../../model/thread.ts'
import {
  failureOf,
  type ThreadRequest,
  type Reply,
  type ThreadMessage,
} from '../thread-messages.ts'
import type { WorkerData } from './pool.ts'
import { openReader } from './reader.ts'

/** A search thread: answers one request at a time, from its own connection. */
const { folder, reader: options } = workerData as WorkerData
const reader = openReader(folder, options)

function answer(request: ThreadRequest): Reply {
  try {
    switch (request.kind) {
      case 'search':
        return { id: request.id, value: reader.search(request.query, request.now) }
      case 'duplicates':
        return { id: request.id, value: reader.duplicates(request.ref, request.limit, request.now) }
      case 'state':
        return { id: request.id, value: reader.state(request.now) }
    }
  } catch (error) {
    return failureOf(request.id, error)
  }
}

parentPort!.on('message', (message: ThreadMessage) => {
  if (message.kind === 'close') {
    reader.close()
    endThread()
  }
  // An abort is ignored: by the time it is read, its search is over.
  else if (message.kind !== 'abort') parentPort!.postMessage(answer(message))
})
