import { existsSync } from 'node:fs'
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'

const PATH = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
const ARGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Why browser tests cannot run here; undefined when they can. `REQUIRE_SUITES=browser` makes that a failure. */
export function whyNoBrowser(): string | undefined {
  if (existsSync(PATH)) return undefined
  const why = `no Chromium at ${PATH}; set CHROMIUM to its path`
  const required = (process.env['REQUIRE_SUITES'] ?? '').split(/[\s,]+/)
  if (required.includes('browser')) throw new Error(`REQUIRE_SUITES has browser, but ${why}`)
  return why
}

export function openBrowser(more: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: PATH, args: [...ARGS, ...more] })
}

/** Opens a window that is closed and checked for wrongs when the test ends. */
export type Open = (options?: BrowserContextOptions) => Promise<Window>

/** A window on the service that records whatever a page should never do. */
export interface Window extends AsyncDisposable {
  readonly page: Page
  /** Requests to other hosts, script errors, violations of the content policy. */
  readonly wrongs: readonly string[]
  go(path: string): Promise<void>
}

export async function openWindow(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Window> {
  const context = await browser.newContext({
    viewport: { width: 1200, height: 900 },
    ...options,
  })
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  const wrongs: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(url)) wrongs.push(`request to ${request.url()}`)
  })
  page.on('pageerror', (error) => wrongs.push(`script: ${error.message}`))
  page.on('console', (message) => {
    const text = message.text()
    // An error status of a page is reported by the page itself.
    if (message.type() === 'error' && !text.startsWith('Failed to load resource'))
      wrongs.push(`console: ${text}`)
  })
  return {
    page,
    wrongs,
    go: async (path) => void (await page.goto(`${url}${path}`)),
    [Symbol.asyncDispose]: () => context.close(),
  }
}

/** How many pixels the page is wider than its window; on a phone, the window's own width would grow with the page. */
export async function overflow(page: Page): Promise<number> {
  const width = await page.evaluate<number>('document.documentElement.scrollWidth')
  return width - (page.viewportSize()?.width ?? 0)
}
