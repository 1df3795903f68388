import assert from 'node:assert/strict'
import { existsSync, rmSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { SCHEMA_VERSION } from '../../src/store/schema-version.ts'
import { makeHome, runLine } from '../cli/telegrep.ts'
import { whyNoEngines } from '../engines.ts'
import { openPair, type OpenedPair } from '../pairs.ts'
import { onDatabase } from '../postgres.ts'

const POST = JSON.stringify({
  channel: 'durov',
  id: 1,
  date: new Date(Date.now() - 60_000).toISOString(),
  text: 'a quince',
})

describe('maintaining a cluster', { skip: whyNoEngines() ?? false }, () => {
  const home = makeHome('telegrep-upkeep-')
  let pair: OpenedPair
  const run = (line: string, env: Readonly<Record<string, string>> = {}) =>
    runLine(line, { ...home, env: { ...home.env, ...pair.env, ...env }, input: POST })

  before(async () => {
    pair = await openPair({ store: 'postgres', index: 'opensearch' })
    assert.equal((await run('telegrep import - --json')).code, 0)
  })
  after(async () => {
    await pair[Symbol.asyncDispose]()
    rmSync(home.cwd, { recursive: true, force: true })
  })

  test('status reports engines, versions and schema, and no data folder is created', async () => {
    const { stdout, stderr } = await run('telegrep status --json')
    const { store, index, archive } = JSON.parse(stdout) as Record<string, Record<string, unknown>>
    assert.deepEqual(
      [store!['kind'], store!['schema'], index!['kind'], archive!['posts']],
      ['postgres', SCHEMA_VERSION, 'opensearch', 1],
      stderr,
    )
    assert.match(
      (await run('telegrep status')).stdout,
      /store +postgres \d+.* schema \d+, in \S+:\d+/,
    )
    assert.equal(existsSync(home.env!['TELEGREP_DATA']!), false)
  })

  test('doctor reports both engines healthy', async () => {
    const { stdout, code } = await run('telegrep doctor --offline')
    assert.match(stdout, /ok {3}versions +telegrep .*postgres \d+.* schema \d+/)
    assert.match(stdout, /ok {3}index +OpenSearch 3\.\d+\.\d+, \d+ nodes?, (green|yellow)/)
    assert.equal(code, 0, stdout)
  })

  test('doctor names an index block set by a full disk', async () => {
    const { TELEGREP_SEARCH_URL: origin, TELEGREP_SEARCH_PREFIX: prefix } = pair.env
    const block = async (isSet: true | null) => {
      const reply = await fetch(`${origin}/${prefix}-*/_settings`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ 'index.blocks.read_only_allow_delete': isSet }),
      })
      assert.ok(reply.ok, await reply.text())
    }
    await block(true)
    const { stdout, code } = await run('telegrep doctor --offline')
    await block(null)
    assert.match(
      stdout,
      /bad {2}index +OpenSearch .*read_only_allow_delete is set: is its disk full/,
    )
    assert.equal(code, 1)
  })

  test('doctor names an index that was closed', async () => {
    const { TELEGREP_SEARCH_URL: origin, TELEGREP_SEARCH_PREFIX: prefix } = pair.env
    const put = async (what: '_close' | '_open') => {
      const reply = await fetch(`${origin}/${prefix}-a*-channels/${what}?expand_wildcards=all`, {
        method: 'POST',
      })
      assert.ok(reply.ok, await reply.text())
    }
    await put('_close')
    const { stdout, code } = await run('telegrep doctor --offline')
    await put('_open')
    assert.match(stdout, /bad {2}index +OpenSearch .*-channels is closed: open it again/)
    assert.equal(code, 1)
  })

  test('status and doctor name an unreachable OpenSearch, and status reports the rest', async () => {
    const away = { TELEGREP_SEARCH_URL: 'http://127.0.0.1:1' }
    const { stdout, code } = await run('telegrep status', away)
    assert.match(stdout, /index +the index cannot be reached: http:\/\/127\.0\.0\.1:1/)
    assert.match(stdout, /posts +1,/)
    assert.equal(code, 0)
    const doctor = await run('telegrep doctor --offline', away)
    assert.match(doctor.stdout, /bad {2}index +the index cannot be reached/)
    assert.equal(doctor.code, 1)
  })

  test('imports and removals made while OpenSearch is down are indexed later', async () => {
    const away = { TELEGREP_SEARCH_URL: 'http://127.0.0.1:1' }
    const removed = await run('telegrep remove durov/1 --reason asked', away)
    assert.equal(removed.code, 0, removed.stderr)
    assert.match(
      removed.stderr,
      /durov\/1: 1 post erased[^]*the next server that reaches the index/,
    )
    const lifted = await run('telegrep remove durov/1 --undo && telegrep import - --json', away)
    assert.match(lifted.stdout, /"added":1.*"searchable":"once the index is back"/)
    const again = await run('telegrep import - --json')
    assert.match(again.stdout, /"searchable":"now"/)
  })

  test('doctor reports wrong post counts', async () => {
    const schema = new URL(pair.env['TELEGREP_DATABASE_URL']!).searchParams.get('schema')!
    const count = (by: number) =>
      onDatabase(schema, (db) => db.run(`update channels set posts = posts + ${by}`))
    await count(1)
    const { stdout, code } = await run('telegrep doctor --offline')
    assert.match(stdout, /bad {2}integrity +a channel whose count of posts is wrong/)
    assert.equal(code, 1)
    await count(-1)
  })
})
