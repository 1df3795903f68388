import { Hono } from 'hono'
import type { Caller } from '../access/caller.ts'
import { AppError } from '../model/errors.ts'
import type { Context } from '../operations/context.ts'
import { createDeadlines } from '../operations/deadlines.ts'
import { identify } from './credentials.ts'
import type { Env } from './exchange.ts'

interface McpFace {
  fetch(request: Request, caller: Caller, requestId: string): Promise<Response>
}

/** A question is short: who takes longer to say it keeps a connection for nothing. */
const BODY_MS = 5_000
const TOO_SLOW = new AppError('invalid_request', `expected the whole body in ${BODY_MS / 1000} s`)

/** The MCP face as a route: the same keys as everywhere; quotas are spent by each tool call. */
export function mountMcp(ctx: Context, mcp: McpFace): Hono<Env> {
  const app = new Hono<Env>()
  const deadlines = createDeadlines(ctx.clock)
  app.all('/', async (c) => {
    const { exchange } = c.var
    exchange.operation = 'mcp'
    const { headers } = c.req.raw
    checkOrigin(headers.get('origin'), ctx.settings.publicUrl)
    exchange.caller = await identify(ctx, headers, exchange.address)
    const late = Promise.withResolvers<never>()
    const end = deadlines.start(BODY_MS, () => {
      if (c.env?.incoming?.complete === false) late.reject(TOO_SLOW)
    })
    try {
      const asked = mcp.fetch(c.req.raw, exchange.caller, exchange.requestId)
      const reply = await Promise.race([asked, late.promise])
      // The rest of the body is not read, so the connection ends: said, or the client would send its next question here.
      if (reply.status === 413) reply.headers.set('Connection', 'close')
      return reply
    } finally {
      end()
    }
  })
  return app
}

/** A page of another site must not drive a server on the reader's own machine: the protocol asks for this check. */
function checkOrigin(origin: string | null, publicUrl: string): void {
  if (origin === null || origin === new URL(publicUrl).origin) return
  const host = URL.canParse(origin) ? new URL(origin).hostname : ''
  if (host === 'localhost' || host === '127.0.0.1' || host === '[::1]') return
  throw new AppError('origin_not_allowed', 'expected a request without Origin or from this site')
}
