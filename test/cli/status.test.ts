import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { indexConsumer } from '../../src/store/changes.ts'
import { openStore } from '../../src/store/open-store.ts'
import { ANALYZER_VERSION } from '../../src/text/analyze.ts'
import { openShell } from './shell.ts'
import { makeHome } from './telegrep.ts'

const retention = { deleted: 'redact', versions: 'keep' } as const

test('status and doctor say of an index that was out of use for a time that it may lack posts, until reindex is done', async (t) => {
  const options = makeHome('telegrep-status-')
  await using shell = openShell(options)
  t.after(() => rmSync(options.cwd, { recursive: true, force: true }))
  const indexOf = async () => {
    const rows = (await shell.run('telegrep status')).stdout
    const values = JSON.parse((await shell.run('telegrep status --json')).stdout) as {
      index_behind: boolean
    }
    const checked = (await shell.run('telegrep doctor --offline')).stdout
    const doctor = /^ok +index .*?(, may lack posts until it is rebuilt)?$/m.exec(checked)
    assert.ok(doctor, checked)
    assert.equal(doctor[1] !== undefined, values.index_behind)
    return [/^index +(.*)$/m.exec(rows)?.[1], values.index_behind]
  }
  const post = { channel: 'late_news', id: 7, date: '2026-11-01T00:00:00Z', text: 'It is open' }
  writeFileSync(join(options.cwd, 'posts.ndjson'), JSON.stringify(post))
  assert.equal((await shell.run('telegrep import posts.ndjson')).code, 0)
  assert.deepEqual(await indexOf(), ['up to date', false])
  {
    // Another version feeds an index of its own, and has removed this one after ten minutes of silence.
    await using store = await openStore({
      kind: 'sqlite',
      folder: join(options.cwd, 'data'),
      retention,
    })
    await store.changes.register(indexConsumer(ANALYZER_VERSION + 1))
    await store.changes.unregister(indexConsumer(ANALYZER_VERSION))
  }
  assert.deepEqual(await indexOf(), ['may lack posts until it is rebuilt', true])
  assert.equal((await shell.run('telegrep reindex')).code, 0)
  assert.deepEqual(await indexOf(), ['up to date', false])
})
