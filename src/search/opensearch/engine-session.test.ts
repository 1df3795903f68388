import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { IndexUnavailableError, openClient } from './client.ts'
import { openSession } from './engine-session.ts'

async function sessionOf(t: TestContext, responses: () => readonly object[]) {
  const server = createServer((request, response) => {
    request.resume()
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ responses: responses() }))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const client = await openClient({ nodes: [`http://127.0.0.1:${port}`] })
  t.after(() => client[Symbol.asyncDispose]())
  return openSession(client, { index: 'x', preference: 'x', signal: undefined })
}

test('a user whose rights were changed makes the index unavailable for several searches in one request', async (t) => {
  const error = { type: 'security_exception', reason: 'no permissions' }
  const session = await sessionOf(t, () => [1, 2].map(() => ({ status: 403, error })))
  await assert.rejects(
    session.search([{}, {}]),
    (thrown: Error) =>
      thrown instanceof IndexUnavailableError &&
      thrown.message.endsWith('does not let the user do this: security_exception: no permissions'),
  )
})

test('several searches are sent again if the engine was too busy for one of them', async (t) => {
  const found = { status: 200, hits: { hits: [] } }
  const busy = { status: 429, error: { type: 'rejected_execution_exception', reason: 'full' } }
  let times = 0
  const session = await sessionOf(t, () => [found, times++ === 0 ? busy : found])
  assert.deepEqual(await session.search([{}, {}]), [found, found])
})
