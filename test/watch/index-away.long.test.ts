import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { test } from 'node:test'
import { makeHome, runLine } from '../cli/telegrep.ts'

test('`watch test` sends a test message while the search servers are down', async (t) => {
  const home = makeHome('telegrep-index-away-')
  t.after(() => rmSync(home.cwd, { recursive: true, force: true }))
  const env = { ...home.env, TELEGREP_SEARCH_URL: 'http://127.0.0.1:1' }
  const add = "telegrep watch add --everything --name all --command 'tee told.json'"
  const line = JSON.stringify({ channel: 'durov', id: 1, date: '2026-01-01T00:00:00Z', text: 'a' })
  const ran = await runLine(`telegrep import - && ${add} && telegrep watch test all`, {
    ...home,
    env,
    input: line,
  })
  assert.match(ran.stdout, /^command +sent/m)
  assert.match(
    ran.stderr,
    /^What it would have found .* cannot be told: the index cannot be reached/m,
  )
  assert.equal(ran.code, 0)
})
