import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { test } from 'node:test'
import { until } from '../../test/until.ts'
import { createManualClock, type ManualClock } from '../simulator/clocks.ts'
import { createFileSender } from './send-file.ts'
import { createUnreadReplies } from './unread-replies.ts'

const PIECE = Buffer.alloc(192 * 1024, 'a')
const MIB = 1024 * 1024
/** Two of this size held in memory would exceed the limit for unread replies; far more than the kernel buffers. */
const LENGTH = 256 * PIECE.length

interface Stage {
  readonly clock: ManualClock
  /** Bytes read from all files so far. */
  made(): number
  ask(): Promise<Socket>
}

/** A server of one large file, and readers that do not read until told. */
async function withReaders(maxFiles: number, check: (stage: Stage) => Promise<void>) {
  const clock = createManualClock(0)
  const unread = createUnreadReplies(clock)
  const sender = createFileSender(clock, { maxFiles, maxMs: 30_000 })
  let made = 0
  async function* pieces() {
    for (let sent = 0; sent < LENGTH; sent += PIECE.length) {
      made += PIECE.length
      yield PIECE
    }
  }
  const server = createServer((_request, response) => {
    unread.watch(response)
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    const send = sender.begin()
    response.writeHead(send ? 200 : 503, { 'Content-Length': send ? LENGTH : 0 })
    if (send) void send(response, { name: 'a', length: LENGTH, pieces }, gone.signal)
    else response.end()
    server.emit('answered')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const sockets: Socket[] = []
  const ask = async () => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    sockets.push(socket)
    socket.on('error', () => {})
    socket.pause()
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    await once(server, 'answered')
    return socket
  }
  try {
    await check({ clock, made: () => made, ask })
  } finally {
    for (const socket of sockets) socket.destroy()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

async function readAll(socket: Socket): Promise<number> {
  socket.resume()
  if (!socket.closed) await once(socket, 'close')
  return socket.bytesRead
}

test('slow readers of large files buffer little, and each gets the whole file', async () => {
  await withReaders(8, async ({ clock, made, ask }) => {
    const readers = [await ask(), await ask()]
    // Both wait for their readers: only as much was read as the kernel buffers, and one piece.
    await until(() => clock.waiting === 2)
    assert.ok(made() < 32 * MIB, `${made()} bytes were made`)
    for (const length of await Promise.all(readers.map(readAll))) assert.ok(length > LENGTH)
    assert.equal(made(), 2 * LENGTH)
  })
})

test('a reader that reads nothing is disconnected after 30 s and makes room for others', async () => {
  await withReaders(1, async ({ clock, ask }) => {
    const silent = await ask()
    await until(() => clock.waiting === 1)
    const refused = await ask()
    assert.ok((await readAll(refused)) < 500)
    await clock.advance(29_999)
    assert.equal(clock.waiting, 1)
    await clock.advance(1)
    assert.ok((await readAll(silent)) < LENGTH)
    assert.ok((await readAll(await ask())) > LENGTH)
  })
})

test('a reader that disconnects frees its place, and no more of the file is read', async () => {
  await withReaders(1, async ({ clock, made, ask }) => {
    const gone = await ask()
    await until(() => clock.waiting === 1)
    gone.destroy()
    await until(() => clock.waiting === 0)
    assert.ok(made() < LENGTH)
    assert.ok((await readAll(await ask())) > LENGTH)
  })
})
