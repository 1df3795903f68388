import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { test } from 'node:test'
import { until } from '../../test/until.ts'
import { createUnreadReplies } from './unread-replies.ts'

const MIB = 1024 * 1024
const REPLY_BYTES = 40 * MIB

/** A server whose replies are far larger than what the kernel buffers, and readers that do not read. */
async function withReaders(
  send: (outgoing: ServerResponse, body: Buffer) => void,
  check: (read: () => Promise<Socket>, held: () => number) => Promise<void>,
): Promise<void> {
  const unread = createUnreadReplies(100 * MIB)
  const body = Buffer.alloc(REPLY_BYTES)
  const server = createServer((_request, response) => {
    unread.watch(response)
    send(response, body)
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
    await check(read, () => unread.bytes)
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

for (const [what, send] of [
  ['a whole reply', (outgoing: ServerResponse, body: Buffer) => void outgoing.end(body)],
  [
    'a piece of a longer one',
    (outgoing: ServerResponse, body: Buffer) => void outgoing.write(body),
  ],
] as const) {
  test(`above the limit, the connection that has waited longest for the reader of ${what} is closed`, async () => {
    await withReaders(send, async (read, held) => {
      const first = await read()
      const second = await read()
      assert.ok(held() > 40 * MIB)
      await read()
      assert.ok(held() <= 100 * MIB)
      assert.ok(await isCut(first))
      second.destroy()
      await until(() => held() < 45 * MIB)
    })
  })
}

test('a piece that was read is held no longer, and its reader waits anew', async () => {
  await withReaders(
    (outgoing, body) => void outgoing.write(body),
    async (read, held) => {
      const reader = await read()
      assert.ok(held() > 0)
      reader.resume()
      await until(() => held() === 0)
    },
  )
})
