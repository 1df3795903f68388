import { Hono } from 'hono'
import { createWeb } from '../../src/web/web.ts'
import type { WebEnv } from '../../src/web/ask.ts'

/** The pages alone, mounted as by the server. */
export function mountPages(
  abort: AbortController,
  options: Pick<Parameters<typeof createWeb>[0], 'ctx' | 'isDemo' | 'onFailure'>,
): Hono<WebEnv> {
  const exchange = { requestId: 'r', address: '127.0.0.1', abort, operation: '' }
  const app = new Hono<WebEnv>()
  app.use(async (c, next) => {
    c.set('exchange', exchange)
    await next()
  })
  const compress = (body: string) => Promise.resolve({ body, coding: null })
  return app.route('/', createWeb({ ...options, onRefusal() {}, showMedia: false, compress }))
}
