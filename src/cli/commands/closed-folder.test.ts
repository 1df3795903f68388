import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { runCli } from '../cli.ts'

test('a backup or store that this user may not read is named in words', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-closed-'))
  chmodSync(folder, 0o755)
  const closed = join(folder, 'closed')
  mkdirSync(closed, { mode: 0 })
  // Root may enter every folder.
  const isRoot = process.geteuid!() === 0
  if (isRoot) process.seteuid!(65_534)
  t.after(() => {
    if (isRoot) process.seteuid!(0)
    rmSync(folder, { recursive: true })
  })
  for (const words of [
    ['restore', closed],
    ['migrate-store', '--from', closed, '--to', join(folder, 'new')],
  ]) {
    let written = ''
    const stream = { isTTY: false, write: (text: string) => ((written += text), true) }
    const streams = { stdout: stream, stderr: stream } as never
    const env = { TELEGREP_DATA: join(folder, 'data'), NO_COLOR: '1' }
    const code = await runCli(words, env, new AbortController().signal, streams)
    assert.match(written, /closed: this user may not read the store there\n$/)
    assert.equal(code, 1)
  }
})
