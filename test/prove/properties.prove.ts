import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Runs the properties of the everyday suite, which draws the same cases in every run, on new cases. The argument is the
 * number of rounds; each prints its seed, and `TEST_SEED=<seed> node --test <file>` repeats one.
 */
const rounds = Number(process.argv[2] ?? 3)
const root = join(import.meta.dirname, '..', '..')
const files = globSync(['src/**/*.test.ts', 'test/**/*.test.ts'], { cwd: root }).filter((file) =>
  readFileSync(join(root, file), 'utf8').includes('fast-check'),
)
for (let round = 0; round < rounds; round++) {
  const seed = Math.trunc(Math.random() * 2 ** 31)
  const env = { ...process.env, TEST_SEED: String(seed) }
  const args = ['--test', '--test-reporter=dot', '--test-concurrency=1', ...files]
  const { status } = spawnSync(process.execPath, args, { cwd: root, env, stdio: 'inherit' })
  console.log(`${files.length} files with seed ${seed}: ${status === 0 ? 'held' : 'broken'}`)
  if (status !== 0) process.exitCode = 1
}
