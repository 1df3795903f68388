import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { test } from 'node:test'
import { limitPipelined, MAX_UNANSWERED } from './pipelined.ts'

/** What a server that answers one turn later replies to this many requests sent in one piece. */
async function ask(requests: number, rounds = 1) {
  let served = 0
  let refused = 0
  const answer = (outgoing: ServerResponse, status: number) =>
    setImmediate(() => outgoing.writeHead(status, { 'Content-Length': 0 }).end())
  const server = createServer(
    limitPipelined(
      (_incoming, outgoing) => {
        served++
        answer(outgoing, 200)
      },
      (_incoming, outgoing) => {
        refused++
        outgoing.shouldKeepAlive = false
        answer(outgoing, 503)
      },
    ),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  let text = ''
  let isClosed = false
  socket.on('data', (bytes) => (text += bytes.toString('latin1')))
  const closed = new Promise<void>((resolve) =>
    socket.once('close', () => {
      isClosed = true
      resolve()
    }),
  )
  const answers = () => text.match(/HTTP\/1\.1 \d+/g)?.map((line) => line.slice(9)) ?? []
  for (let round = 1; round <= rounds; round++) {
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(requests))
    while (!isClosed && answers().length < requests * round) {
      await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 5))])
    }
  }
  const found = { served, refused, isClosed, answers: answers() }
  socket.destroy()
  server.close()
  return found
}

test('a connection may repeatedly pipeline as many requests as the limit allows', async () => {
  const { served, refused, isClosed } = await ask(MAX_UNANSWERED, 3)
  assert.deepEqual([served, refused, isClosed], [3 * MAX_UNANSWERED, 0, false])
})

test('the first pipelined request over the limit is refused and closes the connection; later ones are ignored', async () => {
  const { served, refused, isClosed, answers } = await ask(1_500)
  assert.deepEqual([served, refused, isClosed], [MAX_UNANSWERED, 1, true])
  assert.deepEqual(answers, [...Array<string>(MAX_UNANSWERED).fill('200'), '503'])
})
