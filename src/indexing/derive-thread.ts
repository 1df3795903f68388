import { parentPort, workerData } from 'node:worker_threads'
import { createLanguageDetector } from '../text/language.ts'
import type { DeriveRequest } from './threaded-derive.ts'
import { derive } from './derive.ts'

/** The thread that turns posts into documents. It has no access to store or index. */
const detector = createLanguageDetector(workerData as Uint8Array)
const port = parentPort!

port.on('message', ({ posts, channels, since }: DeriveRequest) => {
  const known = new Map(channels.map((channel) => [channel.id, channel]))
  port.postMessage(derive(detector, posts, known, since))
})
