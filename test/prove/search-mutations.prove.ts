/**
 * Do the search contracts catch every mistake? Drops one filter, bound or limit at a time in a copy of the program and runs
 * the suites on it: each must fail. So must a parameter that the operation reads but does not pass on, and a rule of the
 * ranker. A number as argument skips that many mutations.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FEATURES, MUTATIONS, OPERATION, PLAN, RANKER, UNITS, type Mutation } from './mutations.ts'

/** Suites for these files; for all others the search contracts are run. */
const SUITES: Readonly<Record<string, readonly string[]>> = {
  [OPERATION]: ['test/api/parameters.test.ts'],
  [FEATURES]: ['src/text/post-features.test.ts'],
  [RANKER]: ['src/search/rank.test.ts'],
  [UNITS]: ['src/search/rank.test.ts'],
}
const SUITE = `
import { describeBounded } from './bounded.ts'
import { describeExact } from './exact.ts'
import { openEmbedded } from './open-embedded.ts'
describeExact(openEmbedded)
describeBounded(openEmbedded)
`

const root = join(import.meta.dirname, '../..')
const copy = mkdtempSync(join(tmpdir(), 'telegrep-mutations-'))
const suite = join(copy, 'src/search/contract/mutated.test.ts')
try {
  for (const each of ['src', 'test', 'skills', 'docs', 'package.json']) {
    cpSync(join(root, each), join(copy, each), { recursive: true })
  }
  writeFileSync(suite, SUITE)
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  const wanted =
    process.argv[2] === undefined ? MUTATIONS : MUTATIONS.slice(Number(process.argv[2]))
  if (![PLAN, OPERATION, FEATURES, RANKER].every(runSuites))
    throw new Error('the suites fail without any mutation')
  const survived = wanted.filter((mutation) => {
    const isNoticed = !mutate(mutation, () => runSuites(mutation.file))
    const { file, find, replace } = mutation
    const what = `${file}: ${find.trim()}${replace === '' ? '' : ` → ${replace.trim()}`}`
    console.log(`${isNoticed ? 'noticed' : 'NOT NOTICED'}: ${what}`)
    return !isNoticed
  })
  console.log(`${wanted.length - survived.length} of ${wanted.length} mutations turn a test red`)
  process.exitCode = survived.length === 0 ? 0 : 1
} finally {
  rmSync(copy, { recursive: true })
}

function mutate<T>({ file, find, replace }: Mutation, work: () => T): T {
  const path = join(copy, file)
  const text = readFileSync(path, 'utf8')
  if (!text.includes(find)) throw new Error(`${file} has changed: ${find}`)
  writeFileSync(
    path,
    text.replace(find, () => replace),
  )
  try {
    return work()
  } finally {
    writeFileSync(path, text)
  }
}

/** Whether the suites for this file pass. */
function runSuites(file: string): boolean {
  const args = SUITES[file] ?? ['--test-name-pattern=lets through|asks for|where', suite]
  return spawnSync(process.execPath, args, { cwd: copy }).status === 0
}
