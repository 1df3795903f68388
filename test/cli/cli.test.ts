import assert from 'node:assert/strict'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeHome, runLine } from './telegrep.ts'

/** The everyday test, in separate processes; everything else people type is in `cli.long.test.ts`. */
test('a file is imported and searched, and mistakes get an explanation and their exit code', async (t) => {
  const home = makeHome('telegrep-cli-')
  t.after(() => rmSync(home.cwd, { recursive: true, force: true }))
  const post = {
    channel: 'alpha_news',
    id: 1,
    date: new Date(Date.now() - 3_600_000).toISOString(),
    text: 'The river flooded the old town again',
  }
  writeFileSync(join(home.cwd, 'posts.ndjson'), JSON.stringify(post))
  const imported = await runLine('telegrep import posts.ndjson --json', home)
  assert.equal(imported.code, 0, imported.stderr)
  assert.deepEqual(
    [JSON.parse(imported.stdout).added, JSON.parse(imported.stdout).rejected],
    [1, 0],
  )
  const [found, none, slip, watch] = await Promise.all([
    runLine('telegrep search river --json', home),
    runLine('telegrep channel nobody_at_all', home),
    runLine('telegrep serach river', home),
    runLine('telegrep watch remove nothing --json', home),
  ])
  assert.equal(found.code, 0, found.stderr)
  assert.match(found.stdout, /"id":"alpha_news\/1"/)
  assert.equal(none.code, 4, none.stderr)
  assert.equal(slip.code, 2, slip.stderr)
  assert.match(slip.stderr, /search/)
  assert.equal(watch.code, 4, watch.stderr)
  assert.match(JSON.parse(watch.stderr).detail, /^there is no watch nothing; see /)
})

test('an outdated Node is reported in one sentence', async (t) => {
  const home = makeHome('telegrep-cli-old-')
  t.after(() => rmSync(home.cwd, { recursive: true, force: true }))
  const old = `data:text/javascript,Object.defineProperty(process,'version',{value:'v20.1.0'})`
  const env = { ...home.env, NODE_OPTIONS: `--import=${old}` }
  const { code, stderr } = await runLine('telegrep --version', { ...home, env })
  assert.equal(stderr, 'telegrep: expected Node 24 or later, found v20.1.0\n')
  assert.equal(code, 1)
})

test('Ctrl-C does not wait for an engine that does not answer', async (t) => {
  const home = makeHome('telegrep-cli-silent-')
  t.after(() => rmSync(home.cwd, { recursive: true, force: true }))
  const stoppedAtOnce = async (
    line: string,
    env: (port: number) => Record<string, string>,
    expected: number,
  ) => {
    const asked = new AbortController()
    await using silent = createServer((socket) => {
      socket.on('error', () => {}).resume()
      asked.abort()
    }).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const options = { ...home, env: { ...home.env, ...env(port) }, stopOn: asked.signal }
    const { code, stderr } = await runLine(line, options)
    assert.deepEqual([code, stderr], [expected, ''], line)
  }
  const database = (port: number) => ({
    TELEGREP_DATABASE_URL: `postgres://nobody@127.0.0.1:${port}/none`,
    TELEGREP_SECRET: 'sixteen letters or more',
  })
  await stoppedAtOnce('telegrep keys list', database, 130)
  // A service runs until it is stopped, so that has not failed.
  await stoppedAtOnce('telegrep serve --port 0', database, 0)
  await stoppedAtOnce(
    'telegrep index',
    (port) => ({ TELEGREP_SEARCH_URL: `http://127.0.0.1:${port}` }),
    0,
  )
})
