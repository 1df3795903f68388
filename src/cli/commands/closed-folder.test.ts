import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { runCli } from '../cli.ts'

test('a backup or store that this user may not read is named in words', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-closed-'))
  chmodSync(folder, 0o755)
  const closed = join(folder, 'closed')
  mkdirSync(closed, { mode: 0 })
  const [half, whole] = ['half', 'whole'].map((name) => join(folder, name))
  for (const place of [half!, whole!]) {
    mkdirSync(place)
    chmodSync(place, 0o777)
    writeFileSync(join(place, 'store.db'), 'a store', { mode: 0o666 })
  }
  writeFileSync(join(half!, 'ledger.db'), 'keys', { mode: 0 })
  // Root may enter every folder.
  const isRoot = process.geteuid!() === 0
  if (isRoot) process.seteuid!(65_534)
  t.after(() => {
    if (isRoot) process.seteuid!(0)
    rmSync(folder, { recursive: true })
  })
  const unread = / this user may not read the store there\n$/
  for (const [why, ...words] of [
    [unread, 'restore', closed],
    [unread, 'restore', half!],
    [unread, 'migrate-store', '--from', closed, '--to', join(folder, 'new')],
    [unread, 'migrate-store', '--from', half!, '--to', join(folder, 'new')],
    [
      /--to .*closed.*: this user may not write there\n$/,
      'migrate-store',
      '--from',
      whole!,
      '--to',
      closed,
    ],
  ] as const) {
    let written = ''
    const stream = { isTTY: false, write: (text: string) => ((written += text), true) }
    const streams = { stdout: stream, stderr: stream } as never
    const env = { TELEGREP_DATA: join(folder, 'data'), NO_COLOR: '1' }
    const code = await runCli(words, env, new AbortController().signal, streams)
    assert.match(written, why)
    assert.equal(code, 1)
  }
})
