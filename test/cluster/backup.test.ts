import assert from 'node:assert/strict'
import { cpSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeHome, runLine, runOnTerminal } from '../cli/telegrep.ts'
import { readAddress } from '../../src/store/postgres/address.ts'
import { openConnection } from '../../src/store/postgres/connection.ts'
import { engines, whyNoEngines } from '../engines.ts'
import { openPair } from '../pairs.ts'

const lineOf = (channel: string, id: number) =>
  JSON.stringify({ channel, id, date: '2026-01-01T00:00:00Z', text: `a quince ${id}` })

test(
  'a backup of PostgreSQL is a data folder, and a restore leaves out what was removed since',
  { skip: whyNoEngines() ?? false },
  async (t) => {
    const home = makeHome('telegrep-backup-')
    t.after(() => rmSync(home.cwd, { recursive: true, force: true }))
    await using pair = await openPair({ store: 'postgres', index: null })
    const env = { ...home.env, ...pair.env }
    const run = async (line: string, input = '') => {
      const ran = await runLine(line, { ...home, env, input, timeoutMs: 120_000 })
      assert.equal(ran.code, 0, `${line}: ${ran.stderr}`)
      return ran.stdout
    }
    await run('telegrep import -', ['durov', 'telegram'].map((name) => lineOf(name, 1)).join('\n'))
    const told = JSON.parse(await run('telegrep backup copy --json')) as object
    assert.deepEqual({ ...told, folder: '' }, { folder: '', channels: 2, posts: 2 })

    await run('telegrep import - && telegrep remove telegram --reason asked', lineOf('durov', 2))
    const { databaseUrl: url } = engines()
    const schema = new URL(pair.env['TELEGREP_DATABASE_URL']!).searchParams.get('schema')!
    const application_name = `telegrep ${schema} 1@another-host`
    // A process that holds no role, such as an indexer or one that has just started.
    const another = openConnection(readAddress({ url }), { parameters: { application_name } })
    await another.send('select 1', [])
    const refused = await runLine('telegrep restore copy', { ...home, env, timeoutMs: 120_000 })
    assert.match(refused.stderr, /a process is running on .* \(1@another-host\): stop all of them/)
    assert.equal(refused.code === 0, false)
    await another.close()
    cpSync(join(home.cwd, 'copy'), join(home.cwd, 'cut'), { recursive: true })
    truncateSync(join(home.cwd, 'cut/store.db'), 4096)
    cpSync(join(home.cwd, 'copy'), join(home.cwd, 'open'), { recursive: true })
    writeFileSync(join(home.cwd, 'open/store.db-wal'), '')
    cpSync(join(home.cwd, 'copy'), join(home.cwd, 'lost'), { recursive: true })
    truncateSync(join(home.cwd, 'lost/ledger.db'), 0)
    for (const [folder, words] of [
      [
        'cut',
        /^telegrep: the backup is not sound, so nothing was changed: store\.db.* damaged \(.*\)$/m,
      ],
      ['lost', /nothing was changed: ledger\.db is empty, and it held keys before$/m],
      ['open', /open is in use or was left by a crash; telegrep backup makes a copy of it$/m],
    ] as const) {
      const bad = await runLine(`telegrep restore ${folder}`, { ...home, env, timeoutMs: 120_000 })
      assert.match(bad.stderr, words)
      assert.equal(bad.code, 1)
    }
    const shown = await runOnTerminal('telegrep backup again', { ...home, env, timeoutMs: 120_000 })
    assert.match(shown.stdout, /comparing both …[^]*verifying █+ [\d/]+ steps/)
    const restored = JSON.parse(await run('telegrep restore copy --json')) as object
    assert.deepEqual({ ...restored, folder: '' }, { folder: '', channels: 1, posts: 1 })
    const kept = await run('telegrep export && telegrep status --data copy --json')
    assert.match(kept, /"id":"durov\/1"/)
    assert.doesNotMatch(kept, /durov\/2|telegram\/1/)
  },
)
