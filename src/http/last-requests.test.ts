import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Hono } from 'hono'
import { systemClock } from '../model/clock.ts'
import type { Env } from './exchange.ts'
import { listen } from './listen.ts'

/** Everything that a server replies to these pieces until it ends the connection. */
async function say(...pieces: readonly string[]): Promise<string> {
  const app = new Hono<Env>()
  app.get('/slow', async (c) => {
    await sleep(100)
    return c.text('the answer')
  })
  app.post('/', async (c) => c.text(await c.req.text().catch(() => 'cut')))
  const options = { host: '127.0.0.1', port: 0, publicUrl: 'http://localhost', clock: systemClock }
  await using listener = await listen(app, options)
  const socket = connect(listener.port, '127.0.0.1')
  let told = ''
  socket.on('data', (bytes) => (told += bytes.toString()))
  const closed = new Promise((resolve) => socket.once('close', resolve))
  for (const piece of pieces) {
    socket.write(piece)
    await sleep(20)
  }
  await closed
  return told
}

const SLOW = 'GET /slow HTTP/1.1\r\nHost: x\r\n\r\n'

test('unparsable bytes after a request get no reply of their own and end the connection', async () => {
  for (const pieces of [[SLOW, 'no request\r\n\r\n'], [`${SLOW}no request\r\n\r\n`]]) {
    const told = await say(...pieces)
    assert.match(told, /^HTTP\/1\.1 200 .*the answer$/s)
    assert.equal(told.match(/HTTP\/1\.1 /g)!.length, 1)
  }
})

test('an unparsable request body is answered with 400', async () => {
  const head = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n'
  const told = await say(head, 'no length\r\n')
  assert.match(told, /^HTTP\/1\.1 400 .*invalid_request/s)
})
