import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Handler } from 'hono'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { isFree } from '../access/access.ts'
import { AppError, asAppError, attempt } from '../model/errors.ts'
import type { Context } from '../operations/context.ts'
import type { StreamOperation } from '../operations/stream-posts.ts'
import type { Sink } from '../operations/streams/streams.ts'
import { identify } from './credentials.ts'
import type { Env } from './exchange.ts'
import { expectAcceptable } from './negotiate.ts'
import { readQuery } from './raw-input.ts'
import { baseHeaders, type Headers } from './respond.ts'

const MEDIA_TYPE = 'text/event-stream'
const HEADERS = {
  'Content-Type': `${MEDIA_TYPE}; charset=utf-8`,
  'Cache-Control': 'private, no-cache, no-transform',
  // Without this, nginx buffers a reply until it has some kilobytes.
  'X-Accel-Buffering': 'no',
}

/** A stream as a route. Opening it costs as much as a request; the connection then belongs to the stream. */
export function serveStream(ctx: Context, operation: StreamOperation): Handler<Env> {
  return async (c) => {
    const exchange = c.var.exchange
    exchange.operation = operation.name
    exchange.format = 'sse'
    const caller = await identify(ctx, c.req.raw.headers, exchange.address)
    exchange.caller = caller
    const prepared = attempt(() => {
      const input = readQuery(c.req.raw.url)
      expectAcceptable(MEDIA_TYPE, c.req.raw.headers.get('accept'))
      return operation.prepare(input)
    })
    const isRefused = prepared instanceof AppError
    const isFreeOfDaily = isRefused && isFree(prepared.status)
    const permit = await ctx.access.admit(caller, isFreeOfDaily ? ['burst'] : operation.policies)
    let start: (sink: Sink) => void
    try {
      if (isRefused) throw prepared
      const lastEventId = c.req.raw.headers.get('last-event-id') ?? undefined
      start = await prepared.open(ctx, { caller, lastEventId })
    } catch (error) {
      if (isFree(asAppError(error).status)) permit.refund('daily')
      throw error
    }
    const headers: Headers = { ...baseHeaders(ctx, c), ...HEADERS }
    if (ctx.settings.contentUsage !== null) headers['Content-Usage'] = ctx.settings.contentUsage
    if (c.req.method === 'HEAD') return new Response(null, { status: 200, headers })
    const { outgoing } = c.env
    outgoing.writeHead(200, headers)
    start(sinkOf(outgoing, exchange.abort.signal))
    return RESPONSE_ALREADY_SENT
  }
}

export function sinkOf(outgoing: ServerResponse, signal: AbortSignal): Sink {
  return {
    signal,
    write: (text) => outgoing.write(text),
    end: () => void outgoing.end(),
    get isFull() {
      return outgoing.writableNeedDrain
    },
    async drained() {
      if (outgoing.writableNeedDrain) await once(outgoing, 'drain', { signal })
    },
  }
}
