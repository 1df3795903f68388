import { Hono } from 'hono'
import type { Env } from './exchange.ts'
import { addHealth } from './health.ts'

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
