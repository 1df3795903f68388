import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { ApiError, followSearch } from './client.ts'

/** What one who follows does when a proxy answers 503 with this header: waits, in seconds, or gives up. */
async function waitAfter(retryAfter: string): Promise<number | 'refused'> {
  const server = createServer((_request, response) => {
    response.writeHead(503, { 'retry-after': retryAfter }).end('later')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const stop = new AbortController()
  let waitS: number | 'refused' = 'refused'
  const options = {
    url: `http://127.0.0.1:${port}`,
    signal: stop.signal,
    onBreak(_why: string, waitMs: number) {
      waitS = waitMs / 1000
      stop.abort()
    },
  }
  try {
    for await (const _ of followSearch({ q: 'flood' }, options)) assert.fail('nothing was told')
  } catch (error) {
    assert.ok(error instanceof ApiError)
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return waitS
}

test('one who follows waits as long as a proxy asks, a second at least and a minute at most', async () => {
  assert.equal(await waitAfter('7'), 7)
  assert.equal(await waitAfter('0'), 1)
  assert.equal(await waitAfter('9999'), 60)
  assert.equal(await waitAfter('Wed, 21 Oct 2015 07:28:00 GMT'), 1)
  assert.equal(await waitAfter('Fri, 31 Dec 2100 23:59:59 GMT'), 60)
  assert.equal(await waitAfter('soon'), 'refused')
})
