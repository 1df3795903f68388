/**
 * A flood of requests from a separate process: each of many connections sends the next request as soon as the last was
 * answered or refused. Meanwhile the process that started it opens a new connection twenty times a second, to ask for the
 * server's health.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { openConnection, saturate, type Asked, type Figures } from './load-client.ts'
import { quantile } from './quantile.ts'

interface Flood {
  readonly port: number
  readonly headers: string
  readonly connections: number
  readonly asked: readonly Asked[]
  readonly seconds: number
}

const PROBE_MS = 50
/** How long the flood needs to reach its full size. */
const RISE_MS = 1000
const NEVER_MS = 60_000

export interface Flooded {
  readonly figures: Figures
  /** How long each new connection waited for `/healthz`. */
  readonly healthMs: readonly number[]
}

export async function flood(options: Flood): Promise<Flooded> {
  const child = fork(import.meta.filename)
  await once(child, 'message')
  const told = once(child, 'message') as Promise<[Figures]>
  child.send(options)
  await sleep(RISE_MS)
  const healthMs: number[] = []
  const endAt = performance.now() + options.seconds * 1000 - 2 * RISE_MS
  while (performance.now() < endAt) {
    const ms = await probe(options.port)
    healthMs.push(ms)
    await sleep(Math.max(0, PROBE_MS - ms))
  }
  const [figures] = await told
  child.disconnect()
  return { figures, healthMs }
}

function probe(port: number): Promise<number> {
  return new Promise((resolve) => {
    const startedAt = performance.now()
    let isFine = false
    const socket = connect(port, '127.0.0.1', () => {
      socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
    })
    socket.setTimeout(NEVER_MS, () => socket.destroy())
    socket.on('data', (data) => (isFine ||= data.toString('latin1').startsWith('HTTP/1.1 200')))
    socket.on('error', () => {})
    socket.on('close', () => resolve(isFine ? performance.now() - startedAt : NEVER_MS))
  })
}

export function healthQuantile({ healthMs }: Flooded, q: number): number {
  return quantile([...healthMs], q)
}

async function run({ port, headers, connections, asked, seconds }: Flood): Promise<void> {
  const open = await Promise.all(
    Array.from({ length: connections }, () => openConnection(port, headers)),
  )
  process.send?.(await saturate(open, asked, seconds))
  for (const connection of open) connection.close()
}

if (import.meta.main) {
  process.on('message', (options) => void run(options as Flood))
  process.send?.('ready')
}
