import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { createStillClock } from '../../simulator/clocks.ts'
import { openClient } from './client.ts'
import { openSession } from './engine-session.ts'
import { createNearWords } from './near-words.ts'

test('what is near to a word is asked again as long as a shard did not answer, and cached after that', async (t) => {
  let successful = 1
  let requests = 0
  const server = createServer((request, response) => {
    request.resume()
    requests++
    const options = successful === 2 ? [{ text: 'storm', freq: 3 }] : []
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify({ _shards: { total: 2, successful }, suggest: { one0: [{ options }] } }),
    )
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  await using client = await openClient({ nodes: [`http://127.0.0.1:${port}`] })
  const nearWords = createNearWords(createStillClock(0))
  const near = async () => {
    const session = openSession(client, { index: 'x', preference: 'x', signal: undefined })
    return [...(await nearWords(['strom'], session))]
  }
  assert.deepEqual(await near(), [])
  successful = 2
  assert.deepEqual(await near(), [['storm', 3]])
  const before = requests
  assert.deepEqual(await near(), [['storm', 3]])
  assert.equal(requests, before)
})
