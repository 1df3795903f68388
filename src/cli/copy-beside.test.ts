import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { copyBeside } from './copy-beside.ts'

test('copyBeside makes a new folder and deletes only that folder when disposed', async () => {
  const root = mkdtempSync(join(tmpdir(), 'telegrep-copy-'))
  try {
    const [backup, other] = [join(root, 'backup'), join(root, 'backup.restoring')]
    for (const folder of [backup, other]) {
      mkdirSync(join(folder, 'pictures'), { recursive: true })
      writeFileSync(join(folder, 'pictures', 'name'), folder)
    }
    let path: string
    {
      await using copy = await copyBeside(backup)
      path = copy.path
      assert.ok(path !== other)
      assert.equal(readFileSync(join(path, 'pictures', 'name'), 'utf8'), backup)
    }
    assert.ok(!existsSync(path))
    assert.equal(readFileSync(join(other, 'pictures', 'name'), 'utf8'), other)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
})

test('copyBeside deletes what a killed process left, and no copy of one that runs', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'telegrep-copy-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const { pid } = spawnSync(process.execPath, ['--version'])
  const [left, running] = [
    `monday.restoring-${pid}-aB3xYz`,
    `monday.restoring-${process.pid}-aB3xYz`,
  ]
  for (const name of ['monday', left, running]) mkdirSync(join(root, name))
  await using _ = await copyBeside(join(root, 'monday'))
  assert.deepEqual(
    [left, running].map((name) => existsSync(join(root, name))),
    [false, true],
  )
})
