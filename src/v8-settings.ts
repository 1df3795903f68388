import { setFlagsFromString } from 'node:v8'

/**
 * Left to itself the engine spends memory on being swept seldom: what dies young may fill 100 MB and what lives longer may
 * grow to a multiple. So the room of the young does not grow, and the old are swept whenever they have grown by three quarters.
 */
const AT_ANY_TIME = [
  '--semi-space-growth-factor=1',
  // For other threads: this one has its room already.
  '--min-semi-space-size=4',
  '--heap-growing-percent=75',
]

/** The room of the young in megabytes. Only a process that begins gets it; without, it is one, and a page of hits fills it. */
export const V8_AT_START = '--min-semi-space-size=8'

export function setV8Flags(): void {
  for (const flag of AT_ANY_TIME) setFlagsFromString(flag)
}

/**
 * Begins this process anew with V8_AT_START, as the same process for whoever started it. Not where the platform cannot, nor
 * under a parent that talks to it, whose line would be cut.
 */
export function beginWithV8Flags(): void {
  if (process.execArgv.includes(V8_AT_START) || process.platform === 'win32' || process.send) return
  const args = [process.execPath, V8_AT_START, ...process.execArgv, ...process.argv.slice(1)]
  process.execve?.(process.execPath, args)
}
