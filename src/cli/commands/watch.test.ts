import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { sampleWatch } from '../../store/contract/watches.ts'
import { openStore } from '../../store/open-store.ts'
import { runCli } from '../cli.ts'

test('watch list shows the sinks at any terminal width, and one watch per line in a pipe', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-watches-'))
  t.after(() => rmSync(folder, { recursive: true }))
  {
    const retention = { deleted: 'redact', versions: 'keep' } as const
    await using store = await openStore({ kind: 'sqlite', folder, retention })
    const query = { q: '"central bank" (rate OR inflation OR "interest on deposits")' }
    const command = { argv: ['/usr/local/bin/tell-the-economics-desk'] }
    await store.watches.put(sampleWatch('bank', { query, sinks: { command } }))
  }
  const list = async (stream: { readonly isTTY: boolean; readonly columns: number }) => {
    let written = ''
    const stdout = { ...stream, write: (text: string) => ((written += text), true) }
    const streams = { stdout, stderr: stdout } as never
    const going = new AbortController().signal
    const env = { TELEGREP_DATA: folder, NO_COLOR: '1' }
    assert.equal(await runCli(['watch', 'list'], env, going, streams), 0, written)
    return written.trimEnd().split('\n')
  }
  const shown = await list({ isTTY: true, columns: 80 })
  assert.deepEqual(shown.slice(0, 3), [
    'bank',
    '  looks for  "central bank" (rate OR inflation OR "interest on deposits")',
    '  tells      command /usr/local/bin/tell-the-economics-desk',
  ])
  const table = await list({ isTTY: true, columns: 200 })
  assert.match(table[0]!, /^name +looks for +tells/)
  assert.match(table[1]!, /^bank .* command \/usr\/local\/bin\/tell-the-economics-desk/)
  assert.deepEqual(await list({ isTTY: false, columns: 0 }), table)
})

test('watch resend also restarts watches that were stopped, and leaves the others unchanged', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-watches-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const retention = { deleted: 'redact', versions: 'keep' } as const
  await using store = await openStore({ kind: 'sqlite', folder, retention })
  const names = ['one', 'other', 'well']
  for (const name of names) {
    const watch = await store.watches.put(sampleWatch(name))
    if (name !== 'well') await store.watches.stop(watch, 'webhook', 'answered 410')
  }
  const stopped = async () => {
    const watches = await store.watches.list(null, 10)
    return watches.filter((watch) => Object.keys(watch.stopped).length > 0).map(({ name }) => name)
  }
  const resend = async (...words: string[]) => {
    let written = ''
    const stream = { isTTY: false, write: (text: string) => ((written += text), true) }
    const streams = { stdout: stream, stderr: stream } as never
    const going = new AbortController().signal
    const env = { TELEGREP_DATA: folder, NO_COLOR: '1' }
    const exit = await runCli(['watch', 'resend', ...words], env, going, streams)
    return `${exit} ${written}`
  }
  const revision = await store.watches.revision()
  assert.match(await resend('one'), /^0 one: tells again what it finds/)
  assert.deepEqual(await stopped(), ['other'])
  assert.match(await resend(), /^2 telegrep: expected the name of a watch, or --all\n$/)
  assert.match(await resend('one', '--all'), /^2 /)
  assert.deepEqual(await stopped(), ['other'], 'nobody is told again by accident')
  assert.match(await resend('--all'), /^0 other: tells again what it finds/)
  assert.deepEqual(await stopped(), [])
  const changed = await store.watches.changesSince(revision, 10)
  assert.deepEqual(
    changed.map(({ watch }) => watch?.name),
    ['one', 'other'],
    'those that were not stopped stay as they are',
  )
})

test('watch load accepts a byte order mark, and rejects options that are not true or false', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'telegrep-watches-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const retention = { deleted: 'redact', versions: 'keep' } as const
  await using store = await openStore({ kind: 'sqlite', folder, retention })
  const load = async (fields: object) => {
    let written = ''
    const stream = { isTTY: false, write: (text: string) => ((written += text), true) }
    const streams = { stdout: stream, stderr: stream } as never
    const file = join(folder, 'watches.json')
    const watch = { name: 'storms', q: 'storm', command: 'true', ...fields }
    writeFileSync(file, `\uFEFF${JSON.stringify([watch])}`)
    const env = { TELEGREP_DATA: folder, NO_COLOR: '1' }
    const going = new AbortController().signal
    return [await runCli(['watch', 'load', file], env, going, streams), written] as const
  }
  for (const name of ['feed', 'edits', 'deletions', 'once_per_story', 'everything']) {
    const [code, said] = await load({ [name]: 'yes' })
    assert.ok(
      said.includes(`watch storms: expected ${name} to be true or false; found "yes"`),
      said,
    )
    assert.equal(code, 2)
  }
  assert.equal(await store.watches.count(), 0)
  const [code, said] = await load({ deletions: true, edits: false })
  assert.equal(code, 0, said)
  assert.equal((await store.watches.get('storms'))?.options.deletions, true)
})
