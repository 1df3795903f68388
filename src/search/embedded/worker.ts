import { parentPort, workerData } from 'node:worker_threads'
import { AppError } from '../../model/errors.ts'
import { openReader } from './reader.ts'
import type { Reply, Request, WorkerData } from './pool.ts'

/** A search thread: one request at a time, answered from its own connection. */
const { folder, reader: options } = workerData as WorkerData
const reader = openReader(folder, options)

function answer(request: Request): Reply {
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
    if (error instanceof AppError) {
      const { code, message, errors, retryAfterS, extra } = error
      return { id: request.id, refused: { code, message, errors, retryAfterS, extra } }
    }
    return { id: request.id, failed: error as Error }
  }
}

parentPort!.on('message', (request: Request | 'close') => {
  if (request === 'close') {
    reader.close()
    parentPort!.close()
    return
  }
  parentPort!.postMessage(answer(request))
})
