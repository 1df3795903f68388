import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, afterEach, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url))

describe('the cache of compiled code', () => {
  let temporary: string
  let folder: string
  beforeEach(() => {
    temporary = mkdtempSync(join(tmpdir(), 'telegrep-compiled-test-'))
    folder = join(temporary, `telegrep-compiled-${process.getuid?.() ?? ''}`)
  })
  afterEach(() => rmSync(temporary, { recursive: true }))

  function run(user: { uid?: number; gid?: number } = {}): void {
    const env = { ...process.env, TMPDIR: temporary }
    const { status, stdout } = spawnSync(process.execPath, [MAIN, '--version'], { env, ...user })
    assert.equal(status, 0)
    assert.match(String(stdout), /\d/)
  }

  test('is in a folder that nobody else can read or write', () => {
    run()
    assert.equal(statSync(folder).mode & 0o777, 0o700)
    assert.ok(readdirSync(folder).length > 0)
  })

  test('is not written to a folder that others can write to', () => {
    mkdirSync(folder)
    chmodSync(folder, 0o777)
    run()
    assert.deepEqual(readdirSync(folder), [])
  })

  test('is not written through a symbolic link', () => {
    const elsewhere = join(temporary, 'elsewhere')
    mkdirSync(elsewhere)
    symlinkSync(elsewhere, folder)
    run()
    assert.deepEqual(readdirSync(elsewhere), [])
  })

  const skip = process.getuid?.() === 0 ? false : 'only root can be another user'
  test('works for a user id without a user name', { skip }, () => {
    chmodSync(temporary, 0o777)
    run({ uid: 54_321, gid: 54_321 })
    assert.ok(readdirSync(join(temporary, 'telegrep-compiled-54321')).length > 0)
  })
})
