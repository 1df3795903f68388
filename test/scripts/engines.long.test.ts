import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import createClient from 'postgres'
import { whyNoEngines } from '../engines.ts'
import { until } from '../until.ts'

const SCRIPT = join(import.meta.dirname, '../../scripts/engines.ts')
let cache = ''

before(() => {
  cache = mkdtempSync(join(tmpdir(), 'telegrep-engines-'))
  // When started by root, engines run as another user, who has to reach this folder.
  chmodSync(cache, 0o755)
})
after(() => rmSync(cache, { recursive: true, force: true }))

interface Told {
  readonly code: number
  readonly out: string
  readonly error: string
}

/** Runs the script with a cache of its own; `name` is the instance. */
function engines(name: string, line: string, env = process.env): Promise<Told> {
  const args = [SCRIPT, ...line.split(' '), '--name', name, '--cache', cache]
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env }, (failure, out, error) => {
      resolve({ code: failure ? Number(failure.code) : 0, out, error })
    })
  })
}

function recordOf(name: string): { postgres: { running: { pid: number } } } {
  const file = join(cache, 'instances', name, 'instance.json')
  return JSON.parse(readFileSync(file, 'utf8')) as ReturnType<typeof recordOf>
}

describe('npm run engines', () => {
  test('prints help on request and explains invalid arguments', async () => {
    const asked = await engines('help', '--help')
    assert.equal(asked.code, 0)
    assert.match(asked.out, /start.*\n.*stop/)
    assert.equal((await engines('help', 'begin')).code, 2)
    assert.match((await engines('help', 'start --nodes many')).error, /--nodes: a whole number/)
    assert.match((await engines('help', 'start --only mysql')).error, /postgres or opensearch/)
  })

  test('says which engines are not running', async () => {
    const status = await engines('none', 'status')
    assert.equal(status.code, 1)
    assert.equal(status.out, 'postgres: never started\nopensearch: never started\n')
    const env = await engines('none', 'env')
    assert.deepEqual([env.code, env.out], [1, ''])
    assert.match(env.error, /postgres does not run/)
  })

  test('leaves a process alone that has reused the pid of an engine', async () => {
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
    try {
      const folder = join(cache, 'instances', 'stale')
      mkdirSync(folder, { recursive: true })
      const running = { pid: other.pid, since: '1', log: join(folder, 'postgres.log') }
      const record = { postgres: { port: 1, password: 'x', running } }
      writeFileSync(join(folder, 'instance.json'), JSON.stringify(record))
      assert.match((await engines('stale', 'status')).out, /postgres: does not run/)
      assert.match((await engines('stale', 'stop')).out, /postgres did not run/)
      assert.deepEqual([other.exitCode, other.signalCode], [null, null])
    } finally {
      other.kill()
    }
  })

  test('names a missing tool, and rejects an archive with the wrong checksum', async () => {
    const poor = { ...process.env, PATH: '/nowhere' }
    const missing = await engines('poor', 'start --only opensearch', poor)
    assert.equal(missing.code, 1)
    assert.match(missing.error, /mvn is needed and not there: install it, or put opensearch/)

    writeFileSync(join(cache, 'downloads', 'opensearch-3.6.0.zip'), 'something else')
    const wrong = await engines('poor', 'start --only opensearch')
    assert.equal(wrong.code, 1)
    assert.match(wrong.error, /its SHA-512 differs/)
  })
})

describe('npm run engines with PostgreSQL', { skip: whyNoEngines() ?? false }, () => {
  after(() => engines('killed', 'stop'))

  test('restarts a killed engine at the same address, with all committed data', async () => {
    assert.deepEqual(await engines('killed', 'start --only postgres').then(({ code }) => code), 0)
    const address = (await engines('killed', 'env --only postgres')).out
    assert.match(
      address,
      /^TELEGREP_DATABASE_URL=postgres:\/\/telegrep:\w+@127\.0\.0\.1:\d+\/postgres\n$/,
    )
    const url = address.trim().slice('TELEGREP_DATABASE_URL='.length)
    assert.match((await engines('killed', 'start --only postgres')).out, /runs already/)

    const sql = createClient(url, { max: 2 })
    try {
      await sql`create table kept as select 42 as answer`
      // A session that computes does not notice that its server is gone.
      const busy = sql`select count(*) from generate_series(1, 2000000000)`.catch(() => 'lost')
      await until(async () => {
        const [row] =
          await sql`select count(*)::int as n from pg_stat_activity where query like '%2000000000%' and pid <> pg_backend_pid()`
        return row?.['n'] === 1
      })
      process.kill(recordOf('killed').postgres.running.pid, 'SIGKILL')
      await until(async () => (await engines('killed', 'status --only postgres')).code === 1)

      const again = await engines('killed', 'start --only postgres')
      assert.equal(again.code, 0, again.error)
      assert.equal((await engines('killed', 'env --only postgres')).out, address)
      assert.equal(await busy, 'lost')
      assert.deepEqual([...(await sql`select answer from kept`)], [{ answer: 42 }])
    } finally {
      // Without a limit it would wait for ever for the lost connection.
      await sql.end({ timeout: 1 })
    }
    assert.match((await engines('killed', 'stop --forget')).out, /postgres stopped/)
    assert.match((await engines('killed', 'status')).out, /postgres: never started/)
  })
})
