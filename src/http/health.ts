import type { Hono } from 'hono'
import type { Env } from './exchange.ts'

/** Whether the process lives, and whether it can answer; for balancers and supervisors, on both addresses. */
export function addHealth(app: Hono<Env>, isReady: () => Promise<boolean>): void {
  app.get('/healthz', (c) => c.text('ok'))
  app.get('/readyz', async (c) =>
    (await isReady()) ? c.text('ready') : c.text('not ready', 503, { 'Retry-After': '1' }),
  )
}
