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

export function openConnection(port: number, headers: string): Promise<Connection> {
  return new Promise((resolve, reject) => {
    let waiting: ((exchange: Exchange) => void) | undefined
    let startedAt = 0
    let received = ''
    let need = -1
    let got = 0
    let status = 0
    const socket: Socket = connect(port, '127.0.0.1', () =>
      resolve({ ask, close: () => socket.destroy() }),
    )
    socket.setNoDelay(true)
    socket.on('error', reject)
    socket.on('data', (chunk: Buffer) => {
      got += chunk.length
      if (need < 0) {
        received += chunk.toString('latin1')
        const end = received.indexOf('\r\n\r\n')
        if (end < 0) return
        status = Number(received.slice(9, 12))
        const length = /content-length: (\d+)/i.exec(received.slice(0, end))
        need = end + 4 + Number(length?.[1] ?? 0)
      }
      if (got < need) return
      const done = waiting
      const exchange = { status, ms: performance.now() - startedAt, bytes: got }
      waiting = undefined
      received = ''
      need = -1
      got = 0
      done?.(exchange)
    })
    function ask(path: string): Promise<Exchange> {
      startedAt = performance.now()
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`)
      return new Promise((settle) => (waiting = settle))
    }
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
