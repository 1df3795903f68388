import { setFlagsFromString } from 'node:v8'

/**
 * By default V8 trades memory for fewer collections: the young generation may grow to 100 MB and the old one to a multiple
 * of what is live. So the young generation does not grow, and the old one is collected whenever it has grown by three
 * quarters.
 */
const AT_ANY_TIME = [
  '--semi-space-growth-factor=1',
  // For other threads; the main thread has allocated its semi-space already.
  '--min-semi-space-size=4',
  '--heap-growing-percent=75',
]

/**
 * The size of a semi-space of the young generation, in megabytes. Only a starting process takes it. By default it is 1 MB,
 * which one page of hits fills.
 */
export const V8_AT_START = '--min-semi-space-size=8'

export function setV8Flags(): void {
  for (const flag of AT_ANY_TIME) setFlagsFromString(flag)
}

/**
 * Restarts this process with V8_AT_START; `execve` keeps the process id, so whoever started it notices nothing. Not done on
 * Windows, which cannot, nor under a parent that talks to the process over a channel, which would be lost.
 */
export function restartWithV8Flags(): void {
  if (process.execArgv.includes(V8_AT_START) || process.platform === 'win32' || process.send) return
  const args = [process.execPath, V8_AT_START, ...process.execArgv, ...process.argv.slice(1)]
  process.execve?.(process.execPath, args)
}
