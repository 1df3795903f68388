import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { quantile } from './quantile.ts'

/** A client that costs little compared with the server it measures: raw sockets, one request at a time on each. */
export interface Exchange {
  readonly status: number
  /** Measured from when the request was sent. */
  readonly ms: number
  /** How much later than due it was sent: the delay caused by the client itself. */
  readonly lateMs: number
  readonly bytes: number
}

/** The path of a GET, or the path and body of a POST. */
export type Asked = string | { readonly path: string; readonly body: string }

export interface Connection {
  ask(asked: Asked, dueAt?: number): Promise<Exchange>
  close(): void
}

const SILENCE_MS = 60_000
/** After a refusal the server stops reading for a while, so a connection that asks again at once would only wait. */
const REFUSED_REST_MS = 500
const LAST_CHUNK = Buffer.from('0\r\n\r\n')

/** Reconnects by itself if the server has closed the connection, as it does with idle ones. */
export async function openConnection(port: number, headers: string): Promise<Connection> {
  let socket = await dial(port)
  return {
    async ask(asked, dueAt = performance.now()) {
      const request = requestOf(asked, headers)
      if (!socket.destroyed && socket.readyState === 'open') {
        const seen = await exchange(socket, request, dueAt)
        // An idle connection may be closed just as it is used: like any client, ask once more on a new one.
        if (seen.status !== 0 || seen.bytes > 0) return seen
      }
      socket = await dial(port)
      return await exchange(socket, request, dueAt)
    },
    close: () => socket.destroy(),
  }
}

function requestOf(asked: Asked, headers: string): string {
  if (typeof asked === 'string') return `GET ${asked} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`
  const { path, body } = asked
  return (
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}Content-Type: application/json\r\n` +
    `Accept: application/json, text/event-stream\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  )
}

function dial(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket))
    socket.setNoDelay(true)
    // Otherwise the end of an idle connection is noticed only by the next request.
    socket.resume()
    // A request that is never answered counts as an answer too: it ends when the connection times out.
    socket.setTimeout(SILENCE_MS, () => socket.destroy())
    socket.on('error', reject)
  })
}

/** Status 0 means that the connection ended before the answer did. */
function exchange(socket: Socket, request: string, dueAt: number): Promise<Exchange> {
  return new Promise((resolve) => {
    const sentAt = performance.now()
    const lateMs = sentAt - dueAt
    let head = ''
    let need = -1
    let got = 0
    let status = 0
    let isChunked = false
    const finish = (found: number) => {
      socket.off('data', onData)
      socket.off('close', onClose)
      resolve({ status: found, ms: performance.now() - sentAt, lateMs, bytes: got })
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
        isChunked = /transfer-encoding: chunked/i.test(head.slice(0, end))
      }
      const isWhole = isChunked ? chunk.subarray(-5).equals(LAST_CHUNK) : got >= need
      if (isWhole) finish(status)
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
  /** The 99th percentile of the client's own lateness. */
  readonly lateMs: number
  readonly statuses: Readonly<Record<number, number>>
  readonly meanBytes: number
}

/** Sends requests as fast as the server answers, on these connections, for this long. */
export async function saturate(
  connections: readonly Connection[],
  paths: readonly Asked[],
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

/** Sends requests at a steady rate whatever the answers do; a request that finds no free connection counts as lost. */
export async function atRate(
  connections: readonly Connection[],
  paths: readonly string[],
  perS: number,
  seconds: number,
): Promise<{ readonly seen: Exchange[]; readonly lost: number }> {
  const free = [...connections]
  const seen: Exchange[] = []
  const running = new Set<Promise<void>>()
  let lost = 0
  const startedAt = performance.now()
  const dueAt = (n: number) => startedAt + (n * 1000) / perS
  for (let sent = 0; sent < seconds * perS; await sleep(1)) {
    for (const now = performance.now(); dueAt(sent) <= now; sent++) {
      const connection = free.pop()
      if (!connection) {
        lost++
        continue
      }
      const asked = connection.ask(paths[sent % paths.length]!, dueAt(sent)).then((exchange) => {
        seen.push(exchange)
        running.delete(asked)
        if (exchange.status !== 429 && exchange.status !== 503) free.push(connection)
        else setTimeout(() => free.push(connection), REFUSED_REST_MS).unref()
      })
      running.add(asked)
    }
  }
  await Promise.all(running)
  return { seen, lost }
}

export function figuresOf(seen: readonly Exchange[], seconds: number): Figures {
  const statuses: Record<number, number> = {}
  for (const { status } of seen) statuses[status] = (statuses[status] ?? 0) + 1
  const fine = seen.filter(({ status }) => status === 200)
  const times = fine.map(({ ms }) => ms)
  return {
    perS: fine.length / seconds,
    p50: quantile(times, 0.5),
    p95: quantile(times, 0.95),
    p99: quantile(times, 0.99),
    lateMs: quantile(
      seen.map(({ lateMs }) => lateMs),
      0.99,
    ),
    statuses,
    meanBytes: fine.reduce((sum, { bytes }) => sum + bytes, 0) / Math.max(1, fine.length),
  }
}
