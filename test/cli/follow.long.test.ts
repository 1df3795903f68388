import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { test } from 'node:test'
import { listenBefore } from '../cut-proxy.ts'
import { whyNoEngines } from '../engines.ts'
import { openPair } from '../pairs.ts'
import { until } from '../until.ts'
import { makePost, startService } from '../api/harness.ts'
import { makeHome, runLine } from './telegrep.ts'

test('telegrep follow prints matching posts of a server, for people and as JSON', async (t) => {
  const home = makeHome('telegrep-follow-')
  t.after(() => rmSync(home.cwd, { recursive: true, force: true }))
  await using service = await startService()
  const publish = (number: number, text: string) => {
    const publishedAt = service.clock.now() - 60_000
    return service.publish({ username: 'floods' }, [makePost({ number, publishedAt, text })])
  }
  const line = `telegrep follow river --url ${service.url} --limit 2`
  const json = runLine(`${line} --json`, home)
  const shown = runLine(line, home)
  const everything = runLine(`telegrep follow --url ${service.url} --limit 2 --json`, home)
  await until(() => service.ctx.streams.open === 3)
  await publish(1, 'The river rose')
  await publish(2, 'The bridge is closed')
  await publish(3, 'The river fell')
  const events = (await json).stdout
    .trim()
    .split('\n')
    .map((each) => JSON.parse(each))
  assert.deepEqual(
    events.map(({ event, data }) => [event, data.id ?? data.reason]),
    [
      ['post', 'floods/1'],
      ['post', 'floods/3'],
      ['end', 'limit'],
    ],
  )
  const all = await everything
  assert.match(all.stderr, /waiting for all posts/)
  assert.match(all.stdout, /floods\/1"[^]*floods\/2"/)
  for (const wrong of ['river --limit 0', 'has:elephants']) {
    const refused = await runLine(`telegrep follow ${wrong} --url ${service.url}`, home)
    assert.equal(refused.code, 2)
    assert.doesNotMatch(refused.stderr, /waiting/)
  }
  const { code, stdout, stderr } = await shown
  assert.equal(code, 0)
  assert.ok(stderr.includes(`--since-id ${events.at(-1)!.id} goes on from here`), stderr)
  assert.match(stdout, /The river rose[^]*The river fell/)
})

test('telegrep follow says before it waits that a channel is not indexed', async (t) => {
  const home = makeHome('telegrep-follow-')
  t.after(() => rmSync(home.cwd, { recursive: true, force: true }))
  await using service = await startService()
  const input = JSON.stringify({
    channel: 'floods',
    id: 1,
    date: '2026-01-01T00:00:00Z',
    text: 'The river',
  })
  assert.equal((await runLine('telegrep import -', { ...home, input })).code, 0)
  const env = { ...process.env, ...home.env }
  for (const where of [['--url', service.url], []]) {
    const asked = ['follow', '--channel', 'quay_news', ...where]
    const child = spawn('telegrep', asked, { cwd: home.cwd, env })
    t.after(() => child.kill('SIGKILL'))
    let said = ''
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
    await until(() => said.includes('note: the channel quay_news is not indexed'))
    child.kill('SIGINT')
    await once(child, 'exit')
  }
})

test('telegrep follow reads the event log of the local data', async (t) => {
  const home = makeHome('telegrep-follow-')
  t.after(() => rmSync(home.cwd, { recursive: true, force: true }))
  const date = new Date(Date.now() - 60_000).toISOString()
  const imported = (id: number) => {
    const input = JSON.stringify({ channel: 'floods', id, date, text: 'The river rose' })
    return runLine('telegrep import -', { ...home, input })
  }
  assert.equal((await imported(1)).code, 0)
  const refused = await runLine('telegrep follow river --limit 0', home)
  assert.match(refused.stderr, /^telegrep: --limit: expected an integer from 1/)
  const stop = new AbortController()
  const following = runLine('telegrep follow river --limit 1 --json', {
    ...home,
    stopOn: stop.signal,
  })
  let isDone = false
  void following.then(() => (isDone = true))
  for (let id = 2; !isDone && id < 40; id++) await imported(id)
  stop.abort()
  const { stdout, stderr } = await following
  const [first] = stdout.split('\n').map((each) => each && JSON.parse(each))
  assert.match(first.data.id, /^floods\/\d+$/)
  assert.ok(stderr.includes(`--since-id ${first.id} goes on from here`), stderr)
})

test(
  'telegrep follow reports an outage of the database once and its end once, and misses no post',
  { skip: whyNoEngines() ?? false },
  async (t) => {
    await using pair = await openPair({ store: 'postgres', index: null })
    const url = new URL(pair.env['TELEGREP_DATABASE_URL']!)
    await using proxy = await listenBefore(url.hostname, Number(url.port))
    url.port = String(proxy.port)
    const { cwd, env } = makeHome('telegrep-follow-')
    t.after(() => rmSync(cwd, { recursive: true, force: true }))
    const home = { cwd, env: { ...env, ...pair.env } }
    const date = new Date(Date.now() - 60_000).toISOString()
    const imported = async (id: number) => {
      const input = JSON.stringify({ channel: 'floods', id, date, text: `The river rose ${id} m` })
      assert.equal((await runLine('telegrep import -', { ...home, input })).code, 0)
    }
    await imported(1)
    const child = spawn('telegrep', ['follow', 'river'], {
      cwd,
      env: { ...process.env, ...home.env, TELEGREP_DATABASE_URL: url.href, TELEGREP_LOG: 'info' },
    })
    t.after(() => child.kill('SIGKILL'))
    let [told, notes] = ['', '']
    child.stdout.on('data', (chunk: Buffer) => (told += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (notes += chunk.toString()))
    const ended = once(child, 'exit')
    let last = 1
    while (told === '') await imported(++last)
    proxy.cut()
    await until(() => notes.includes('could not be used'))
    await imported(++last)
    proxy.mend()
    await until(() => told.includes(`rose ${last} m`) && notes.includes('again'))
    child.kill('SIGINT')
    await ended
    const lines = notes.trim().split('\n')
    assert.equal(lines.length, 4, notes)
    assert.match(lines[1]!, /^note: the database could not be used: .*; what is new is told later$/)
    assert.equal(lines[2], 'note: the store can be read again')
  },
)
