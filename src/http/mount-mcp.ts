import { Hono } from 'hono'
import type { McpHttp } from '../mcp/over-http.ts'
import type { Context } from '../operations/context.ts'
import { identify } from './credentials.ts'
import type { Env, Exchange } from './exchange.ts'
import { EXPOSED } from './respond.ts'
import { wholeBody } from './whole-body.ts'

/** What scripts of an allowed page may send. */
const PREFLIGHT = {
  'Access-Control-Allow-Methods': 'POST',
  'Access-Control-Allow-Headers':
    'Content-Type, Accept, Authorization, X-API-Key, Mcp-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID',
  'Access-Control-Max-Age': '86400',
}

/** The MCP face as a route. Keys work as everywhere; each tool call is charged by itself. */
export function mountMcp(ctx: Context, open: () => Promise<McpHttp>): Hono<Env> {
  const app = new Hono<Env>()
  app.all('/', async (c) => {
    const { exchange } = c.var
    exchange.operation = 'mcp'
    const { headers } = c.req.raw
    // A person who opens the address; clients ask for an event stream.
    const isBrowser = c.req.method === 'GET' && headers.get('accept')?.includes('text/html')
    if (isBrowser) return c.redirect('/mcp.md')
    if (headers.has('origin') && c.req.method === 'OPTIONS') {
      return letRead(new Response(null, { status: 204, headers: PREFLIGHT }), exchange)
    }
    const caller = await identify(ctx, c)
    const mcp = await open()
    const { requestId } = exchange
    const reply = await wholeBody(ctx, c, mcp.fetch(c.req.raw, { caller, requestId }))
    // The protocol's library says `keep-alive` even to a client that asked to close the connection.
    reply.headers.delete('Connection')
    // The library says nothing about caching, and caches may keep a 405.
    if (!reply.ok) reply.headers.set('Cache-Control', 'no-store')
    // The rest of the body is not read, so the connection ends. Without this header the client would send its next request
    // on it.
    if (reply.status === 413) reply.headers.set('Connection', 'close')
    return letRead(reply, exchange)
  })
  return app
}

/** Lets scripts of the pages that may ask read the reply. */
function letRead(reply: Response, { allowOrigin }: Exchange): Response {
  if (allowOrigin === null) return reply
  reply.headers.set('Access-Control-Allow-Origin', allowOrigin)
  reply.headers.set('Access-Control-Expose-Headers', EXPOSED)
  reply.headers.append('Vary', 'Origin')
  return reply
}
