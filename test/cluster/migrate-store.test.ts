import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeHome, runLine } from '../cli/telegrep.ts'
import { whyNoEngines } from '../engines.ts'
import { openPair } from '../pairs.ts'

const LINES = [1, 2, 3]
  .map((id) => ({ channel: 'durov', id, date: '2026-01-01T00:00:00Z', text: `a quince ${id}` }))
  .map((post) => JSON.stringify(post))
  .join('\n')

test(
  'migrate-store moves an archive to PostgreSQL and back',
  { skip: whyNoEngines() ?? false },
  async (t) => {
    const home = makeHome('telegrep-migrate-')
    t.after(() => rmSync(home.cwd, { recursive: true, force: true }))
    await using pair = await openPair({ store: 'postgres', index: null })
    const url = pair.env['TELEGREP_DATABASE_URL']!
    const run = (line: string) => runLine(line, { ...home, input: LINES })
    const data = home.env!['TELEGREP_DATA']!
    assert.equal((await run('telegrep import - --json')).code, 0)
    const key = JSON.parse((await run('telegrep keys create --tier free --json')).stdout) as object
    const exported = (await run('telegrep export')).stdout
    assert.equal(exported.trim().split('\n').length, 3)

    const there = await run(`telegrep migrate-store --from '${data}' --to '${url}' --json`)
    const counts = { channels: 1, posts: 3, keys: 1, removals: 0, watches: 0, pictures: 0 }
    const expected = { ...counts, problems: [] }
    assert.deepEqual(JSON.parse(there.stdout), expected, there.stderr)
    const back = join(home.cwd, 'back')
    const returned = await run(`telegrep migrate-store --from '${url}' --to '${back}' --json`)
    assert.deepEqual(JSON.parse(returned.stdout), expected, returned.stderr)
    // Languages are derived again.
    assert.equal((await run(`telegrep reindex --data '${back}'`)).code, 0)
    assert.equal((await run(`telegrep export --data '${back}'`)).stdout, exported)
    const listed = (await run(`telegrep keys list --json --data '${back}'`)).stdout
    assert.ok(listed.includes((key as { prefix: string }).prefix), listed)

    const wrong = await run(`telegrep migrate-store --from '${data}' --to 'mysql://me:hush@db/x'`)
    assert.equal(wrong.code, 2)
    assert.match(wrong.stderr, /--to is no address such as postgres:/)
    assert.doesNotMatch(wrong.stderr, /hush/)
  },
)
