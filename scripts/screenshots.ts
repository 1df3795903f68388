/**
 * Takes the screenshots for the README: `npm run screenshots`. With a folder as argument it also saves them there as PNG,
 * for a closer look.
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { rememberGrowth } from '../src/cli/demo-growth.ts'
import { tellDemoStory } from '../src/simulator/demo-story.ts'
import { startSimulator } from '../src/simulator/server.ts'
import { indexConsumer } from '../src/store/changes.ts'
import { ANALYZER_VERSION } from '../src/text/analyze.ts'
import { startService } from '../test/start-service.ts'
import { until } from '../test/until.ts'
import { openBrowser } from '../test/web/browser.ts'

const FOLDER = new URL('../docs/screenshots/', import.meta.url)
const MAX_BYTES = 80_000
const DESKTOP = { width: 1120, height: 780 }
const TALL = { width: 1120, height: 1060 }
const PHONE = { width: 390, height: 800 }
/** Languages whose fonts any machine has, so that no screenshot shows empty boxes. */
const LANGUAGES = ['en', 'ru', 'uk', 'es', 'tr', 'ar', 'fa']
const OPEN_TIERS = fileURLToPath(new URL('../test/fixtures/tiers/open.json', import.meta.url))
const [closer] = process.argv.slice(2)

/** The platform starts some hours ago. Once it has been read, its clock jumps to now, so that there are edits. */
let behind = 6 * 3_600_000
const startedAt = Date.now()
await using simulator = await startSimulator({
  world: { seed: 'pictures', channels: 6, days: 30, languages: LANGUAGES, startAt: Date.now() },
  clock: { now: () => Date.now() - behind },
})
tellDemoStory(simulator.world.script, {
  at: startedAt - 14 * 3_600_000,
  editAt: startedAt - 3 * 3_600_000,
})
await using service = await startService({
  simulator,
  env: { TELEGREP_MEDIA: 'keep', TELEGREP_TIERS: OPEN_TIERS },
  async prepare({ store, clock }, { world, now }) {
    const names = world.truth.readableNames(now())
    await rememberGrowth(store, { world, names, at: now() }, clock)
  },
})
// A channel that shows nothing is read again and again; the others are enough.
await until(async () => {
  const { archive, changes: feed } = service.app.store
  const { channelsByStatus, posts } = await archive.totals()
  const { count } = await feed.pending(indexConsumer(ANALYZER_VERSION), 1)
  return (channelsByStatus.queued ?? 0) <= 1 && posts > 0 && count === 0
}, 600_000)
behind = 0
// Each channel is visited again within minutes.
await until(async () => (await changes('&channel=ferry_desk,harbour_wire')).length >= 2, 900_000)
await until(async () => (await service.app.store.pictures.totals(0)).waiting === 0, 900_000)
const story = '/channels/ferry_desk/posts/1'

interface Shot {
  readonly name: string
  readonly path: string
  readonly size?: { readonly width: number; readonly height: number }
  readonly colorScheme?: 'light' | 'dark'
  /** The element at the top of the screenshot. */
  readonly from?: string
}
const shots: readonly Shot[] = [
  { name: 'home', path: '/' },
  { name: 'search', path: '/?q=market' },
  { name: 'post', path: story, size: TALL },
  { name: 'spread', path: story, from: '#duplicates' },
  { name: 'changes', path: '/changes' },
  { name: 'channel', path: '/channels/showcase?has=photo', size: TALL },
  { name: 'dark', path: '/?q=market&has=photo', colorScheme: 'dark' },
  { name: 'phone', path: '/?q=market', size: PHONE, colorScheme: 'dark' },
]

mkdirSync(FOLDER, { recursive: true })
for (const name of readdirSync(FOLDER)) rmSync(new URL(name, FOLDER))
if (closer !== undefined) mkdirSync(closer, { recursive: true })
// Text without subpixel colours makes smaller files.
await using browser = await openBrowser(['--disable-lcd-text'])
for (const { name, path, size = DESKTOP, colorScheme = 'light', from } of shots) {
  const page = await browser.newPage({ viewport: size, colorScheme })
  await page.goto(`${service.url}${path}`, { waitUntil: 'networkidle' })
  // The home page focuses its search box; the focus ring is not how it looks at rest.
  await page.evaluate('document.activeElement.blur()')
  if (from !== undefined)
    await page.evaluate(
      `document.querySelector('${from}').scrollIntoView({ block: 'start' }); scrollBy(0, -16)`,
    )
  if (closer !== undefined) await page.screenshot({ path: join(closer, `${name}.png`) })
  const picture = await webp(page)
  if (picture.byteLength > MAX_BYTES)
    throw new Error(`${name}: ${picture.byteLength} bytes are more than ${MAX_BYTES}`)
  writeFileSync(new URL(`${name}.webp`, FOLDER), picture)
  process.stdout.write(`${name}.webp: ${picture.byteLength} bytes\n`)
  await page.close()
}

async function webp(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page)
  const options = { format: 'webp', quality: 82 } as const
  const { data } = await session.send('Page.captureScreenshot', options)
  return Buffer.from(data, 'base64')
}

async function changes(more: string): Promise<readonly { readonly id: string }[]> {
  const reply = await fetch(`${service.url}/v1/changes?limit=20${more}`)
  return ((await reply.json()) as { data: readonly { readonly id: string }[] }).data
}
