import type { Hono } from 'hono'
import type { Env } from './exchange.ts'

/** Whether the process lives, and whether it can answer; for balancers and supervisors, on both addresses. */
export function addHealth(app: Hono<Env>, isReady: () => Promise<boolean>): void {
  app.get('/healthz', (c) => c.text('ok', 200, NOW))
  app.get('/readyz', async (c) =>
    (await isReady())
      ? c.text('ready', 200, NOW)
      : c.text('not ready', 503, { ...NOW, 'Retry-After': '1' }),
  )
}

/** A cache in between must not answer for a process that is gone. */
const NOW = { 'Cache-Control': 'no-store' }
