import assert from 'node:assert/strict'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { test } from 'node:test'
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
