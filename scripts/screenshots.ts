/** Takes the pictures of the pages that the README shows: `npm run screenshots`. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { startService } from '../test/start-service.ts'
import { openBrowser } from '../test/web/browser.ts'

const FOLDER = new URL('../docs/screenshots/', import.meta.url)
const MAX_BYTES = 150_000
const DESKTOP = { width: 1120, height: 780 }
const PHONE = { width: 390, height: 800 }
/** Whose letters any machine has, so that a picture never shows empty boxes. */
const LANGUAGES = ['en', 'ru', 'uk', 'de', 'es', 'fr', 'pt', 'tr', 'ar', 'fa', 'he']

await using service = await startService({
  world: { seed: 'pictures', channels: 44, days: 30, languages: LANGUAGES },
  env: process.env['TELEGREP_MEDIA'] ? { TELEGREP_MEDIA: process.env['TELEGREP_MEDIA'] } : {},
})
await service.settled()
const story = await mostCopied(service.url)
const shots = [
  { name: 'home', path: '/', size: DESKTOP, colorScheme: 'light' },
  { name: 'search', path: '/?q=market', size: DESKTOP, colorScheme: 'light' },
  { name: 'post', path: `/channels/${story.replace('/', '/posts/')}`, size: DESKTOP },
  { name: 'channel', path: '/channels/showcase', size: DESKTOP, colorScheme: 'dark' },
  { name: 'phone', path: '/?q=market', size: PHONE, colorScheme: 'dark' },
] as const

mkdirSync(FOLDER, { recursive: true })
// Letters without coloured edges: smaller files.
await using browser = await openBrowser(['--disable-lcd-text'])
for (const { name, path, size, ...look } of shots) {
  const page = await browser.newPage({ viewport: size, ...look })
  await page.goto(`${service.url}${path}`, { waitUntil: 'networkidle' })
  // The home page waits in its box: the ring of the focus is not what it looks like at rest.
  await page.evaluate('document.activeElement.blur()')
  const picture = await page.screenshot()
  if (picture.byteLength > MAX_BYTES) {
    throw new Error(`${name}: ${picture.byteLength} bytes are more than ${MAX_BYTES}`)
  }
  writeFileSync(new URL(`${name}.png`, FOLDER), picture)
  process.stdout.write(`${name}.png: ${picture.byteLength} bytes\n`)
  await page.close()
}

/** The post in English that most channels have. */
async function mostCopied(url: string): Promise<string> {
  const reply = await fetch(`${url}/v1/search?lang=en&collapse=duplicates&sort=views&limit=100`)
  const { data } = (await reply.json()) as {
    data: readonly { id: string; cluster?: { channels: number; first: string | null } }[]
  }
  const [first] = data.toSorted((a, b) => (b.cluster?.channels ?? 0) - (a.cluster?.channels ?? 0))
  if (!first) throw new Error('nothing was found')
  return first.cluster?.first ?? first.id
}
