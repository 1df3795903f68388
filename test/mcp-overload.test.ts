import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, test } from 'node:test'
import { LOCAL } from '../src/access/caller.ts'
import { parseTiers } from '../src/access/tiers.ts'
import { createLiveReader, type LiveReader } from '../src/crawl/live.ts'
import { createPoliteness } from '../src/crawl/politeness.ts'
import { silentEvents } from './silent-events.ts'
import { listen } from '../src/http/listen.ts'
import { mountMcp } from '../src/http/mount-mcp.ts'
import { createHttpApp } from '../src/http/server.ts'
import { createAdmission, type Admission } from '../src/http/admission.ts'
import { createMcpHttp } from '../src/mcp/over-http.ts'
import { systemClock, type Clock } from '../src/model/clock.ts'
import { startSimulator } from '../src/simulator/server.ts'
import type { Store } from '../src/store/store.ts'
import { CATALOGUE } from '../src/operations/catalogue.ts'
import { createWebSource } from '../src/telegram/web-source.ts'
import { makePost, startService, type Service } from './api/harness.ts'
import { until } from './until.ts'

interface Served extends AsyncDisposable {
  readonly store: Store
  readonly publish: Service['publish']
  readonly port: number
  readonly admission: Admission
  /** What is left of the caller's burst. */
  burst(): number | undefined
  /** How many were refused. */
  shed(): number
  /** What was reported as a bug. */
  readonly bugs: readonly unknown[]
  /** Calls that were counted, each with its status. */
  readonly counted: readonly string[]
  pass(ms: number): void
}

const TIERS = parseTiers('{"anonymous": {"burst": 30, "daily": 500, "live": 10}}')

/** Room for two threads, and MCP beside the API. */
async function serveMcp(live?: (store: Store, clock: Clock) => LiveReader): Promise<Served> {
  await using stack = new AsyncDisposableStack()
  const { ctx, clock, pass, publish } = stack.use(
    await startService({ tiers: TIERS, ...(live ? { live } : {}) }),
  )
  let shed = 0
  const admission = createAdmission({ other: 16, elsewhere: 2 }, ctx, () => void shed++)
  const bugs: unknown[] = []
  const toolFailed = (error: unknown) => void bugs.push(error)
  const counted: string[] = []
  const requestServed = ({ operation = '', status = 0 }) =>
    void counted.push(`${operation} ${status}`)
  const events = { toolFailed, requestServed, requestRefused() {} }
  const mcp = await createMcpHttp(ctx, events, admission.enter)
  stack.defer(() => mcp.close())
  const app = createHttpApp({
    ctx,
    events: silentEvents,
    trustProxy: 0,
    whyNotReady: () => Promise.resolve(null),
    mcp: mountMcp(ctx, async () => mcp),
  })
  const { publicUrl } = ctx.settings
  const { port } = stack.use(
    await listen(app, { host: '127.0.0.1', port: 0, publicUrl, clock, admission }),
  )
  const owned = stack.move()
  return {
    store: ctx.store,
    publish,
    port,
    admission,
    burst: () => ctx.access.known(ctx.access.anonymous(LOCAL))[0]?.remaining,
    shed: () => shed,
    bugs,
    counted,
    pass,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

function callTool(served: Served, name: string, input: object): Promise<string> {
  return ask(served, 'tools/call', { name, arguments: input })
}

async function ask(
  { port }: Served,
  method: string,
  params: object = {},
  signal?: AbortSignal,
): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/mcp`, {
    method: 'POST',
    signal: signal ?? null,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-06-18',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return response.text()
}

describe('MCP under load', () => {
  test('incomplete bodies take no slot and time out after five seconds', async () => {
    await using served = await serveMcp()
    const replies: string[] = []
    const sockets: Socket[] = []
    for (let i = 0; i < 40; i++) {
      const socket = connect(served.port, '127.0.0.1')
      socket.on('error', () => {})
      socket.on('data', (data) => replies.push(String(data)))
      socket.write(
        'POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n' +
          'Accept: application/json, text/event-stream\r\nContent-Length: 100\r\n\r\n{',
      )
      sockets.push(socket)
    }
    try {
      await Promise.all(sockets.map((socket) => once(socket, 'connect')))
      for (let i = 0; i < 5; i++) {
        const { status } = await fetch(`http://127.0.0.1:${served.port}/v1/meta`)
        assert.equal(status, 200)
      }
      assert.equal(served.admission.atWork, 0)
      served.pass(5_000)
      await until(() => replies.length === 40)
      for (const reply of replies) assert.match(reply, /^HTTP\/1.1 400 .*whole body in 5 s/s)
      await until(() => sockets.every(({ readableEnded }) => readableEnded))
    } finally {
      for (const socket of sockets) socket.destroy()
    }
  })

  test('a call holds a place until it is answered, and calls that find none are refused as overloaded', async () => {
    const answered = Promise.withResolvers<void>()
    let started = 0
    const live: LiveReader = {
      cached: () => undefined,
      async read() {
        started++
        await answered.promise
        return { kind: 'nobody' }
      },
    }
    await using served = await serveMcp(() => live)
    const asked = ['one', 'two', 'three'].map((name) =>
      callTool(served, 'get_live_channel', { username: `channel_${name}` }),
    )
    const refused: string[] = []
    for (const answer of asked) void answer.then((early) => refused.push(early))
    await until(() => started === 2)
    assert.equal(served.admission.atWork, 2)
    const overHttp = fetch(`http://127.0.0.1:${served.port}/v1/channels/channel_four/live`)
    served.pass(2_000)
    await until(() => refused.length === 1)
    assert.match(refused[0]!, /overloaded: the service is busy.*Try again in 1 s/)
    assert.match(await callTool(served, 'list_languages', {}), /"structuredContent":\{"data":/)
    served.pass(2_000)
    assert.equal((await overHttp).status, 503)
    assert.equal(served.shed(), 2)
    answered.resolve()
    const texts = await Promise.all(asked)
    assert.equal(
      texts.filter((text) => text.includes('"code":"channel_not_found"')).length,
      started,
    )
    assert.equal(served.admission.atWork, 0)
    // A refused call is counted only as refused.
    const live404s = Array<string>(started).fill('mcp_get_live_channel 404')
    assert.deepEqual(served.counted, ['mcp_list_languages 200', ...live404s])
  })

  test('a call that hangs ends at its deadline with an error', async () => {
    const world = { seed: 5, channels: 1, startAt: systemClock.now(), days: 1 }
    await using platform = await startSimulator({ world })
    platform.setFaults([{ kind: 'stall', stallMs: 600_000 }])
    // A reader that waits for the platform as long as it is allowed to.
    await using served = await serveMcp((store, clock) =>
      createLiveReader({
        source: createWebSource({
          origin: platform.url,
          clock,
          userAgent: 'tests',
          permit: () => Promise.resolve(),
          timeouts: { totalMs: 600_000, headersMs: 600_000 },
        }),
        store,
        politeness: createPoliteness({ budget: store.budget, ratePerS: 1000, clock }),
        clock,
        isClockWrong: () => false,
        autoIndex: 'off',
        deadlineMs: 600_000,
      }),
    )
    const hanging = callTool(served, 'get_live_channel', { username: 'channel_one' })
    await until(() => platform.log.total > 0)
    served.pass(15_000)
    // Deadlines are checked twice a second.
    assert.equal(await Promise.race([hanging, systemClock.sleep(600)]), undefined)
    served.pass(15_000)
    const text = await hanging
    assert.match(text, /"isError":true/)
    assert.match(
      text,
      /unavailable: the answer took longer than the service allows\\nTry again in 1 s/,
    )
    assert.equal(served.admission.atWork, 0)
    assert.equal(platform.log.total, 1)
    assert.deepEqual(served.bugs, [])
  })

  test('a call whose reply cannot be made short enough costs nothing of daily', async () => {
    await using served = await serveMcp()
    const { archive } = served.store
    const publishedAt = systemClock.now() - 60_000
    const text = 'Ice on the quayside, again. '.repeat(140)
    const posts = Array.from({ length: 10 }, (_, i) =>
      makePost({ number: i + 1, publishedAt, text }),
    )
    await served.publish({ username: 'channel_one' }, posts)
    const list = () =>
      callTool(served, 'list_channel_posts', { username: 'channel_one', detail: 'full' })
    assert.match(await list(), /"code":"reply_shortened"/)
    assert.equal((await left(served))['daily'], 499)
    const { listPosts } = archive
    let read = 0
    archive.listPosts = (asked) =>
      read++ === 0 ? listPosts(asked) : Promise.reject(new Error('disk I/O error'))
    assert.match(await list(), /internal: something went wrong on our side/)
    assert.match(String(served.bugs), /disk I\/O error/)
    assert.equal((await left(served))['daily'], 499)
  })

  test('a client that disconnects aborts its call, which is not reported as a bug', async () => {
    let started = 0
    await using served = await serveMcp(() => ({
      cached: () => undefined,
      read: ({ signal }) =>
        new Promise((_, reject) => {
          started++
          signal.addEventListener('abort', () => reject(signal.reason as Error))
        }),
    }))
    const leaving = new AbortController()
    const params = { name: 'get_live_channel', arguments: { username: 'channel_one' } }
    const asked = ask(served, 'tools/call', params, leaving.signal)
    await until(() => started === 1)
    leaving.abort()
    await assert.rejects(asked, { name: 'AbortError' })
    await until(() => served.admission.atWork === 0)
    assert.deepEqual(served.bugs, [])
  })

  test('every message needs a free place, and one that is refused costs no quota', async () => {
    await using served = await serveMcp()
    const leaves = Array.from({ length: 16 }, () => served.admission.enter('other'))
    const room = await Promise.all(leaves)
    const asked = callTool(served, 'list_languages', {})
    const others = ['ping', 'tools/list', 'initialize', 'resources/list'].map((method) =>
      post(served, { jsonrpc: '2.0', id: 1, method }),
    )
    // All five have been charged and wait for a place.
    await until(() => served.burst() === 25)
    served.pass(2_000)
    assert.match(await asked, /overloaded: the service is busy/)
    for (const { status, headers, text } of await Promise.all(others)) {
      assert.equal(status, 503, text)
      assert.match(text, /"code":"overloaded"/)
      assert.ok(headers.get('ratelimit'))
    }
    for (const leave of room) leave()
    assert.deepEqual(await left(served), { burst: 30 })
    assert.match(await ask(served, 'tools/list'), /"name":"search_posts"/)
    assert.equal(served.admission.atWork, 0)
  })
})

describe('the quota cost of MCP', () => {
  test('a message costs 1 of burst, and a call also what its operation costs of daily', async () => {
    await using served = await serveMcp()
    await ask(served, 'ping')
    await ask(served, 'tools/list')
    await ask(served, 'no/such/method')
    await post(served, { jsonrpc: '2.0', method: 'notifications/initialized' })
    assert.deepEqual(await left(served), { burst: 26 })
    await callTool(served, 'list_languages', {})
    assert.deepEqual(await left(served), { burst: 25, daily: 499 })
    await callTool(served, 'get_meta', {})
    await callTool(served, 'no_such_tool', {})
    await post(served, [list(1), list(2), list(3)])
    assert.deepEqual(await left(served), { burst: 20, daily: 499 })
  })

  test('a batch has at most ten messages', async () => {
    await using served = await serveMcp()
    const ten = await post(
      served,
      Array.from({ length: 10 }, (_, id) => list(id)),
    )
    assert.equal(ten.status, 200)
    const replies = JSON.parse(ten.text) as { id: number; result: { tools: object[] } }[]
    assert.deepEqual(
      replies.map(({ id }) => id),
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    )
    for (const { result } of replies) assert.equal(result.tools.length, CATALOGUE.length + 2)
    const mixed = await post(served, [list(1), { jsonrpc: '2.0', id: 2, method: 'ping' }])
    assert.match(mixed.text, /"name":"search_posts".*"result":\{\}/s)
    const { status, text } = await post(
      served,
      Array.from({ length: 11 }, (_, id) => list(id)),
    )
    assert.equal(status, 400)
    assert.match(
      text,
      /"error":\{"code":-32600,"message":"a batch holds at most 10 messages, found 11"/,
    )
    assert.deepEqual(await left(served), { burst: 17 })
  })

  test('without quota left, a call gets a tool error and any other message gets 429', async () => {
    await using served = await serveMcp()
    for (let i = 0; i < 3; i++)
      await post(
        served,
        Array.from({ length: 10 }, (_, id) => list(id)),
      )
    for (const body of [list(1), [list(1), list(2)], { jsonrpc: '2.0', id: 1, method: 'ping' }]) {
      const { status, headers, text } = await post(served, body)
      assert.equal(status, 429, text)
      assert.match(text, /"code":"quota_exceeded"/)
      assert.ok(Number(headers.get('retry-after')) > 0)
    }
    const told = JSON.parse(await callTool(served, 'list_languages', {})) as {
      result: { isError: boolean; content: { text: string }[] }
    }
    assert.equal(told.result.isError, true)
    assert.match(told.result.content[0]!.text, /^quota_exceeded: .*\nTry again in \d+ s/s)
  })

  test('a batch that exceeds the remaining quota is refused as a whole and costs nothing', async () => {
    await using served = await serveMcp()
    for (let i = 0; i < 25; i++) await ask(served, 'ping')
    const { status } = await post(
      served,
      Array.from({ length: 10 }, (_, id) => list(id)),
    )
    assert.equal(status, 429)
    assert.deepEqual(await left(served), { burst: 5 })
  })
})

/** What is left of the caller's policies. */
async function left(served: Served) {
  const { headers } = await fetch(`http://127.0.0.1:${served.port}/v1/meta`)
  return Object.fromEntries(
    [...headers.get('ratelimit')!.matchAll(/"(\w+)";r=(\d+)/g)].map(([, name, r]) => [
      name,
      Number(r),
    ]),
  )
}

function list(id: number) {
  return { jsonrpc: '2.0', id, method: 'tools/list' }
}

async function post({ port }: Served, body: object) {
  const reply = await fetch(`http://127.0.0.1:${port}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(body),
  })
  return { status: reply.status, headers: reply.headers, text: await reply.text() }
}
