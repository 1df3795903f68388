import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { ApiError, followSearch, type FollowOptions } from './client.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** What a follower receives from a server that answers like this: until its first break, or to the end if it has none. */
async function follow(
  answer: Answer,
  input: object = {},
  breaks = 1,
  on: Pick<FollowOptions, 'onWarnings'> = {},
) {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const stop = new AbortController()
  const told: string[] = []
  const waits: { readonly why: string; readonly waitS: number }[] = []
  const options = {
    ...on,
    url,
    signal: stop.signal,
    onBreak(why: string, waitMs: number) {
      waits.push({ why, waitS: waitMs / 1000 })
      if (waits.length === breaks) stop.abort()
    },
  }
  let refused: unknown
  try {
    for await (const { event, id } of followSearch({ q: 'flood', ...input }, options))
      told.push(`${event} ${id}`)
  } catch (error) {
    refused = error
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { url, told, waits, refused }
}

/** How many seconds a follower waits when a proxy answers 503 with this header. */
async function waitAfter(retryAfter: string): Promise<number | undefined> {
  const { waits } = await follow((_request, response) => {
    response.writeHead(503, { 'retry-after': retryAfter }).end('later')
  })
  return waits[0]?.waitS
}

const events = (...lines: readonly string[]) =>
  lines.map((line) => {
    const [event, id] = line.split(' ')
    return `id: a-${id}\nevent: ${event}\ndata: {}\n\n`
  })

test('a follower obeys Retry-After, for at least a second and at most a minute', async () => {
  assert.equal(await waitAfter('7'), 7)
  assert.equal(await waitAfter('0'), 1)
  assert.equal(await waitAfter('9999'), 60)
  assert.equal(await waitAfter('Wed, 21 Oct 2015 07:28:00 GMT'), 1)
  assert.equal(await waitAfter('Fri, 31 Dec 2100 23:59:59 GMT'), 60)
  assert.equal(await waitAfter('soon'), 1)
})

test('a follower retries after a 502, and gives up after a 401', async () => {
  const restarting = await follow((_request, response) => response.writeHead(502).end('<html>'))
  assert.deepEqual(restarting.waits, [{ why: 'the service answered 502', waitS: 1 }])
  assert.equal(restarting.refused, undefined)
  const refused = await follow((_request, response) => response.writeHead(401).end('{}'))
  assert.ok(refused.refused instanceof ApiError)
  assert.deepEqual(refused.waits, [])
})

test('a follower reports which server does not answer, and why', async () => {
  const cut = await follow((request) => request.socket.destroy())
  assert.match(
    cut.waits[0]!.why,
    new RegExp(`^${cut.url} does not answer: .*(closed|reset|hang up)`),
  )
  const page = await follow((_request, response) => response.end('<html>Sign in first</html>'))
  assert.equal(page.waits[0]!.why, `${page.url} answers, but not as Telegrep does`)
})

test('a follower yields as many posts as asked for, however often the connection breaks', async () => {
  const asked: (string | null)[] = []
  const { told } = await follow(
    (request, response) => {
      asked.push(new URL(request.url!, 'http://x').searchParams.get('limit'))
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      if (asked.length === 1) response.end(events('begin 1', 'post 2', 'edit 3', 'post 4').join(''))
      else response.end(events('begin 4', 'post 5').join(''))
    },
    { limit: 3 },
    3,
  )
  assert.deepEqual(asked, ['3', '1'])
  assert.deepEqual(told, ['post a-2', 'edit a-3', 'post a-4', 'post a-5'])
})

test('a follower tells what a reader should know before waiting', async () => {
  const warning = { code: 'channel_not_indexed', parameter: 'channel', detail: 'not indexed' }
  const told: unknown[] = []
  await follow(
    (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(`id: a-1\nevent: begin\ndata: ${JSON.stringify({ warnings: [warning] })}\n\n`)
    },
    {},
    1,
    { onWarnings: (warnings) => told.push(...warnings) },
  )
  assert.deepEqual(told, [warning])
})

test('a follower needs no async-iterable body, and cancels it when the loop is left', async () => {
  let isLeft = false
  const body = new ReadableStream<Uint8Array>({
    start(stream) {
      for (const each of events('begin 1', 'post 2', 'post 3'))
        stream.enqueue(new TextEncoder().encode(each))
    },
    cancel() {
      isLeft = true
    },
  })
  Object.defineProperty(body, Symbol.asyncIterator, { value: undefined })
  const options = {
    url: 'http://127.0.0.1:1',
    fetch: async () => {
      const answer = new Response(null, { headers: { 'content-type': 'text/event-stream' } })
      return Object.defineProperty(answer, 'body', { value: body })
    },
    onBreak(why: string) {
      throw new Error(why)
    },
  }
  for await (const { event, id } of followSearch({ q: 'flood' }, options)) {
    assert.equal(`${event} ${id}`, 'post a-2')
    break
  }
  assert.ok(isLeft)
})

test('a follower sends the parameters of its search, which are typed', async () => {
  type Search = Parameters<typeof followSearch>[0]
  const search: Search = { q: 'flood', lang: ['en', 'ru'], min_views: 5, limit: 1 }
  const asked: (string | undefined)[] = []
  await follow((request, response) => {
    asked.push(request.url)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(events('begin 1', 'post 2').join(''))
  }, search)
  assert.deepEqual(asked, ['/v1/stream?q=flood&lang=en&lang=ru&min_views=5&limit=1'])
  // @ts-expect-error -- a stream has no order
  assert.ok({ q: 'flood', sort: 'newest' } satisfies Search)
})
