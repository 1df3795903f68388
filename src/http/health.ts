import { Hono } from 'hono'
import type { Env } from './exchange.ts'

/**
 * Whether the process is alive, and whether it can answer; for load balancers and supervisors, on both listeners. What is
 * missing may name servers and files, so only the admin listener says it.
 */
export function addHealth(
  app: Hono<Env>,
  options: { readonly whyNotReady: () => Promise<string | null>; readonly tellsWhy: boolean },
): void {
  app.get('/healthz', (c) => c.text('ok', 200, NOW))
  app.get('/readyz', async (c) => {
    const why = await options.whyNotReady()
    if (why === null) return c.text('ready', 200, NOW)
    const told = options.tellsWhy ? `not ready: ${why}` : 'not ready'
    return c.text(told, 503, { ...NOW, 'Retry-After': '1' })
  })
}

/** A cache must not answer for a process that is gone. */
const NOW = { 'Cache-Control': 'no-store' }

/** The admin listener: metrics and health, which callers must not reach. */
export function createAdminApp(deps: {
  /** The metrics as text, and its content type. */
  readonly metrics: () => { readonly text: string; readonly contentType: string }
  readonly whyNotReady: () => Promise<string | null>
}): Hono<Env> {
  const app = new Hono<Env>()
  app.get('/metrics', () => {
    const { text, contentType } = deps.metrics()
    return new Response(text, { headers: { 'Content-Type': contentType } })
  })
  addHealth(app, { whyNotReady: deps.whyNotReady, tellsWhy: true })
  return app
}
