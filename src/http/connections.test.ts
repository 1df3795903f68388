import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../../test/until.ts'
import { holdConnections } from './connections.ts'

interface Stage {
  readonly server: Server
  readonly pending: ServerResponse[]
  /** How many requests were handed over, and how many not. */
  readonly count: { begun: number; dropped: number }
  open(): Promise<Socket>
}

/** A server that answers when told to. */
async function withServer(max: number, check: (stage: Stage) => Promise<void>): Promise<void> {
  const pending: ServerResponse[] = []
  const count = { begun: 0, dropped: 0 }
  const server = createServer((incoming, outgoing) => {
    if (!connections.begin(incoming.socket, outgoing)) {
      count.dropped++
      return
    }
    count.begun++
    pending.push(outgoing)
  })
  const connections = holdConnections(server, max)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const sockets: Socket[] = []
  const open = async () => {
    const accepted = once(server, 'connection')
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    sockets.push(socket)
    socket.on('error', () => {})
    socket.resume()
    await Promise.all([accepted, once(socket, 'connect')])
    return socket
  }
  try {
    await check({ server, pending, count, open })
  } finally {
    for (const socket of sockets) socket.destroy()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

const ASK = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'

test('over the limit the longest idle connection goes, never one that waits for its answer', async () => {
  await withServer(3, async ({ pending, open }) => {
    const [busy, used, silent] = [await open(), await open(), await open()]
    for (const [i, socket] of [busy, used].entries()) {
      socket.write(ASK)
      await until(() => pending.length === i + 1)
    }
    const answered = once(used, 'data')
    pending[1]!.end('done')
    await answered
    await sleep(5)
    await open()
    await until(() => silent.closed)
    assert.deepEqual([busy.closed, used.closed], [false, false])
    await open()
    await until(() => used.closed)
    assert.equal(busy.closed, false)
  })
})

test('while all connections wait for their answers, a new one is closed', async () => {
  await withServer(2, async ({ pending, open }) => {
    const both = [await open(), await open()]
    for (const socket of both) socket.write(ASK)
    await until(() => pending.length === 2)
    const late = await open()
    await until(() => late.closed)
    assert.deepEqual(
      both.map(({ closed }) => closed),
      [false, false],
    )
  })
})

test('a connection that sends more than 64 requests before it reads an answer is closed', async () => {
  await withServer(9, async ({ pending, count, open }) => {
    const patient = await open()
    for (let round = 1; round <= 3; round++) {
      patient.write(ASK.repeat(64))
      await until(() => count.begun === 64 * round)
      for (const outgoing of pending.splice(0)) outgoing.end()
    }
    const flooding = await open()
    flooding.write(ASK.repeat(1_500))
    await until(() => flooding.closed)
    assert.equal(count.begun, 4 * 64)
    assert.ok(count.dropped > 0)
    assert.equal(patient.closed, false)
  })
})
