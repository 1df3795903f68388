import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { after, describe } from 'node:test'

const root = join(import.meta.dirname, '..')
const require = createRequire(import.meta.url)

/**
 * Runs test files in this process, one after the other, each as its own suite, so that its hooks apply only to its own
 * tests. A file is loaded synchronously, so it must not await anything outside its tests and hooks: the runner would lose
 * track of whose hooks follow.
 */
export function runFiles(files: readonly string[]): void {
  let done = false
  after(() => (done = true))
  // Otherwise a file that ends the process would silence itself and those after it.
  process.on('exit', () => {
    if (!done) process.exitCode = 1
  })
  for (const file of files) describe(file, () => void require(resolve(root, file)))
}
