import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Hono } from 'hono'
import { systemClock } from '../model/clock.ts'
import type { Env } from './exchange.ts'
import { listen } from './listen.ts'

test('connections that cannot be accepted do not stop the listener, and are reported once a minute', async () => {
  let ahead = 0
  const clock = { ...systemClock, elapsed: () => systemClock.elapsed() + ahead }
  const told: string[] = []
  let server: Server | undefined
  const app = new Hono<Env>()
  app.get('/', (c) => {
    server = (c.env.incoming.socket as Socket & { readonly server: Server }).server
    return c.text('here')
  })
  await using listener = await listen(app, {
    host: '127.0.0.1',
    port: 0,
    publicUrl: 'http://localhost',
    clock,
    onUntaken: ({ message }) => told.push(message),
  })
  const ask = async () => (await fetch(`http://127.0.0.1:${listener.port}/`)).text()
  assert.equal(await ask(), 'here')
  // As Node does when the system cannot accept another connection: https://nodejs.org/api/net.html#event-error.
  const fail = (code: string) => server!.emit('error', new Error(`accept ${code}`))
  fail('ENOBUFS')
  fail('ENFILE')
  ahead += 60_000
  fail('ENOMEM')
  assert.deepEqual(told, ['accept ENOBUFS', 'accept ENOMEM'])
  assert.equal(await ask(), 'here')
})

/** Everything that a server replies to these pieces until it ends the connection. */
async function say(...pieces: readonly string[]): Promise<string> {
  const app = new Hono<Env>()
  app.get('/slow', async (c) => {
    await sleep(100)
    return c.text('the answer')
  })
  const options = { host: '127.0.0.1', port: 0, publicUrl: 'http://localhost', clock: systemClock }
  await using listener = await listen(app, options)
  const socket = connect(listener.port, '127.0.0.1')
  let told = ''
  socket.on('data', (bytes) => (told += bytes.toString()))
  socket.on('error', () => {})
  const closed = once(socket, 'close')
  for (const piece of pieces) {
    socket.write(piece)
    await sleep(20)
  }
  await closed
  return told
}

test('unparsable bytes get 400, but none that would be taken for the reply to a request before them', async () => {
  assert.match(await say('no request\r\n\r\n'), /^HTTP\/1\.1 400 .*invalid_request/s)
  const slow = 'GET /slow HTTP/1.1\r\nHost: x\r\n\r\n'
  for (const pieces of [[slow, 'no request\r\n\r\n'], [`${slow}no request\r\n\r\n`]]) {
    assert.equal(await say(...pieces), '')
  }
})

test('a connection on which nothing moves is closed', async () => {
  const options = { host: '127.0.0.1', port: 0, publicUrl: 'http://localhost', clock: systemClock }
  await using listener = await listen(new Hono<Env>(), { ...options, inactiveMs: 50 })
  const socket = connect(listener.port, '127.0.0.1')
  socket.resume()
  await once(socket, 'close')
  assert.equal(socket.bytesRead, 0)
})
