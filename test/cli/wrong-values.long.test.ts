import assert from 'node:assert/strict'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { test } from 'node:test'
import { makeHome, runLine } from './telegrep.ts'

test('a value that cannot be is named with its flag, and with what is expected', async (t) => {
  const home = makeHome('telegrep-cli-')
  t.after(() => rmSync(home.cwd, { recursive: true, force: true }))
  const nameless = await runLine("telegrep channel '' --url http://127.0.0.1:2", home)
  assert.match(nameless.stderr, /^telegrep: expected `username`.* found ""/)
  assert.equal(nameless.code, 2)
  const unkept = await runLine('telegrep demo --port 0 --data demo', home)
  assert.match(unkept.stderr, /^telegrep: expected no --data: the demo makes a folder of its own/)
  assert.equal(unkept.code, 2)
  const elsewhere = await runLine('telegrep serve --no-crawl --host 192.0.2.1 --port 0', home)
  assert.match(elsewhere.stderr, /--host 192\.0\.2\.1 is not an address of this machine/)
  const same = await runLine('telegrep serve --no-crawl --port 8081 --admin-port 8081', home)
  assert.match(same.stderr, /--admin-port is 8081, as TELEGREP_PORT is/)
  assert.equal(same.code, 2)
  const taken = createServer().listen(0, '127.0.0.1')
  t.after(() => taken.close())
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  const indexing = await runLine(`telegrep index --port ${port} --admin-port ${port}`, home)
  assert.match(indexing.stderr, /in use .* with TELEGREP_ADMIN_PORT or --admin-port/)
})
