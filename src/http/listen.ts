import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import {
  createServer,
  STATUS_CODES,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { AppError } from '../model/errors.ts'
import type { Clock } from '../model/clock.ts'
import type { Env } from './exchange.ts'
import { BUSY, type Admission } from './admission.ts'
import { holdConnections, type Connections } from './connections.ts'
import { PROBLEM_TYPE, problemOf } from './problem.ts'
import { COMMON_HEADERS, METHODS, type Headers } from './respond.ts'
import { createUnreadReplies } from './unread-replies.ts'

export interface Listener extends AsyncDisposable {
  readonly port: number
}

interface ListenOptions {
  readonly host: string
  readonly port: number
  readonly publicUrl: string
  readonly clock: Clock
  readonly inactiveMs?: number
  /** The connections come from a proxy and carry many callers: what one is refused, the next may be granted. */
  readonly isBehindProxy?: boolean
  /** Quota headers for an address, if there are quotas. */
  readonly quotaOf?: (address: string) => Headers
  /** Pages of every site may read refusals too. */
  readonly isOpen?: boolean
  /** Says when a request is served, or that it is refused; without it each is served at once. */
  readonly admission?: Pick<Admission, 'join'>
  /** Called from time to time while the system cannot accept another connection. */
  readonly onUntaken?: (error: Error) => void
}

const MAX_HEADER_BYTES = 16 * 1024
const HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 30_000
const KEEP_ALIVE_MS = 65_000
/**
 * A connection on which nothing moves for so long is closed. The kernel buffers megabytes for a slow reader and asks for more
 * only when a good part of them was read: who reads 20 kB/s seems to pause for more than a minute at a time.
 */
const INACTIVE_MS = 180_000
/** Half of the shortest wait that refused callers are asked for. */
const REST_MS = 500
const DRAIN_MS = 6_000
/** How often a stopping server looks for idle connections. */
const SWEEP_MS = 25
/** Without room for connections, a flood fails a thousand times a second; it is reported this often. */
const TOLD_AGAIN_MS = 60_000

const UNREADABLE = new AppError('invalid_request', 'the request could not be read')
const TWO_HOSTS = new AppError('invalid_request', 'expected one `Host` header, found several')
const NOT_ENCODED = new AppError(
  'invalid_request',
  "the address holds characters that must be percent-encoded; with curl: -G --data-urlencode 'q=…'",
)
const UNKNOWN_METHOD = new AppError('method_not_allowed', 'expected GET, HEAD or OPTIONS')
const TOO_LARGE = new AppError(
  'header_fields_too_large',
  `expected at most ${MAX_HEADER_BYTES} bytes of headers`,
)
/** A request's first line as far as it can be recognised, whatever stands in place of method and address. */
const FIRST_LINE = /^\S+ .* HTTP\/1\.[01]\r?\n/
const HEAD = Buffer.from('HEAD ')
const UNANSWERED: ReadonlySet<string> = new Set(['ECONNRESET', 'ERR_HTTP_REQUEST_TIMEOUT'])

/** Serves an app on a socket. Disposing of the listener stops accepting, drains and closes. */
export async function listen(app: Hono<Env>, options: ListenOptions): Promise<Listener> {
  const { admission } = options
  const unread = createUnreadReplies()
  const serve = (incoming: IncomingMessage, outgoing: ServerResponse, leave = () => {}) => {
    // A listener per request, because its error handler is not told which request could not be read.
    const handle = getRequestListener(
      async (request, env) => {
        try {
          return await app.fetch(request, env)
        } finally {
          // What is left to do is the reader's part.
          leave()
        }
      },
      {
        // Health checks still use HTTP/1.0, which has no Host; nothing we answer depends on it.
        ...(incoming.httpVersion === '1.0' ? { hostname: 'localhost' } : undefined),
        errorHandler: () => {
          const { body, headers } = refusalOf(UNREADABLE, incoming.socket, options)
          return new Response(body, { status: UNREADABLE.status, headers })
        },
      },
    )
    void handle(incoming, outgoing).finally(leave)
  }
  const tell = (error: AppError, { method, socket }: IncomingMessage, outgoing: ServerResponse) => {
    const { body, headers } = refusalOf(error, socket, options)
    const length = { 'Content-Length': Buffer.byteLength(body) }
    outgoing.writeHead(error.status, { ...headers, ...length })
    outgoing.end(method === 'HEAD' ? undefined : body)
  }
  const ask = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { socket, url = '' } = incoming
    const isFirst = connections.isIdle(socket)
    if (!connections.begin(socket, outgoing)) return
    unread.watch(outgoing)
    if (!options.isBehindProxy) {
      outgoing.once('finish', () => {
        if (outgoing.statusCode === 429 || outgoing.statusCode === 503) rest(socket)
      })
    }
    if (hasTwoHosts(incoming)) {
      outgoing.shouldKeepAlive = false
      tell(TWO_HOSTS, incoming, outgoing)
      return
    }
    // Asks what the server as a whole can do (RFC 9110, 9.3.7); it names no path of ours.
    if (url === '*' && incoming.method === 'OPTIONS') {
      outgoing.writeHead(204, { ...COMMON_HEADERS, Allow: METHODS }).end()
      return
    }
    // A health check waits for nobody but those before it on its connection.
    if (!admission || (isFirst && isHealth(url))) {
      serve(incoming, outgoing)
      return
    }
    const giveUp = admission.join(
      url,
      (leave) => serve(incoming, outgoing, leave),
      () => tell(BUSY, incoming, outgoing),
    )
    outgoing.once('close', giveUp)
  }
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      // Otherwise Node refuses by itself, without a problem document.
      requireHostHeader: false,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: 5_000,
      noDelay: true,
    },
    ask,
  )
  server.timeout = options.inactiveMs ?? INACTIVE_MS
  const connections = holdConnections(server)
  // An unknown expectation is ignored: the request is answered like any other.
  server.on('checkExpectation', ask)
  server.on('clientError', (error: ParseError, socket: Socket) => {
    // A refusal would be taken for the reply to the request before.
    if (!connections.isIdle(socket)) socket.destroy()
    else refuse(socket, error, options)
  })
  // A CONNECT request reaches no app, and the server gives up its socket.
  server.on('connect', (_request, socket: Socket) => {
    socket.on('error', () => {})
    answer(socket, UNKNOWN_METHOD, options)
    socket.destroySoon()
  })
  await once(server.listen(options.port, options.host), 'listening')
  let toldSince = -Infinity
  server.on('error', (error) => {
    if (options.clock.elapsed() - toldSince < TOLD_AGAIN_MS) return
    toldSince = options.clock.elapsed()
    options.onUntaken?.(error)
  })
  const { port } = server.address() as AddressInfo
  return { port, [Symbol.asyncDispose]: () => drain(server, connections, options.clock) }
}

function isHealth(url: string): boolean {
  return url === '/healthz' || url === '/readyz'
}

/**
 * Reads nothing from the connection of a refused caller for a while: some hundred that ask again at once would leave no time
 * for anything but refusals. If it were closed instead, they would connect again, and keep others waiting to be accepted.
 */
function rest(socket: Socket): void {
  if (socket.destroyed) return
  // While the socket has a data listener, the parser does not read past the stream, so that it can be paused.
  socket.on('data', ignore)
  socket.pause()
  const resting = setTimeout(() => {
    socket.off('data', ignore)
    socket.resume()
  }, REST_MS)
  resting.unref()
}

function ignore(): void {}

/** With two Host headers, a proxy in front may go by the one and we by the other. */
function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!
    if (name.length === 4 && name.toLowerCase() === 'host') count++
  }
  return count > 1
}

interface ParseError extends NodeJS.ErrnoException {
  /** The bytes that could not be parsed, usually including the request's first line. */
  readonly rawPacket?: Buffer
}

interface Refusal {
  readonly body: string
  readonly headers: Headers
}

/**
 * The reply to a request that never reached the app. Neither its key nor its forwarding headers were read, so the quota
 * shown is that of the connection's address.
 */
function refusalOf(
  error: AppError,
  { remoteAddress }: Socket,
  { publicUrl, quotaOf, isOpen }: ListenOptions,
): Refusal {
  const requestId = randomUUID()
  return {
    body: JSON.stringify(problemOf(error, { publicUrl, path: '', requestId })),
    headers: {
      ...COMMON_HEADERS,
      ...(isOpen ? { 'Access-Control-Allow-Origin': '*' } : undefined),
      'X-Request-Id': requestId,
      ...quotaOf?.(remoteAddress ?? ''),
      'Content-Type': PROBLEM_TYPE,
      'Cache-Control': 'no-store',
      ...(error.status === 405 ? { Allow: METHODS } : undefined),
      ...(error.retryAfterS ? { 'Retry-After': String(error.retryAfterS) } : undefined),
    },
  }
}

/** An unparsable request still gets a problem document; a connection that sent no request in time gets no reply. */
function refuse(socket: Socket, error: ParseError, options: ListenOptions): void {
  if (!socket.writable || UNANSWERED.has(error.code ?? '')) {
    socket.destroy()
    return
  }
  const isHead = error.rawPacket?.subarray(0, 5).equals(HEAD) ?? false
  answer(socket, reasonOf(error), { ...options, isHead })
}

function answer(
  socket: Socket,
  told: AppError,
  options: ListenOptions & { readonly isHead?: boolean },
): void {
  const { body, headers } = refusalOf(told, socket, options)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(
    `HTTP/1.1 ${told.status} ${STATUS_CODES[told.status]}\r\n${lines.join('')}Connection: close\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${options.isHead ? '' : body}`,
  )
}

function reasonOf({ code, rawPacket }: ParseError): AppError {
  const hasFirstLine = () => FIRST_LINE.test(rawPacket?.toString('latin1') ?? '')
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return TOO_LARGE
    case 'HPE_INVALID_METHOD':
      return hasFirstLine() ? UNKNOWN_METHOD : UNREADABLE
    case 'HPE_INVALID_URL':
      return NOT_ENCODED
    // A space ends the address, and what follows is not `HTTP/`.
    case 'HPE_INVALID_CONSTANT':
      return hasFirstLine() ? NOT_ENCODED : UNREADABLE
    default:
      return UNREADABLE
  }
}

/** Stops accepting, lets running requests finish, then closes whatever is left. */
async function drain(server: Server, open: Connections, clock: Clock): Promise<void> {
  let isClosed = false
  const closed = new Promise((resolve) => server.close(resolve)).then(() => (isClosed = true))
  const drainingSince = clock.elapsed()
  while (!isClosed && clock.elapsed() - drainingSince < DRAIN_MS) {
    // A connection that was busy a moment ago stays open for another request, which must not come.
    server.closeIdleConnections()
    // A connection that has never sent anything counts as busy there, since it might be about to.
    for (const socket of open.all) if (socket.bytesRead === 0) socket.destroy()
    await Promise.race([closed, clock.sleep(SWEEP_MS)])
  }
  server.closeAllConnections()
  await closed
}
