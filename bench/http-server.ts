/** The service in a process of its own, with one more route that answers a constant, as the yardstick. */
import { Hono } from 'hono'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createKeys } from '../src/access/keys.ts'
import { parseTiers } from '../src/access/tiers.ts'
import { createApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { createAdmission, placesFor } from '../src/http/admission.ts'
import { listen } from '../src/http/listen.ts'
import { mountMcp } from '../src/http/mount-mcp.ts'
import { quotaOfAddress } from '../src/http/respond.ts'
import { createHttpApp } from '../src/http/server.ts'
import { createMcpHttp } from '../src/mcp/over-http.ts'
import { readSecret } from '../src/operator-files.ts'
import { setV8Flags } from '../src/v8-settings.ts'
import type { WebEnv } from '../src/web/ask.ts'

setV8Flags()

const [folder = ''] = process.argv.slice(2)
// The most generous built-in tier ends at 1000 requests/s, fewer than are measured here.
const TIERS = '{"anonymous": {"burst": 30}, "bench": {"burst": 1000000000}}'
const tiersFile = join(folder, 'tiers.json')
writeFileSync(tiersFile, TIERS)
const { config, secrets } = readConfig({
  TELEGREP_DATA: folder,
  TELEGREP_LOG: 'error',
  TELEGREP_TIERS: tiersFile,
  TELEGREP_PORT: '0',
})
await using app = await createApp(config, secrets)
const pepper = await readSecret(config, secrets)
const keys = createKeys({
  ledger: app.store.ledger,
  tiers: parseTiers(TIERS),
  pepper,
  clock: app.clock,
})
const { key } = await keys.create({ tier: 'bench', name: 'bench' })

let constant = '{}'
const constants = new Hono<WebEnv>()
constants.get(
  '/constant',
  () => new Response(constant, { headers: { 'Content-Type': 'application/json' } }),
)

const admission = createAdmission({ other: placesFor(app.index.capacity, false) }, app.context)
const mcp = await createMcpHttp(app.context, app.events, admission.enter)
const http = createHttpApp({
  ctx: app.context,
  events: app.events,
  trustProxy: 0,
  whyNotReady: () => Promise.resolve(null),
  mcp: mountMcp(app.context, async () => mcp),
  web: constants,
})
await using listener = await listen(http, {
  host: '127.0.0.1',
  port: 0,
  publicUrl: 'http://127.0.0.1',
  clock: app.clock,
  quotaOf: quotaOfAddress(app.context),
  admission,
})
process.send?.({ port: listener.port, key })
await new Promise<void>((resolve) => {
  process.on('disconnect', () => resolve())
  process.on('message', (message) => {
    if (typeof message === 'object' && message !== null && 'constant' in message) {
      constant = String(message.constant)
      return
    }
    const { user, system } = process.cpuUsage()
    const main = process.threadCpuUsage()
    process.send?.({
      rss: process.memoryUsage().rss,
      cpuUs: user + system,
      mainUs: main.user + main.system,
    })
  })
})
