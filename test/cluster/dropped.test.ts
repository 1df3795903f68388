import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { test } from 'node:test'
import { makeHome, runLine } from '../cli/telegrep.ts'
import { whyNoEngines } from '../engines.ts'
import { openPair } from '../pairs.ts'
import { onDatabase } from '../postgres.ts'
import { startService } from '../start-service.ts'

const LINE = JSON.stringify({
  channel: 'durov',
  id: 1,
  date: '2026-01-01T00:00:00Z',
  text: 'a quince',
})
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

test(
  'a dropped archive is not recreated beside its keys, and a backup can be restored',
  { skip },
  async (t) => {
    const home = makeHome('telegrep-dropped-')
    t.after(() => rmSync(home.cwd, { recursive: true, force: true }))
    await using pair = await openPair({ store: 'postgres', index: null })
    const env = { ...home.env, ...pair.env }
    const run = (line: string) => runLine(line, { ...home, env, input: LINE, timeoutMs: 120_000 })
    const schema = schemaOf(pair.env)
    assert.equal((await run('telegrep import - && telegrep backup copy')).code, 0)
    assert.equal((await run('telegrep keys create --tier free')).code, 0)

    await onDatabase(schema, (db) => db.script('drop table edits cascade'))
    const partly = await run('telegrep doctor --offline')
    assert.equal(partly.code, 1)
    assert.match(partly.stdout, /bad +integrity +.*tables of the archive are missing[^]*clock/)

    await onDatabase(schema, (db) => db.script(`drop schema ${schema} cascade`))
    const refused = await run('telegrep doctor --offline')
    assert.equal(refused.code, 1)
    assert.match(refused.stdout, /bad +start +.* has no archive any more/)
    const restored = await run('telegrep restore copy --json')
    assert.equal(restored.code, 0, restored.stderr)
    assert.equal((JSON.parse(restored.stdout) as { posts: number }).posts, 1)
    const kept = await run('telegrep keys list --json')
    assert.match(kept.stdout, /"tier":"free"/)
  },
)
