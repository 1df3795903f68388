import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { constants, gzipSync } from 'node:zlib'
import { type Clock, systemClock } from '../model/clock.ts'
import { drawPicture } from './draw-picture.ts'
import { pictureNameOf } from './media.ts'
import { createFaultPlan, type Fault, type Surface } from './faults.ts'
import { answer, type Answer, readRoute } from './routes.ts'
import { sendFault } from './send-fault.ts'
import { createWorld, type World, type WorldOptions } from './world.ts'

interface SimulatorOptions {
  readonly world: World | WorldOptions
  /** The simulated time; by default it starts at the world's `startAt`. */
  readonly clock?: Pick<Clock, 'now'>
  readonly faults?: readonly Fault[]
  /** How many requests the log keeps; up to twice as many while it waits to be trimmed. */
  readonly logSize?: number
  /** Whether pages tell the simulated time, as the platform's do; false by default, since it often is not that of the reader. */
  readonly tellsTime?: boolean
}

export interface LoggedRequest {
  /** When it arrived, in simulated and in real time. */
  readonly at: number
  readonly realAt: number
  readonly method: string
  readonly path: string
  readonly surface: Surface
  /** As requested, in lower case; null when the address has no name. */
  readonly username: string | null
  readonly before: number | null
  readonly number: number | null
  readonly fault: Fault['kind'] | null
  readonly userAgent: string
  /** 0 when the connection was broken instead. */
  readonly status: number
}

interface RequestLog {
  /** The number of requests since the start, kept or not. */
  readonly total: number
  /** The newest requests, oldest first. */
  entries(): readonly LoggedRequest[]
  /** The requests for a name. */
  of(username: string): readonly LoggedRequest[]
  clear(): void
}

export interface Simulator extends AsyncDisposable {
  /** Without a trailing slash. */
  readonly url: string
  readonly world: World
  readonly log: RequestLog
  now(): number
  setFaults(faults: readonly Fault[]): void
  close(): Promise<void>
}

/** Serves a world over HTTP as the platform would. */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const world = 'truth' in options.world ? options.world : createWorld(options.world)
  const ahead = world.startAt - systemClock.now()
  const clock = options.clock ?? { now: () => systemClock.now() + ahead }
  const plan = createFaultPlan(world.seed, options.faults ?? [])
  const { tellsTime = false } = options
  const { log, add } = createLog(options.logSize ?? 10_000)
  const closing = new AbortController()
  let origin = ''

  const server = createServer((request, response) => {
    const at = clock.now()
    const route = readRoute(request.url ?? '/')
    // The CDN is a different host from the platform's pages, so its requests are not logged and no fault strikes them.
    const picture = pictureNameOf(route.pathname)
    if (picture !== undefined) {
      sendPicture(response, drawPicture(picture))
      return
    }
    const fault = plan.faultFor({ name: route.name, surface: route.surface, at })
    const isAjax =
      request.method === 'POST' || request.headers['x-requested-with'] === 'XMLHttpRequest'
    const given = answer(route, { world, at, origin, isAjax, fault })
    const before = route.query.get('before')
    add({
      at,
      realAt: systemClock.now(),
      method: request.method ?? 'GET',
      path: request.url ?? '/',
      surface: route.surface,
      username: route.name?.toLowerCase() ?? null,
      before: before !== null && /^\d{1,10}$/.test(before) ? Number(before) : null,
      number: route.number,
      fault: fault?.kind ?? null,
      userAgent: request.headers['user-agent'] ?? '',
      status: fault ? statusUnder(fault, given) : given.status,
    })
    request.resume()
    const date = tellsTime ? { date: new Date(clock.now()).toUTCString() } : {}
    const sendRight = () =>
      send(request, response, { ...given, headers: { ...given.headers, ...date } })
    const { signal } = closing
    const isSent = fault !== null && sendFault({ request, response, given, fault, signal })
    if (!isSent) sendRight()
  })
  server.keepAliveTimeout = 30_000
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => resolve())
  })
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const close = async () => {
    closing.abort()
    server.closeAllConnections()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  }
  return {
    url: origin,
    world,
    log,
    now: () => clock.now(),
    setFaults: (faults) => plan.set(faults),
    close,
    [Symbol.asyncDispose]: close,
  }
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: Answer,
): void {
  const isZipped = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))
  const bytes = isZipped ? gzipSync(body, { level: constants.Z_BEST_SPEED }) : Buffer.from(body)
  response.sendDate = false
  response.writeHead(status, {
    ...headers,
    ...(isZipped ? { 'content-encoding': 'gzip' } : {}),
    'content-length': bytes.length,
  })
  response.end(request.method === 'HEAD' ? undefined : bytes)
}

function sendPicture(response: ServerResponse, bytes: Buffer): void {
  response.writeHead(200, { 'content-type': 'image/png', 'content-length': bytes.length })
  response.end(bytes)
}

function statusUnder(fault: Fault, given: Answer): number {
  switch (fault.kind) {
    case 'rate_limit':
      return 429
    case 'server_error':
      return fault.status ?? 500
    case 'redirect_loop':
    case 'redirect_away':
      return 302
    case 'reset':
    case 'stall':
      return 0
    default:
      return given.status
  }
}

function createLog(size: number): { log: RequestLog; add: (entry: LoggedRequest) => void } {
  let kept: LoggedRequest[] = []
  let total = 0
  return {
    log: {
      get total() {
        return total
      },
      entries: () => kept,
      of: (username) => kept.filter((entry) => entry.username === username.toLowerCase()),
      clear() {
        kept = []
        total = 0
      },
    },
    add(entry) {
      total++
      kept.push(entry)
      // Trimmed only at twice the size, so that keeping the bound costs next to nothing per request.
      if (kept.length > size * 2) kept = kept.slice(-size)
    },
  }
}
