import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Handler } from 'hono'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { CONTENT_USAGE } from '../model/content-usage.ts'
import type { Context } from '../operations/context.ts'
import { charged } from '../operations/perform.ts'
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
  'Content-Usage': CONTENT_USAGE,
}

/** A stream as a route. Opening it costs as much as a request; the connection then belongs to the stream. */
export function serveStream(ctx: Context, operation: StreamOperation): Handler<Env> {
  return async (c) => {
    const exchange = c.var.exchange
    exchange.operation = operation.name
    exchange.format = 'sse'
    const caller = await identify(ctx, c)
    const { signal } = exchange.abort
    const { headers: given, url } = c.req.raw
    const prepare = () => {
      const input = readQuery(url)
      expectAcceptable(MEDIA_TYPE, given.get('accept'))
      return operation.prepare(input)
    }
    const { access } = ctx
    const { policies } = operation
    const start = await charged({ access, caller, signal, policies }, prepare, (prepared) =>
      prepared.open(ctx, { caller, lastEventId: given.get('last-event-id') ?? undefined }),
    )
    const headers: Headers = { ...baseHeaders(ctx, c), ...HEADERS }
    if (c.req.method === 'HEAD') return new Response(null, { status: 200, headers })
    const { outgoing } = c.env
    outgoing.writeHead(200, headers)
    start(sinkOf(outgoing, signal))
    return RESPONSE_ALREADY_SENT
  }
}

function sinkOf(outgoing: ServerResponse, signal: AbortSignal): Sink {
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
