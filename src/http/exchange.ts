import type { HttpBindings } from '@hono/node-server'
import { randomUUID } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { clientAddress, isLoopback, LOCAL, type Caller } from '../access/caller.ts'
import type { AppError } from '../model/errors.ts'
import type { WebEnv } from '../web/ask.ts'

/** One request and what becomes known about it on its way. */
export interface Exchange {
  readonly requestId: string
  readonly startedAt: number
  readonly address: string
  /** Aborted when the client goes away or the deadline passes. */
  readonly abort: AbortController
  /** The caller that the RateLimit headers refer to: the address's anonymous caller until a key has been read. */
  caller: Caller | undefined
  operation: string
  format: string | null
  /** The reply's headers already contain the request id and the caller's remaining quota. */
  hasHeaders: boolean
  /** Whose pages may read the reply, as `Access-Control-Allow-Origin` says it; null for nobody's. */
  allowOrigin: string | null
  /** A refusal that the requested page itself shows. */
  refusal: AppError | undefined
}

/** Types for every Hono app of this server, including what the web pages are promised. */
export interface Env extends WebEnv {
  Bindings: HttpBindings
  Variables: { exchange: Exchange }
}

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/

/** The reason for an abort that is not due to a deadline. */
export const CLIENT_GONE = new Error('the client went away')

export function openExchange(
  headers: { get(name: string): string | null },
  { incoming, outgoing }: Partial<HttpBindings>,
  trustProxy: number,
): Exchange {
  const given = headers.get('x-request-id')
  const abort = new AbortController()
  outgoing?.once('close', () => {
    if (!outgoing.writableFinished) abort.abort(CLIENT_GONE)
  })
  return {
    requestId: given !== null && REQUEST_ID.test(given) ? given : randomUUID(),
    startedAt: performance.now(),
    address: addressOf(headers, incoming?.socket.remoteAddress, trustProxy),
    abort,
    caller: undefined,
    operation: 'none',
    format: null,
    hasHeaders: false,
    allowOrigin: null,
    refusal: undefined,
  }
}

/** Headers that a proxy on this machine adds to the requests it forwards. */
const PROXY_HEADERS = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via']

function addressOf(
  headers: { get(name: string): string | null },
  socketAddress: string | undefined,
  trustProxy: number,
): string {
  const isProxied = PROXY_HEADERS.some((name) => headers.get(name) !== null)
  if (!isProxied && isLoopback(socketAddress ?? '')) return LOCAL
  const forwarded = trustProxy === 0 ? null : headers.get('x-forwarded-for')
  return clientAddress(socketAddress, forwarded ?? undefined, trustProxy)
}

export function elapsedMs(exchange: Exchange): number {
  return performance.now() - exchange.startedAt
}
