import { Hono } from 'hono'
import type { Env } from './exchange.ts'

/** The admin address: metrics and health, nothing that callers may reach. */
export function createAdminApp(deps: {
  /** The metrics as text, and its content type. */
  readonly metrics: () => Promise<{ readonly text: string; readonly contentType: string }>
  readonly isReady: () => Promise<boolean>
}): Hono<Env> {
  const app = new Hono<Env>()
  app.get('/metrics', async () => {
    const { text, contentType } = await deps.metrics()
    return new Response(text, { headers: { 'Content-Type': contentType } })
  })
  app.get('/healthz', (c) => c.text('ok'))
  app.get('/readyz', async (c) =>
    (await deps.isReady()) ? c.text('ready') : c.text('not ready', 503, { 'Retry-After': '1' }),
  )
  return app
}
