import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { IndexUnavailableError, openClient } from './client.ts'
import { openSession } from './engine-session.ts'

test('a user whose rights were changed makes the index unavailable for several searches in one request', async (t) => {
  const error = { type: 'security_exception', reason: 'no permissions' }
  const server = createServer((request, response) => {
    request.resume()
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ responses: [1, 2].map(() => ({ status: 403, error })) }))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  await using client = await openClient({ nodes: [`http://127.0.0.1:${port}`] })
  const session = openSession(client, { index: 'x', preference: 'x', signal: undefined })
  await assert.rejects(
    session.search([{}, {}]),
    (thrown: Error) =>
      thrown instanceof IndexUnavailableError &&
      thrown.message.endsWith('does not let the user do this: security_exception: no permissions'),
  )
})
