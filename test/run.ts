import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempDisposableSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/**
 * `npm test` and `npm run test:long`: all test files except `*.long.test.ts`, or only those. Arguments go to Node's test
 * runner; files among them are run instead of the suite.
 *
 * Starting a process for each file takes longer than most everyday tests do, so a few files of a folder share one, in turn.
 */
// Whatever still runs after this hangs; the runner names it.
const LONGEST_MS = 20 * 60_000
/** Where tests wait for a cluster: they start first, and fewer share a process, so that nothing has to wait for them at the end. */
const SLOWEST = ['src/search/opensearch']
const root = join(import.meta.dirname, '..')

const args = process.argv.slice(2)
const long = args[0] === '--long'
const sharing = long ? 1 : 20
const given = long ? args.slice(1) : args
// The runner ends by itself on Ctrl-C; this process then still has to remove its folder.
process.on('SIGINT', () => {})
using folder = mkdtempDisposableSync(join(long ? tmpdir() : quickest(), 'telegrep-tests-'))
// When started by root, an engine runs as another user, who has to reach its files.
chmodSync(folder.path, 0o711)
const named = given.some((arg) => arg.endsWith('.ts'))
const { status } = spawnSync(
  process.execPath,
  [
    '--import',
    join(root, 'test/compile-cache.mjs'),
    '--test',
    `--test-concurrency=${availableParallelism() + 1}`,
    ...given,
    ...(named ? [] : writeLanes(chosen())),
  ],
  {
    cwd: root,
    stdio: 'inherit',
    timeout: LONGEST_MS,
    env: { ...process.env, TMPDIR: folder.path },
  },
)
process.exitCode = status ?? 1

/** Where tests keep their files: in memory if there is room, since every commit of a store waits for the disk. */
function quickest(memory = '/dev/shm'): string {
  if (!existsSync(memory)) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  using folder = mkdtempDisposableSync(join(memory, 'telegrep-tests-'))
  const program = join(folder.path, 'program')
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 })
  return bavail * bsize > 2 ** 31 && spawnSync(program).status === 0 ? memory : tmpdir()
}

function chosen(): string[] {
  return globSync(['src/**/*.test.ts', 'test/**/*.test.ts'], { cwd: root })
    .filter((file) => file.endsWith('.long.test.ts') === long)
    .toSorted()
}

/** The files to run, each of which runs some of `files`. */
function writeLanes(files: readonly string[]): string[] {
  const lanes = join(root, 'node_modules/.cache/lanes')
  rmSync(lanes, { recursive: true, force: true })
  mkdirSync(lanes, { recursive: true })
  const shared = Object.entries(Object.groupBy(files, dirname)).flatMap(([folder, files = []]) => {
    const isSlow = SLOWEST.includes(folder)
    const most = isSlow ? Math.min(4, sharing) : sharing
    return Array.from({ length: Math.ceil(files.length / most) }, (_, i, from = i * most) => ({
      // The runner starts them in the order of their names.
      name: `${isSlow ? 0 : 1}-${folder.replaceAll('/', '-')}-${i + 1}.mjs`,
      files: files.slice(from, from + most),
    }))
  })
  return shared.map(({ name, files }) => {
    const lane = join(lanes, name)
    const module = JSON.stringify(join(root, 'test/run-files.ts'))
    writeFileSync(lane, `import { runFiles } from ${module}\nrunFiles(${JSON.stringify(files)})\n`)
    return lane
  })
}
