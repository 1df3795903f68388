import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
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

describe('copyBeside', () => {
  const root = mkdtempSync(join(tmpdir(), 'telegrep-copy-'))
  after(() => rmSync(root, { recursive: true, force: true }))
  const has = (name: string) => existsSync(join(root, name))
  let here: string

  before(async () => {
    mkdirSync(join(root, 'monday'))
    writeFileSync(join(root, 'monday', 'name'), 'monday')
    await using copy = await copyBeside(join(root, 'monday'))
    here = /restoring-([\da-f]+)-/.exec(copy.path)![1]!
  })

  test('deletes what a killed process left, and no copy of one that runs', async () => {
    const { pid: dead } = spawnSync(process.execPath, ['--version'])
    const left = (where: string, pid: number) => `monday.restoring-${where}-${pid}-aB3xYz`
    const elsewhere = '0'.repeat(12)
    const [killed, ownNumber, running] = [dead, process.pid, process.ppid].map((pid) =>
      left(here, pid),
    ) as [string, string, string]
    const [other, forgotten] = [left(elsewhere, dead), left(elsewhere, process.pid)]
    for (const name of [killed, ownNumber, running, other, forgotten]) mkdirSync(join(root, name))
    const monthAgo = Date.now() / 1000 - 30 * 86_400
    utimesSync(join(root, forgotten), monthAgo, monthAgo)
    await using _ = await copyBeside(join(root, 'monday'))
    assert.deepEqual([killed, ownNumber, running, other, forgotten].map(has), [
      false,
      false,
      true,
      true,
      false,
    ])
  })

  test('copies a folder although a copy that was left cannot be deleted', async (t) => {
    const left = join(root, `monday.restoring-${here}-${process.pid}-cD4xYz`)
    mkdirSync(left)
    writeFileSync(join(left, 'store.db'), '')
    chmodSync(left, 0o555)
    chmodSync(root, 0o777)
    // Root may delete everything.
    const isRoot = process.geteuid!() === 0
    if (isRoot) process.seteuid!(65_534)
    t.after(() => {
      if (isRoot) process.seteuid!(0)
      chmodSync(left, 0o755)
    })
    await using copy = await copyBeside(join(root, 'monday'))
    assert.ok(existsSync(join(copy.path, 'name')))
    assert.ok(existsSync(join(left, 'store.db')))
  })

  test('follows a link to a folder', async () => {
    symlinkSync('monday', join(root, 'latest'))
    await using copy = await copyBeside(join(root, 'latest'))
    assert.equal(readFileSync(join(copy.path, 'name'), 'utf8'), 'monday')
  })
})
