import { join, resolve } from 'node:path'
import { describe } from 'node:test'

const root = join(import.meta.dirname, '..')

/** Runs test files in this process, in turn, each as a suite of its own: its hooks are for its own tests. */
export async function runFiles(files: readonly string[]): Promise<void> {
  let done = false
  // Else a file that ends the process would silence itself and those after it.
  process.on('exit', () => {
    if (!done) process.exitCode = 1
  })
  for (const file of files) await describe(file, () => import(resolve(root, file)))
  done = true
}
