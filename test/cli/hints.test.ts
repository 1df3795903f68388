import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import {
  addChannel,
  ended,
  sampleReading,
  samplePost,
  take,
} from '../../src/store/contract/samples.ts'
import { openStore } from '../../src/store/open-store.ts'
import { runCli } from '../../src/cli/cli.ts'

describe('hints of the command line', () => {
  let folder: string
  before(() => void (folder = mkdtempSync(join(tmpdir(), 'telegrep-hints-'))))
  after(() => rmSync(folder, { recursive: true, force: true }))

  /** Both streams together. */
  async function run(line: string, data = 'data') {
    let written = ''
    const stream = { isTTY: false, write: (text: string) => ((written += text), true) }
    const env = { TELEGREP_DATA: join(folder, data), NO_COLOR: '1' }
    const streams = { stdout: stream, stderr: stream } as never
    const code = await runCli(line.split(' '), env, new AbortController().signal, streams)
    return { code, written }
  }

  test('where there is no data, those commands that can ask a server say so', async () => {
    assert.match(
      (await run('search x', 'none')).written,
      /with --data, a running server with --url, or/,
    )
    assert.match((await run('status', 'none')).written, /with --data, or begin/)
  })

  test('a backfill cannot end in the future', async () => {
    await run('add alpha_news', 'real')
    const { code, written } = await run('backfill alpha_news --until 2999-01-01', 'real')
    assert.match(written, /expected --until in the past; found 2999-01-01/)
    assert.equal(code, 2)
  })

  test('a service of which no part is left is refused', async () => {
    const { code, written } = await run('serve --no-crawl --no-api', 'none')
    assert.match(written, /nothing would be left to run/)
    assert.equal(code, 2)
  })

  test('nobody is told to add channels to a server', async (t) => {
    const reply = { data: [], meta: { next_cursor: null }, warnings: [] }
    const server = createServer((_, response) => response.end(JSON.stringify(reply)))
    t.after(() => server.close())
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    const { written } = await run(`channels zebra --url http://127.0.0.1:${port}`)
    assert.equal(written, 'No channel is indexed that matches.\n')
  })

  test('what answers at an address, but is not Telegrep, is no missing post', async (t) => {
    let body = ''
    const server = createServer((_, response) => response.writeHead(404).end(body))
    t.after(() => server.close())
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
    for (const [line, said] of [
      ['post durov/1', 'no such page'],
      ['post durov/1', '{"detail":"Not Found"}'],
      ['post durov/1', '{"code":404,"message":"Not Found"}'],
      ['post durov/1', 'null'],
      ['follow x', 'no such page'],
    ] as const) {
      body = said
      const { code, written } = await run(`${line} --url http://${host}`)
      assert.equal(written, 'telegrep: the service answered 404, but not as Telegrep does\n')
      assert.equal(code, 1)
    }
    const { written } = await run(`post durov/1 --json --url http://${host}`)
    assert.equal(JSON.parse(written).code, 'failed')
    const secure = `https://${host} does not answer: nothing speaks https there, perhaps http`
    assert.equal((await run(`search x --url https://${host}`)).written, `telegrep: ${secure}\n`)
  })

  test('a server that takes a request and never answers is given up after a minute', async (t) => {
    const server = createServer(() => {})
    t.after(() => server.close())
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    const late = AbortSignal.abort(new DOMException('', 'TimeoutError'))
    const timeout = t.mock.method(AbortSignal, 'timeout', () => late)
    const url = `http://127.0.0.1:${port}`
    for (const format of ['', ' --format md']) {
      assert.deepEqual(await run(`search zebra${format} --url ${url}`), {
        code: 1,
        written: `telegrep: ${url} does not answer within 60 s\n`,
      })
    }
    assert.deepEqual(timeout.mock.calls[0]?.arguments, [60_000])
  })

  test('nothing found is no line of NDJSON', async (t) => {
    const server = createServer((_, response) => response.end(''))
    t.after(() => server.close())
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    const found = await run(`search zebra --format ndjson --url http://127.0.0.1:${port}`)
    assert.deepEqual(found, { code: 0, written: '' })
  })

  test('add says that a post is no channel, and that an input was empty', async () => {
    const post = 'not the name of a channel: that is a post; the channel is durov'
    assert.equal((await run('add @durov/3')).written, `@durov/3  ${post}\n`)
    assert.equal((await run('add ./durov.txt')).written, './durov.txt  there is no such file\n')
    writeFileSync(join(folder, 'empty.txt'), '# nobody yet\n')
    const empty = await run(`add ${join(folder, 'empty.txt')}`)
    assert.deepEqual(empty, { code: 0, written: 'There was no name in the input.\n' })
  })

  test('add says with which command a channel leaves the opt-out register', async () => {
    const data = join(folder, 'left')
    await run(`add some_news --data ${data}`)
    await run(`remove some_news --reason asked --data ${data}`)
    assert.match(
      (await run(`add some_news --data ${data}`)).written,
      /^some_news {2}in the opt-out register; .* remove some_news --undo --data \S+\/left lifts it$/m,
    )
  })

  test('status says in words why channels fail, and counts a single change as one', async () => {
    {
      const retention = { deleted: 'redact', versions: 'keep' } as const
      await using store = await openStore({
        kind: 'sqlite',
        folder: join(folder, 'read'),
        retention,
      })
      const { id } = await addChannel(store, 'some_news')
      const [visit] = await take(store)
      const schedule = { ...visit!.schedule, fails: 1, lastFailure: 'nobody' }
      await store.frontier.settle(visit!.lease, ended(visit!, { schedule }))
      await run('reindex', 'read')
      await store.archive.record(sampleReading(id, { posts: [samplePost(1)] }))
      const seen = { name: 'other_news', sourceId: id, how: 'forward', at: Date.now() } as const
      await store.frontier.addSightings([seen])
    }
    const { written } = await run('status', 'read')
    assert.match(written, /^failing +nobody has the name \(1\)$/m)
    assert.match(written, /^index +1 change waiting, oldest /m)
    assert.match(written, /^candidates +1 channel named in posts, not indexed$/m)
  })
})
