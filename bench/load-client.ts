import { connect } from 'node:net'
import type { Socket } from 'node:net'

/** A client that costs little beside the server it measures: raw sockets, one request at a time on each. */
export interface Exchange {
  readonly status: number
  readonly ms: number
  readonly bytes: number
}

export interface Connection {
  ask(path: string): Promise<Exchange>
  close(): void
}

/** Opens again by itself when the server has closed it, as it does with connections that stay silent. */
export async function openConnection(port: number, headers: string): Promise<Connection> {
  let socket = await dial(port)
  return {
    async ask(path) {
      if (socket.destroyed || socket.readyState !== 'open') socket = await dial(port)
      return await exchange(socket, `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`)
    },
    close: () => socket.destroy(),
  }
}

function dial(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket))
    socket.setNoDelay(true)
    socket.on('error', reject)
  })
}

/** Status 0: the connection ended before the answer did. */
function exchange(socket: Socket, request: string): Promise<Exchange> {
  return new Promise((resolve) => {
    const startedAt = performance.now()
    let head = ''
    let need = -1
    let got = 0
    let status = 0
    const finish = (found: number) => {
      socket.off('data', onData)
      socket.off('close', onClose)
      resolve({ status: found, ms: performance.now() - startedAt, bytes: got })
    }
    const onClose = () => finish(0)
    const onData = (chunk: Buffer) => {
      got += chunk.length
      if (need < 0) {
        head += chunk.toString('latin1')
        const end = head.indexOf('\r\n\r\n')
        if (end < 0) return
        status = Number(head.slice(9, 12))
        need = end + 4 + Number(/content-length: (\d+)/i.exec(head.slice(0, end))?.[1] ?? 0)
      }
      if (got >= need) finish(status)
    }
    socket.on('data', onData)
    socket.on('close', onClose)
    socket.write(request)
  })
}

export interface Figures {
  readonly perS: number
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly statuses: Readonly<Record<number, number>>
  readonly meanBytes: number
}

/** As fast as the server answers, on so many connections, for so long. */
export async function saturate(
  connections: readonly Connection[],
  paths: readonly string[],
  seconds: number,
): Promise<Figures> {
  const seen: Exchange[] = []
  const startedAt = performance.now()
  const until = startedAt + seconds * 1000
  let next = 0
  await Promise.all(
    connections.map(async (connection) => {
      while (performance.now() < until)
        seen.push(await connection.ask(paths[next++ % paths.length]!))
    }),
  )
  return figuresOf(seen, (performance.now() - startedAt) / 1000)
}

export function figuresOf(seen: readonly Exchange[], seconds: number): Figures {
  const statuses: Record<number, number> = {}
  for (const { status } of seen) statuses[status] = (statuses[status] ?? 0) + 1
  const fine = seen.filter(({ status }) => status === 200)
  const times = fine.map(({ ms }) => ms).toSorted((a, b) => a - b)
  const at = (p: number) => times[Math.min(times.length - 1, Math.floor(times.length * p))] ?? NaN
  return {
    perS: fine.length / seconds,
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    statuses,
    meanBytes: fine.reduce((sum, { bytes }) => sum + bytes, 0) / Math.max(1, fine.length),
  }
}
