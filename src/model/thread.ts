import { getCompileCacheDir } from 'node:module'
import { basename, extname, join } from 'node:path'
import { Worker, parentPort, type WorkerOptions } from 'node:worker_threads'

/** The file of a thread, in the folder of the file that starts it (`from`). Both end in `.js` once compiled. */
export function threadFile(name: string, from: string): URL {
  return new URL(`./${name}${from.endsWith('.ts') ? '.ts' : '.js'}`, from)
}

/**
 * Starts a thread with a compile cache, so that it need not load its own type stripper, which takes 20 MB. Each kind of thread
 * has its own cache folder: every thread writes what it compiled when it ends, and when one replaces a file that another has
 * just written, many file systems wait for the disk, once for each of about a thousand files.
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
 * Called by a thread that has closed everything it held. V8 may then take seconds to write its compile cache, and nobody
 * needs to wait for that.
 */
export function endThread(): void {
  parentPort!.postMessage(ENDED)
  parentPort!.close()
}

/** Resolves once the thread has called `endThread` or has exited. */
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
