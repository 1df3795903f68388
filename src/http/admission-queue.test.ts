import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createAdmissionQueue } from './admission-queue.ts'
import { createShedder } from './shed.ts'

function visitor(url: string, socket = {} as Socket): [IncomingMessage, ServerResponse] {
  return [{ url, socket } as IncomingMessage, { destroyed: false } as ServerResponse]
}

function open() {
  const shedder = createShedder({ threads: 1, maxLive: 8 })
  const served: string[] = []
  const refused: string[] = []
  const queue = createAdmissionQueue(
    shedder,
    ({ url }) => served.push(url!),
    ({ url }) => refused.push(url!),
  )
  return { queue, shedder, served, refused, [Symbol.dispose]: () => shedder[Symbol.dispose]() }
}

test('a burst of cheap requests is served completely and in order', async () => {
  using at = open()
  const urls = Array.from({ length: 32 }, (_, i) => `/errors/${i}`)
  for (const url of urls) at.queue.enqueue(...visitor(url))
  assert.deepEqual(at.served, [])
  while (at.served.length < 32) await nextTurn()
  assert.deepEqual(at.served, urls)
  assert.deepEqual(at.refused, [])
})

test('after one refusal, further requests are refused at once while there is no room', async () => {
  using at = open()
  for (let i = 0; i < 33; i++) at.queue.enqueue(...visitor(`/v1/search?q=${i}`))
  assert.deepEqual(at.refused, ['/v1/search?q=32'])
  while (at.served.length < 32) await nextTurn()
  const leave = at.shedder.enter('other')
  at.queue.enqueue(...visitor('/v1/search?q=33'))
  assert.deepEqual(at.refused.slice(1), ['/v1/search?q=33'])
  // Live reads and files have queues of their own, and MCP refuses in its own way.
  at.queue.enqueue(...visitor('/assets/a/telegrep.css'))
  at.queue.enqueue(...visitor('/v1/channels/a/live'))
  at.queue.enqueue(...visitor('/mcp'))
  leave()
  at.queue.enqueue(...visitor('/v1/search?q=34'))
  while (at.served.length < 36) await nextTurn()
  assert.deepEqual(at.served.slice(32), [
    '/assets/a/telegrep.css',
    '/v1/channels/a/live',
    '/mcp',
    '/v1/search?q=34',
  ])
})

test('in an overload, waiting requests count towards the limit', async () => {
  using at = open()
  for (let i = 0; i < 33; i++) at.queue.enqueue(...visitor(`/v1/search?q=${i}`))
  while (at.served.length < 32) await nextTurn()
  for (let i = 33; i < 36; i++) at.queue.enqueue(...visitor(`/v1/search?q=${i}`))
  assert.deepEqual(at.refused, ['/v1/search?q=32', '/v1/search?q=34', '/v1/search?q=35'])
})

test('`/live` in the query string does not make a request a live read', () => {
  using at = open()
  for (let i = 0; i < 33; i++) at.queue.enqueue(...visitor(`/v1/search?q=${i}&x=/live`))
  assert.deepEqual(at.refused, ['/v1/search?q=32&x=/live'])
})

test('requests of different kinds take turns, so that none waits for all of another kind', async () => {
  using at = open()
  for (let i = 0; i < 100; i++) at.queue.enqueue(...visitor(`/media/${i}`))
  for (let i = 0; i < 100; i++) at.queue.enqueue(...visitor(`/v1/channels/${i}/live`))
  at.queue.enqueue(...visitor('/v1/search?q=a'))
  while (at.served.length < 3) await nextTurn()
  assert.deepEqual(at.served, ['/media/0', '/v1/channels/0/live', '/v1/search?q=a'])
})

test('a health check goes before all that wait', async () => {
  using at = open()
  for (let i = 0; i < 33; i++) at.queue.enqueue(...visitor('/v1/meta'))
  at.queue.enqueue(...visitor('/healthz'))
  assert.deepEqual(at.refused, ['/v1/meta'])
  await nextTurn()
  assert.equal(at.served[0], '/healthz')
})

test('a flood of health checks is served soon, and does not keep others waiting', async () => {
  using at = open()
  for (let i = 0; i < 3_000; i++) at.queue.enqueue(...visitor(i % 2 ? '/healthz' : '/readyz'))
  at.queue.enqueue(...visitor('/v1/search?q=a'))
  for (let turns = 0; !at.served.includes('/v1/search?q=a'); turns++) {
    assert.ok(turns < 6)
    await nextTurn()
  }
  assert.ok(at.served.length < 300, `${at.served.length} were served before`)
  for (let turns = 0; at.served.length < 2_000; turns++) {
    assert.ok(turns < 100)
    await nextTurn()
  }
  assert.deepEqual(at.refused, [])
})

test('of the health checks of one connection only one skips the queue', () => {
  using at = open()
  const socket = {} as Socket
  for (let i = 0; i < 64; i++) at.queue.enqueue(...visitor('/healthz', socket))
  assert.equal(at.refused.length, 64 - 33)
})
