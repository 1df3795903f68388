import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { Open } from './browser.ts'
import { RICH } from './setting.ts'

const FOLDER = new URL('../screenshots/', import.meta.url).pathname
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const PAGES = {
  home: '/',
  search: '/?q=harbour',
  copies: '/?q=captains+lighthouse+pilots&collapse=duplicates',
  nothing: '/?q=nothingatall&lang=en&since=7d',
  channels: '/channels',
  changes: '/changes',
  channel: '/channels/harbour_news',
  'right-to-left': '/channels/akhbar_bandar',
  live: '/channels/showcase/live',
  post: RICH.path,
  status: '/status',
  limits: '/limits',
  help: '/help',
  follow: '/follow',
  docs: '/docs',
  errors: '/errors',
  error: '/?q=harbour+lang:eng',
} as const
/** What is opened before the picture is taken. */
const UNFOLDED: Readonly<Record<string, string>> = {
  copies: '.copies',
  nothing: '.tools > details',
  channels: 'form details',
}
const LOOKS = [
  { name: 'desktop-light', size: { width: 1200, height: 900 }, colorScheme: 'light' },
  { name: 'desktop-dark', size: { width: 1200, height: 900 }, colorScheme: 'dark' },
  { name: 'phone-light', size: { width: 375, height: 740 }, colorScheme: 'light' },
  { name: 'phone-dark', size: { width: 375, height: 740 }, colorScheme: 'dark' },
] as const
/** The layout decides most rules and the colours one: two looks hold all of both. */
const RULES: Readonly<Partial<Record<(typeof LOOKS)[number]['name'], string>>> = {
  'desktop-light': '{}',
  'phone-dark': '{ runOnly: ["color-contrast", "target-size", "scrollable-region-focusable"] }',
}

/** Every page in every look: no problem for those who hear or tab it, and a picture for those who see it. */
export function describeScreens(open: Open): void {
  test('every page is accessible in every look', async () => {
    mkdirSync(FOLDER, { recursive: true })
    const { page, go } = await open()
    for (const [name, path] of Object.entries(PAGES)) {
      await go(path)
      const folded = UNFOLDED[name]
      if (folded !== undefined)
        await page.evaluate(`for (const d of document.querySelectorAll('${folded}')) d.open = true`)
      // Through the debugger, not as a script of the page, whose content policy would refuse it.
      await page.evaluate(AXE)
      for (const look of LOOKS) {
        await page.setViewportSize(look.size)
        await page.emulateMedia({ colorScheme: look.colorScheme })
        await page.screenshot({ path: join(FOLDER, `${name}-${look.name}.png`) })
        const rules = RULES[look.name]
        if (rules === undefined) continue
        assert.deepEqual(await problems(page, rules), [], `${name}-${look.name}`)
      }
    }
  })
}

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string }[]
}

async function problems(page: Page, rules: string): Promise<string[]> {
  const violations = await page.evaluate<Violation[]>(
    `axe.run(document, ${rules}).then((found) => found.violations)`,
  )
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 120)).join(' | ')}`,
  )
}
