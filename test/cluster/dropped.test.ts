import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { globSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeHome, runLine } from '../cli/telegrep.ts'
import { engines, whyNoEngines } from '../engines.ts'
import { openPair } from '../pairs.ts'
import { onDatabase } from '../postgres.ts'
import { startService } from '../start-service.ts'

const LINES = ['durov/1', 'durov/2', 'telegram/1']
  .map((id) => id.split('/'))
  .map(([channel, id]) => ({
    channel,
    id: Number(id),
    date: '2026-01-01T00:00:00Z',
    text: 'quince',
  }))
  .map((post) => JSON.stringify(post))
  .join('\n')
const skip = whyNoEngines() ?? false
const schemaOf = (env: Readonly<Record<string, string>>) =>
  new URL(env['TELEGREP_DATABASE_URL']!).searchParams.get('schema')!

test('a service whose tables were dropped answers 503 with an explanation', { skip }, async () => {
  await using pair = await openPair({ store: 'postgres', index: null })
  const { env } = pair
  await using service = await startService({
    env: { ...env, TELEGREP_LOG: 'silent' },
    world: { channels: 2, days: 3 },
  })
  await service.settled()
  const [name] = service.names
  const schema = schemaOf(env)
  for (const what of [`table ${schema}.post_bodies`, `schema ${schema}`]) {
    await onDatabase(schema, (db) => db.script(`drop ${what} cascade`))
    for (const path of [`search?channel=${name}`, `channels/${name}/posts`]) {
      const reply = await fetch(`${service.url}/v1/${path}`)
      const text = await reply.text()
      assert.equal(reply.status, 503, text)
      assert.ok(reply.headers.has('retry-after'))
      assert.match(text, /tables of the archive are missing/)
    }
  }
  assert.equal((await fetch(`${service.url}/readyz`)).status, 503)
})

/** PostgreSQL's own tools; undefined where only its server is installed. */
function findTool(name: string): string | undefined {
  return globSync(`/usr/lib/postgresql/*/bin/${name}`).toSorted().at(-1)
}

test(
  'a dropped archive is not recreated beside its keys, and a dump puts it back without what was removed since',
  { skip: whyNoEngines() ?? (findTool('pg_dump') ? false : 'no pg_dump') },
  async (t) => {
    const home = makeHome('telegrep-dropped-')
    t.after(() => rmSync(home.cwd, { recursive: true, force: true }))
    await using pair = await openPair({ store: 'postgres', index: null })
    const env = { ...home.env, ...pair.env }
    const run = (line: string) => runLine(line, { ...home, env, input: LINES, timeoutMs: 120_000 })
    const schema = schemaOf(pair.env)
    const { databaseUrl } = engines()
    const dump = join(home.cwd, 'archive.dump')
    const tool = (name: string, ...args: string[]) =>
      execFileSync(findTool(name)!, [`--dbname=${databaseUrl}`, ...args])

    assert.equal((await run('telegrep import -')).code, 0)
    tool('pg_dump', '--format=custom', `--schema=${schema}`, `--file=${dump}`)
    assert.equal((await run('telegrep keys create --tier free')).code, 0)
    assert.equal((await run('telegrep remove telegram --reason asked')).code, 0)
    assert.equal((await run('telegrep remove durov/2 --reason asked')).code, 0)

    await onDatabase(schema, (db) => db.script('drop table edits cascade'))
    const partly = await run('telegrep doctor --offline')
    assert.equal(partly.code, 1)
    assert.match(partly.stdout, /bad +integrity +.*tables of the archive are missing[^]*clock/)

    await onDatabase(schema, (db) => db.script(`drop schema ${schema} cascade`))
    const refused = await run('telegrep doctor --offline')
    assert.equal(refused.code, 1)
    assert.match(refused.stdout, /bad +start +.* has no archive any more/)

    tool('pg_restore', dump)
    const kept = await run('telegrep export')
    assert.equal(kept.code, 0, kept.stderr)
    assert.match(kept.stdout, /"id":"durov\/1"/)
    assert.doesNotMatch(kept.stdout, /durov\/2|telegram\/1/)
    assert.match((await run('telegrep keys list --json')).stdout, /"tier":"free"/)
    assert.equal((await run('telegrep reindex')).code, 0)
    const checked = await run('telegrep doctor --offline')
    assert.match(checked.stdout, /^ok +integrity +the store is sound$/m)
  },
)

test('backup and restore leave a database to its own tools, and say so', { skip }, async (t) => {
  const home = makeHome('telegrep-tools-')
  t.after(() => rmSync(home.cwd, { recursive: true, force: true }))
  await using pair = await openPair({ store: 'postgres', index: null })
  for (const line of ['telegrep backup copy', 'telegrep restore copy']) {
    const ran = await runLine(line, { ...home, env: { ...home.env, ...pair.env } })
    assert.match(ran.stderr, /^telegrep: the store is in PostgreSQL: .* pg_dump or pg_basebackup/)
    assert.equal(ran.code, 1)
  }
})
