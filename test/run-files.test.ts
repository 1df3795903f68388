import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'

const MODULE = new URL('run-files.ts', import.meta.url).href
const HOOK = `import { afterEach } from 'node:test'
  afterEach(() => {
    throw new Error('not for others')
  })`

/** Runs a file with this text in one process, between two that pass. */
function runTogether(text: string): { readonly status: number | null; readonly stdout: string } {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'telegrep-run-files-'))
  const write = (name: string, content: string) => {
    const file = join(folder.path, name)
    writeFileSync(file, content)
    return file
  }
  const passing = (name: string) =>
    write(`${name}.mts`, `import { test } from 'node:test'\ntest('${name} test', () => {})`)
  const files = [passing('first'), write('second.mts', text), passing('third')]
  const lane = write(
    'lane.mjs',
    `import { runFiles } from '${MODULE}'\nrunFiles(${JSON.stringify(files)})`,
  )
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  return spawnSync(process.execPath, ['--test', '--test-reporter=spec', lane], {
    env,
    encoding: 'utf8',
  })
}

describe('test files that share a process', () => {
  test('keep their hooks to themselves', () => {
    const { status, stdout } = runTogether(HOOK)
    assert.equal(status, 0, stdout)
    assert.match(stdout, /✔ first test[^]*✔ third test[^]*ℹ pass 2\n/)
  })
  for (const [name, text] of [
    ['throws', `throw new Error('broken')`],
    ['ends the process as if all were well', 'process.exit(0)'],
    ['awaits something outside its tests', 'await 0'],
  ] as const)
    test(`fail when one of them ${name}`, () => {
      const { status, stdout } = runTogether(text)
      assert.equal(status, 1, stdout)
      assert.match(stdout, /✖ failing tests:/)
    })
})
