import { setFlagsFromString } from 'node:v8'

/**
 * By default V8 trades memory for fewer collections: the young generation may grow to 100 MB and the old one to a multiple
 * of what is live. So the young generation does not grow, and the old one is collected whenever it has grown by three
 * quarters.
 */
const AT_ANY_TIME = [
  '--semi-space-growth-factor=1',
  // For other threads. The main thread takes the size of its semi-space only where Node is started.
  '--min-semi-space-size=4',
  '--heap-growing-percent=75',
]

export function setV8Flags(): void {
  for (const flag of AT_ANY_TIME) setFlagsFromString(flag)
}
