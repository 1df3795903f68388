import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { attempt } from '../model/errors.ts'
import { until } from '../../test/until.ts'
import { createFileSender } from './send-file.ts'

const PIECE = Buffer.alloc(192 * 1024, 'a')
const MIB = 1024 * 1024
/** Far more than the kernel buffers. */
const LENGTH = 256 * PIECE.length

interface Stage {
  /** Bytes read from all files so far. */
  made(): number
  /** Resolves once the reply has begun. */
  ask(caller?: string): Promise<Socket>
}

/** A server of one large file, and readers that do not read until told. */
async function withReaders(
  { maxFiles = 8, inactiveMs = 0, length = LENGTH },
  check: (stage: Stage) => Promise<void>,
) {
  const sender = createFileSender(maxFiles)
  let made = 0
  async function* pieces() {
    for (let sent = 0; sent < length; sent += PIECE.length) {
      made += PIECE.length
      yield PIECE
    }
  }
  const server = createServer((request, response) => {
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    const send = attempt(() => sender.begin(request.url!))
    if (send instanceof Error) {
      response.writeHead(send.status, { 'Content-Length': 0 }).end()
    } else {
      response.writeHead(200, { 'Content-Length': length })
      void send(response, { name: 'a', length, pieces }, gone.signal)
    }
    server.emit('answered')
  })
  server.timeout = inactiveMs
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const sockets: Socket[] = []
  const ask = async (caller = 'one') => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    sockets.push(socket)
    socket.on('error', () => {})
    socket.pause()
    socket.write(`GET /${caller} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    await once(server, 'answered')
    return socket
  }
  try {
    await check({ made: () => made, ask })
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

async function readSlowly(socket: Socket, bytes: number, restMs: number): Promise<number> {
  let taken = 0
  socket.on('data', (chunk) => {
    taken += chunk.length
    if (taken < bytes) return
    taken = 0
    socket.pause()
    setTimeout(() => socket.resume(), restMs)
  })
  return readAll(socket)
}

test('slow readers of large files buffer little, and each gets the whole file', async () => {
  await withReaders({}, async ({ made, ask }) => {
    const readers = [await ask(), await ask()]
    // Both wait for their readers: only as much was read as the kernel buffers, and one piece.
    let before = -1
    await until(async () => {
      const isStill = made() === before
      before = made()
      if (!isStill) await sleep(50)
      return isStill
    })
    assert.ok(made() < 32 * MIB, `${made()} bytes were made`)
    for (const length of await Promise.all(readers.map(readAll))) assert.ok(length > LENGTH)
    assert.equal(made(), 2 * LENGTH)
  })
})

test('a caller that takes many files at a time is refused more, and nobody else is', async () => {
  await withReaders({ maxFiles: 2 }, async ({ ask }) => {
    const [first] = [await ask('greedy'), await ask('greedy')]
    assert.ok((await readAll(await ask('greedy'))) < 500)
    assert.ok((await readAll(await ask('other'))) > LENGTH)
    first.destroy()
    await until(async () => (await readAll(await ask('greedy'))) > LENGTH)
  })
})

test('a reader that disconnects ends the reading of the file', async () => {
  await withReaders({}, async ({ made, ask }) => {
    const gone = await ask()
    gone.destroy()
    let before = -1
    await until(async () => {
      const isStill = made() === before
      before = made()
      await sleep(50)
      return isStill
    })
    assert.ok(made() < LENGTH)
  })
})

// The kernel asks for more of a file only when a good part of the megabytes that it buffers was read. Six megabytes a second
// and 600 ms stand to each other as 20 kB a second and the three minutes of a server.
test('a connection is closed when its reader takes nothing, not when it reads slowly', async () => {
  const length = 128 * PIECE.length
  await withReaders({ inactiveMs: 600, length }, async ({ ask }) => {
    const [silent, slow] = [await ask('silent'), await ask('slow')]
    assert.ok((await readSlowly(slow, 1.2 * MIB, 200)) > length)
    assert.ok((await readAll(silent)) < length)
  })
})
