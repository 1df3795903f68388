import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { test } from 'node:test'
import { createManualClock, type ManualClock } from '../simulator/clocks.ts'
import { createUnreadReplies } from './unread-replies.ts'

const MIB = 1024 * 1024
const REPLY_BYTES = 40 * MIB

/** A server whose replies are far larger than what the kernel buffers, and readers that do not read. */
async function withReaders(
  limits: { maxBytes: number; maxMs: number },
  check: (read: () => Promise<Socket>, held: () => number, clock: ManualClock) => Promise<void>,
): Promise<void> {
  const clock = createManualClock(0)
  const unread = createUnreadReplies(clock, limits)
  const body = Buffer.alloc(REPLY_BYTES)
  const server = createServer((_request, response) => {
    unread.watch(response)
    response.end(body)
    server.emit('answered')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const sockets: Socket[] = []
  const read = async () => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    sockets.push(socket)
    socket.on('error', () => {})
    socket.pause()
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(server, 'answered')
    return socket
  }
  try {
    await check(read, () => unread.bytes, clock)
  } finally {
    for (const socket of sockets) socket.destroy()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

/** Waits for the end of a connection, which must come before the end of its reply. */
async function isCut(socket: Socket): Promise<boolean> {
  socket.resume()
  if (!socket.closed) await once(socket, 'close')
  return socket.bytesRead < REPLY_BYTES
}

test('above the byte limit, the connection whose reply has waited longest is closed', async () => {
  await withReaders({ maxBytes: 100 * MIB, maxMs: 60_000 }, async (read, held) => {
    const first = await read()
    await read()
    assert.ok(held() > 40 * MIB)
    await read()
    assert.ok(held() <= 100 * MIB)
    assert.ok(await isCut(first))
  })
})

test('a reply that is not read is dropped at the timeout', async () => {
  await withReaders({ maxBytes: 1000 * MIB, maxMs: 50 }, async (read, held, clock) => {
    const reader = await read()
    await clock.advance(49)
    assert.ok(held() > 0)
    await clock.advance(1)
    assert.ok(await isCut(reader))
    assert.equal(held(), 0)
  })
})
