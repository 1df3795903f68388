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
    const { index } = JSON.parse((await shell.run('telegrep status --json')).stdout) as {
      index: { behind: boolean }
    }
    const checked = (await shell.run('telegrep doctor --offline')).stdout
    const doctor = /^ok +index .*?(may lack posts until it is rebuilt)?$/m.exec(checked)
    assert.ok(doctor, checked)
    assert.equal(doctor[1] !== undefined, index.behind)
    return [/^index +(.*)$/m.exec(rows)?.[1], index.behind]
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

test('doctor names what prevents the start, even if the data folder cannot be examined', async (t) => {
  const options = makeHome('telegrep-doctor-')
  await using shell = openShell(options)
  t.after(() => rmSync(options.cwd, { recursive: true, force: true }))
  writeFileSync(join(options.cwd, 'taken'), '')
  const line =
    'TELEGREP_DATABASE_URL=postgres://127.0.0.1:1/x telegrep doctor --offline --data taken/data'
  const { code, stdout } = await shell.run(line)
  assert.match(stdout, /^bad +start .*taken/m)
  assert.match(stdout, /^bad +disk .*ENOTDIR/m)
  assert.equal(code, 1)
})

test('stats of one channel sums up this channel alone', async (t) => {
  const options = makeHome('telegrep-stats-')
  await using shell = openShell(options)
  t.after(() => rmSync(options.cwd, { recursive: true, force: true }))
  const posts = [
    { channel: 'late_news', id: 7, date: '2026-11-01T00:00:00Z', text: 'It is open' },
    { channel: 'old_news', id: 1, date: '2024-01-01T00:00:00Z', text: 'It is closed' },
    { channel: 'old_news', id: 2, date: '2024-02-01T00:00:00Z', text: 'It is closed still' },
  ]
  const lines = posts.map((post) => JSON.stringify(post)).join('\n')
  writeFileSync(join(options.cwd, 'posts.ndjson'), lines)
  assert.equal((await shell.run('telegrep import posts.ndjson')).code, 0)
  const all = (await shell.run('telegrep stats')).stdout
  assert.match(all, /^posts +3 in all, 2024-01-01 to 2026-11-01$/m)
  assert.match(all, /^languages +en 2$/m)
  const one = (await shell.run('telegrep stats old_news')).stdout
  assert.match(one, /^channels +1,/m)
  assert.match(one, /^posts +2 in all, 2024-01-01 to 2024-02-01$/m)
  assert.doesNotMatch(one, /^languages/m)
})
