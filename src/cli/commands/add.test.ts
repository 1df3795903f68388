import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { NOON, addChannel, sampleProfile, sampleReading } from '../../store/contract/samples.ts'
import { openStore } from '../../store/open-store.ts'
import { runCli } from '../cli.ts'

test('adding a former name of an indexed channel prints its present name', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-add-'))
  t.after(() => rmSync(folder, { recursive: true }))
  {
    const retention = { deleted: 'redact', versions: 'keep' } as const
    await using store = await openStore({ kind: 'sqlite', folder, retention })
    const { id } = await addChannel(store, 'old_name')
    for (const [i, name] of ['old_name', 'New_Name'].entries()) {
      const profile = sampleProfile(name, { platformId: 1 })
      await store.archive.record(sampleReading(id, { at: NOON + i, profile }))
    }
  }
  const add = async (...words: readonly string[]) => {
    let written = ''
    const stream = { isTTY: false, write: (text: string) => ((written += text), true) }
    const streams = { stdout: stream, stderr: stream } as never
    const env = { TELEGREP_DATA: folder, NO_COLOR: '1' }
    assert.equal(await runCli(['add', ...words], env, new AbortController().signal, streams), 0)
    return written
  }
  assert.equal(await add('old_name'), 'old_name  indexed already, as New_Name\n')
  assert.equal(await add('new_name'), 'new_name  indexed already\n')
  assert.deepEqual(JSON.parse(await add('OLD_name', '--json')), [
    { name: 'OLD_name', outcome: 'known', username: 'New_Name' },
  ])
})

test('adding a channel that was only imported says that it is read from now on', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-add-'))
  t.after(() => rmSync(folder, { recursive: true }))
  let written = ''
  const stream = { isTTY: false, write: (text: string) => ((written += text), true) }
  const env = { TELEGREP_DATA: join(folder, 'data'), NO_COLOR: '1' }
  const run = async (...words: readonly string[]) => {
    written = ''
    await runCli(words, env, new AbortController().signal, {
      stdout: stream,
      stderr: stream,
    } as never)
    return written
  }
  const file = join(folder, 'posts.ndjson')
  writeFileSync(file, '{"channel":"some_news","id":1,"date":"2026-10-01T12:00:00Z","text":"x"}')
  await run('import', file)
  assert.equal(
    await run('add', 'some_news'),
    'some_news  indexed already; the crawler reads it at its next chance\n',
  )
  assert.deepEqual(JSON.parse(await run('add', 'some_news', '--json')), [
    { name: 'some_news', outcome: 'known', again: true },
  ])
})

test('adding a folder adds nothing and names the folder', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-add-'))
  t.after(() => rmSync(folder, { recursive: true }))
  let written = ''
  const stream = { isTTY: false, write: (text: string) => ((written += text), true) }
  const streams = { stdout: stream, stderr: stream } as never
  const env = { TELEGREP_DATA: join(folder, 'data') }
  const words = ['add', 'durov', folder]
  assert.equal(await runCli(words, env, new AbortController().signal, streams), 4)
  assert.equal(written, `telegrep: ${folder} is a folder; name the files in it\n`)
})
