import type { IncomingMessage, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import type { Fault } from './faults.ts'
import { Random } from './random.ts'
import type { Answer } from './routes.ts'

interface FaultDelivery {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly given: Answer
  readonly fault: Fault
  /** Aborted when the simulator closes, to end stalled answers. */
  readonly signal: AbortSignal
}

/** Sends a faulty answer; false when the fault is in the page itself, which is then sent as usual. */
export function sendFault(delivery: FaultDelivery): boolean {
  const { request, response, given, fault } = delivery
  response.sendDate = false
  const whole = (status: number, headers: Record<string, string>, body: Buffer | string) => {
    response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body)
    return true
  }
  switch (fault.kind) {
    case 'rate_limit': {
      const wait = fault.retryAfterS
      const headers = wait === undefined ? {} : { 'retry-after': String(wait) }
      return whole(429, { 'content-type': 'text/html', ...headers }, 'Too Many Requests')
    }
    case 'server_error':
      return whole(fault.status ?? 500, { 'content-type': 'text/html' }, '<h1>Error</h1>')
    case 'empty':
      return whole(200, given.headers, '')
    case 'garbage':
      return whole(200, given.headers, randomBytes(4096))
    case 'truncate':
      return whole(given.status, given.headers, given.body.slice(0, given.body.length >> 1))
    case 'wrong_type':
      return whole(200, { 'content-type': 'image/png' }, given.body)
    case 'gzip_bomb':
      return whole(
        200,
        { ...given.headers, 'content-encoding': 'gzip' },
        bomb(fault.bytes ?? 64 << 20),
      )
    case 'huge':
      return whole(200, given.headers, Buffer.alloc(fault.bytes ?? 16 << 20, '<p>'))
    case 'truncated_gzip': {
      const zipped = gzipSync(given.body)
      return whole(
        given.status,
        { ...given.headers, 'content-encoding': 'gzip' },
        zipped.subarray(0, zipped.length >> 1),
      )
    }
    case 'redirect_loop':
      return whole(302, { location: request.url ?? '/' }, '')
    case 'redirect_away':
      return whole(302, { location: fault.location ?? 'http://169.254.169.254/' }, '')
    case 'reset':
      request.socket.resetAndDestroy()
      return true
    case 'reset_midway': {
      const half = given.body.slice(0, given.body.length >> 1)
      response.writeHead(200, { ...given.headers, 'content-length': Buffer.byteLength(given.body) })
      response.write(half, () => setTimeout(() => request.socket.resetAndDestroy(), 20))
      return true
    }
    case 'stall':
      after(delivery, fault.stallMs ?? 30_000, () => request.socket.destroy())
      return true
    case 'slow_body':
      trickle(delivery)
      return true
    default:
      return false
  }
}

function after({ signal, response }: FaultDelivery, ms: number, act: () => void): void {
  const timer = setTimeout(act, ms)
  const stop = () => clearTimeout(timer)
  signal.addEventListener('abort', stop, { once: true })
  response.once('close', stop)
}

function trickle(delivery: FaultDelivery): void {
  const { response, given, fault, signal } = delivery
  const bytes = Buffer.from(given.body)
  const steps = Math.max(1, Math.ceil((fault.stallMs ?? 10_000) / 50))
  const size = Math.ceil(bytes.length / steps)
  response.writeHead(given.status, { ...given.headers, 'content-length': bytes.length })
  let sent = 0
  const timer = setInterval(() => {
    response.write(bytes.subarray(sent, (sent += size)))
    if (sent < bytes.length) return
    clearInterval(timer)
    response.end()
  }, 50)
  const stop = () => clearInterval(timer)
  signal.addEventListener('abort', stop, { once: true })
  response.once('close', stop)
}

function randomBytes(length: number): Buffer {
  const random = new Random(length)
  return Buffer.from(Array.from({ length }, () => random.int(256)))
}

/** Zeros compress a thousandfold. The first few bombs are cached, because making one takes a while. */
const bombs = new Map<number, Buffer>()

function bomb(bytes: number): Buffer {
  let made = bombs.get(bytes)
  if (!made) {
    made = gzipSync(Buffer.alloc(bytes))
    if (bombs.size < 4) bombs.set(bytes, made)
  }
  return made
}
