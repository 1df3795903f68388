import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Transport } from '@modelcontextprotocol/server'
import { interceptSubscriptions } from './subscriptions.ts'

test('an invalid message does not prevent the next one from being handled', async () => {
  const removed: string[] = []
  const transport: Transport = {
    start: async () => {},
    send: async () => {},
    close: async () => {},
  }
  const heard = interceptSubscriptions(transport, {
    add: async () => {},
    remove: (name) => void removed.push(name),
    [Symbol.dispose]() {},
  })
  const got: unknown[] = []
  const failed: Error[] = []
  heard.onmessage = (message) => {
    got.push(message)
    if (got.length === 2) throw new Error('not taken')
  }
  heard.onerror = (error) => failed.push(error)
  await heard.start()
  const odd = { toString: 1, valueOf: 1 }
  for (const requestId of [odd, null, 7]) {
    const message = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } }
    transport.onmessage?.(message as never)
  }
  for (let i = 0; i < 20; i++) await nextTurn()
  assert.equal(got.length, 3)
  assert.deepEqual(
    failed.map(({ message }) => message),
    ['not taken'],
  )
  assert.deepEqual(removed, ['listen 7'])
})
