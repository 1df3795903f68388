import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '../..')

for (const [runner, scripts, ending] of [
  ['bench/run.ts', 'bench', '.bench.ts'],
  ['test/prove.ts', 'test/prove', '.prove.ts'],
] as const) {
  test(`${runner} explains each script instead of running it`, () => {
    const files = globSync(`*${ending}`, { cwd: join(root, scripts) })
    const names = files.map((file) => basename(file, ending))
    const args = [join(root, runner), ...names, '--', '--help']
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    assert.deepEqual([status, stderr], [0, ''])
    for (const name of names) assert.match(stdout, new RegExp(`^${name}: \\S`, 'm'))
  })
}
