import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { after, test } from 'node:test'
import { startDeafServer } from '../../../test/deaf-server.ts'
import { expectOk, IndexUnavailableError, openClient } from './client.ts'

const servers: { close(): void }[] = []
after(() => servers.forEach((server) => server.close()))

/** A minimal node on a real socket. */
async function node(handle: (request: IncomingMessage, response: ServerResponse) => void) {
  let asked = 0
  const sockets = new Set<Socket>()
  const server = createServer((request, response) => {
    asked++
    handle(request, response)
  })
  server.on('connection', (socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  servers.push({
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  })
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get asked() {
      return asked
    },
  }
}

const says = (status: number) => (_: IncomingMessage, response: ServerResponse) => {
  response.writeHead(status, { 'content-type': 'application/json' }).end('{"ok":true}')
}
const hangs = () => {}
const cuts = (request: IncomingMessage) => void request.socket.destroy()
const get = { method: 'GET', path: '/' } as const

for (const [name, handle] of Object.entries({
  cuts,
  'says 503': says(503),
  'says 429': says(429),
})) {
  test(`a node that ${name} is skipped for another one`, async () => {
    const [bad, good] = [await node(handle), await node(says(200))]
    await using client = await openClient({ nodes: [bad.origin, good.origin] })
    for (let i = 0; i < 4; i++) assert.deepEqual(await client.request(get), OK)
    assert.equal(good.asked, 4)
    assert.ok(bad.asked > 0)
  })

  test(`a single node that ${name} is tried a few times and reported as unavailable`, async () => {
    const bad = await node(handle)
    await using client = await openClient({ nodes: [bad.origin] })
    await assert.rejects(client.request(get), (error: unknown) => {
      assert.ok(error instanceof IndexUnavailableError)
      assert.deepEqual([error.code, error.retryAfterS], ['unavailable', 5])
      return true
    })
    assert.equal(bad.asked, name === 'cuts' ? 2 : 4)
  })
}

test('a node that is busy for a moment is waited for', async () => {
  let times = 0
  const busy = await node((request, response) => says(times++ < 3 ? 429 : 200)(request, response))
  await using client = await openClient({ nodes: [busy.origin] })
  assert.deepEqual(await client.request(get), OK)
  assert.equal(busy.asked, 4)
})

const OK = { status: 200, body: { ok: true } }

test('a node that hangs costs half of the deadline, and another answers in the other half', async () => {
  const [slow, good] = [await node(hangs), await node(says(200))]
  await using client = await openClient({ nodes: [good.origin, slow.origin] })
  const begun = performance.now()
  assert.deepEqual(await client.request({ ...get, deadline: begun + 1_000 }), OK)
  assert.ok(performance.now() - begun >= 500)
  assert.deepEqual([slow.asked, good.asked], [1, 1])
  for (let i = 0; i < 6; i++) assert.deepEqual(await client.request(get), OK)
  assert.deepEqual([slow.asked, good.asked], [1, 7], 'then the other is asked first')
})

test('a request fails at its deadline if all nodes hang', async () => {
  const [one, two] = [await node(hangs), await node(hangs)]
  await using client = await openClient({ nodes: [one.origin, two.origin] })
  const failed: string[] = []
  const fail = (name: string, limits: { deadline?: number; once?: true }) =>
    assert
      .rejects(client.request({ ...get, ...limits }), /in time/)
      .then(() => void failed.push(name))
  const begun = performance.now()
  await Promise.all([
    fail('by default', {}),
    fail('asked once', { once: true, deadline: begun + 400 }),
    fail('early', { deadline: begun + 200 }),
  ])
  assert.deepEqual(failed, ['early', 'asked once', 'by default'])
})

test('hundreds of requests at once wait for connections, and none is refused', async () => {
  const slow = await node((request, response) => {
    setTimeout(() => says(200)(request, response), 10)
  })
  await using client = await openClient({ nodes: [slow.origin], deadlineMs: 60_000 })
  const answers = await Promise.all(Array.from({ length: 400 }, () => client.request(get)))
  assert.deepEqual([answers.filter(({ status }) => status === 200).length, slow.asked], [400, 400])
})

test('a single node is asked again however often it failed', async () => {
  let isBack = false
  const single = await node((request, response) => {
    if (isBack) says(200)(request, response)
    else cuts(request)
  })
  await using client = await openClient({ nodes: [single.origin] })
  for (let i = 0; i < 10; i++) await assert.rejects(client.request(get), IndexUnavailableError)
  isBack = true
  assert.deepEqual(await client.request(get), OK)
})

test('an error response about the request is an answer, not a failure of the node', async () => {
  const strict = await node(says(404))
  await using client = await openClient({ nodes: [strict.origin] })
  for (let i = 0; i < 8; i++) assert.equal((await client.request(get)).status, 404)
  assert.equal(strict.asked, 8)
})

test('a request that must not be repeated is sent once', async () => {
  const [bad, good] = [await node(cuts), await node(says(200))]
  await using client = await openClient({ nodes: [good.origin, bad.origin] })
  await assert.rejects(client.request({ ...get, once: true }), IndexUnavailableError)
  assert.equal(good.asked, 0)
})

test('an aborted request rejects with the reason', async () => {
  let given: AbortController
  const slow = await node(() => given.abort(new Error('enough')))
  await using client = await openClient({ nodes: [slow.origin] })
  for (let i = 0; i < 6; i++) {
    given = new AbortController()
    await assert.rejects(client.request({ ...get, signal: given.signal }), /enough/)
  }
  assert.equal(slow.asked, 6)
})

test('credentials are sent with every request, and a body as JSON or NDJSON', async () => {
  const met: (string | undefined)[] = []
  const open = await node((request, response) => {
    met.push(request.headers.authorization, request.headers['content-type'])
    says(200)(request, response)
  })
  const auth = { user: 'reader', password: 'sesame' }
  await using client = await openClient({ nodes: [open.origin], auth })
  await client.request({ method: 'POST', path: '/', body: {} })
  await client.request({ method: 'POST', path: '/', body: '{}\n' })
  const basic = `Basic ${btoa('reader:sesame')}`
  assert.deepEqual(met, [basic, 'application/json', basic, 'application/x-ndjson'])
})

test('the reason why a node refuses is reported, such as a full disk', async () => {
  const reason =
    'index [a] blocked by: [TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark]'
  const full = await node((_, response) => {
    response
      .writeHead(429, { 'content-type': 'application/json' })
      .end(JSON.stringify({ error: { type: 'cluster_block_exception', reason } }))
  })
  await using client = await openClient({ nodes: [full.origin] })
  await assert.rejects(client.request(get), /answers 429: cluster_block_exception: .*flood-stage/)
})

test('a node without TLS that is asked for it is reported in words', async () => {
  const plain = await node(says(200))
  await using client = await openClient({ nodes: [plain.origin.replace('http', 'https')] })
  const why =
    /: what answers there does not speak TLS: is it http\? \(ERR_SSL_WRONG_VERSION_NUMBER\)$/
  await assert.rejects(client.request(get), why)
})

test('a user whose password or rights were changed makes the index unavailable', () => {
  const error = { type: 'security_exception', reason: 'no permissions' }
  for (const [answer, why] of [
    [{ status: 401, body: 'Unauthorized' }, /OpenSearch refuses the user or the password$/],
    [{ status: 403, body: { error } }, /does not let the user do this: security_exception: no p/],
  ] as const) {
    assert.throws(
      () => expectOk(answer),
      (thrown: Error) => thrown instanceof IndexUnavailableError && why.test(thrown.message),
    )
  }
})

test('an index closed or blocked by an operator counts as unavailable', () => {
  for (const [status, type] of [
    [400, 'index_closed_exception'],
    [403, 'cluster_block_exception'],
    [403, 'index_create_block_exception'],
  ] as const) {
    const answer = { status, body: { error: { type, reason: 'by hand' } } }
    assert.throws(() => expectOk(answer), IndexUnavailableError)
  }
})

test('a request does not wait for a connection that another one is still waiting for', async () => {
  await using server = await startDeafServer()
  await using client = await openClient({ nodes: [server.origin], deadlineMs: 500 })
  const requests = Array.from({ length: 5 }, () => client.request(get))
  await assert.rejects(Promise.race(requests), IndexUnavailableError)
  assert.ok(server.connections >= 5)
  await Promise.allSettled(requests)
})
