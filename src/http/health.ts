import type { Hono } from 'hono'
import type { Env } from './exchange.ts'

/** Whether the process is alive, and whether it can answer; for load balancers and supervisors, on both listeners. */
export function addHealth(app: Hono<Env>, isReady: () => Promise<boolean>): void {
  app.get('/healthz', (c) => c.text('ok', 200, NOW))
  app.get('/readyz', async (c) =>
    (await isReady())
      ? c.text('ready', 200, NOW)
      : c.text('not ready', 503, { ...NOW, 'Retry-After': '1' }),
  )
}

/** A cache must not answer for a process that is gone. */
const NOW = { 'Cache-Control': 'no-store' }
