import { getCompileCacheDir } from 'node:module'
import { basename, extname, join } from 'node:path'
import { Worker, parentPort, type WorkerOptions } from 'node:worker_threads'

/** The file of a thread beside the one that starts it. `from` is that one's address: compiled, both have another ending. */
export function threadFile(name: string, from: string): URL {
  return new URL(`./${name}${from.endsWith('.ts') ? '.ts' : '.js'}`, from)
}

/**
 * Starts a thread that finds what it compiled the last time, and so needs no type stripper of its own, which takes 20 MB. In
 * a folder of its own: whatever has compiled the same file writes it at its end, and where one replaces what the other has just
 * written, many file systems wait for the disk, a thousand times.
 */
export function startThread(file: URL, options: WorkerOptions): Worker {
  const compiled = getCompileCacheDir()
  if (compiled === undefined) return new Worker(file, options)
  const { pathname } = file
  const folder = join(compiled, basename(pathname, extname(pathname)))
  return new Worker(file, { ...options, env: { ...process.env, NODE_COMPILE_CACHE: folder } })
}

const ENDED = 'ended'

/**
 * For a thread that has closed all it had. What the engine does after that may take seconds, when it keeps what it compiled,
 * and nobody needs to wait for it.
 */
export function endThread(): void {
  parentPort!.postMessage(ENDED)
  parentPort!.close()
}

/** Resolves once the thread has called `endThread`, or has fallen. */
export function threadEnded(worker: Worker): Promise<void> {
  return new Promise((resolve) => {
    worker.once('exit', () => resolve())
    worker.on('message', (message) => {
      if (message !== ENDED) return
      worker.unref()
      resolve()
    })
  })
}
