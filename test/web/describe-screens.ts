import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { AppError } from '../../src/model/errors.ts'
import type { SearchIndex } from '../../src/search/search-index.ts'
import type { Service } from '../start-service.ts'
import type { Open } from './browser.ts'
import { mountPages } from './mount-pages.ts'
import { STATES } from './page-states.ts'

const FOLDER = fileURLToPath(new URL('../screenshots/', import.meta.url))
/** `SCREENS=1` keeps a screenshot of each page in each look. */
const isKept = process.env['SCREENS'] === '1'
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const LOOKS = [
  { name: 'desktop-light', size: { width: 1200, height: 900 }, colorScheme: 'light' },
  { name: 'desktop-dark', size: { width: 1200, height: 900 }, colorScheme: 'dark' },
  { name: 'phone-light', size: { width: 375, height: 740 }, colorScheme: 'light' },
  { name: 'phone-dark', size: { width: 375, height: 740 }, colorScheme: 'dark' },
] as const
/** Layout decides most rules and colours one, so two looks cover them all. */
const RULES: Readonly<Partial<Record<(typeof LOOKS)[number]['name'], string>>> = {
  'desktop-light': '{}',
  'phone-dark': '{ runOnly: ["color-contrast", "target-size", "scrollable-region-focusable"] }',
}

/** Pixels of a search box that its placeholder leaves. */
const ROOM_LEFT = `(() => {
  const input = document.querySelector('.ask input[type=search]')
  const typed = getComputedStyle(input)
  const { fontSize, fontFamily } = getComputedStyle(input, '::placeholder')
  const canvas = document.createElement('canvas').getContext('2d')
  canvas.font = fontSize + ' ' + fontFamily
  const sides = parseFloat(typed.paddingInlineStart) + parseFloat(typed.paddingInlineEnd)
  return input.clientWidth - sides - canvas.measureText(input.placeholder).width
})()`

/** Every page in every state and look has no problems for screen readers and keyboards. */
export function describeScreens(open: Open, service: () => Service): void {
  test('every page in every state is accessible, on desktop in light and on a phone in dark mode', async () => {
    const { page, go } = await open()
    const found: string[] = []
    for (const [name, { path, act }] of Object.entries(STATES)) {
      await go(path)
      await act?.(page)
      found.push(...(await look(page, name)))
    }
    assert.deepEqual(found, [])
  })

  test('the search box has room for its placeholder, on the smallest phone too', async () => {
    const { page, go } = await open({ viewport: { width: 320, height: 600 } })
    for (const path of ['/', '/channels']) {
      await go(path)
      assert.ok((await page.evaluate<number>(ROOM_LEFT)) >= 0, path)
    }
  })

  test('the lists of the home page fill its width, however many there are', async () => {
    const { page, go } = await open()
    await go('/')
    const gap = () =>
      page.evaluate<number>(`(() => {
        const right = (selector) => document.querySelector(selector).getBoundingClientRect().right
        return Math.round(right('.front') - right('.front > :last-child'))
      })()`)
    assert.equal(await gap(), 0)
    await page.evaluate("document.querySelector('.front > :first-child').remove()")
    assert.equal(await gap(), 0)
  })

  test('the pages of an overloaded service and of an incomplete search are accessible too', async () => {
    const { context } = service().app
    for (const [name, change, words] of [
      ['search-cut-short', cutShort, /Not all was searched: so many posts match/],
      ['search-overloaded', overloaded, /Try again in 2 s/],
    ] as const) {
      const index = Object.assign(Object.create(context.index), change(context.index))
      const pages = mountPages(new AbortController(), {
        ctx: { ...context, index },
        onFailure: assert.fail,
      })
      const made = await pages.request('/?q=harbour')
      const body = await made.text()
      assert.match(body, words)
      assert.ok(Buffer.byteLength(body) <= 60_000, name)
      const { page, go } = await open()
      const headers = { 'content-type': 'text/html; charset=utf-8' }
      await page.route('**/made', (route) => route.fulfill({ status: 200, headers, body }))
      await go('/made')
      assert.deepEqual(await look(page, name), [])
    }
  })
}

function cutShort({ search }: SearchIndex): Partial<SearchIndex> {
  return {
    async search(...asked) {
      return { ...(await search(...asked)), complete: false, reason: 'visits' }
    },
  }
}

function overloaded(): Partial<SearchIndex> {
  const busy = new AppError('overloaded', 'the service is busy', { retryAfterS: 2 })
  return { search: () => Promise.reject(busy) }
}

async function look(page: Page, name: string): Promise<string[]> {
  const found: string[] = []
  // Run through the debugger, not as a script of the page, which its content policy would refuse.
  await page.evaluate(AXE)
  for (const { name: looks, size, colorScheme } of LOOKS) {
    const rules = RULES[looks]
    if (rules === undefined && !isKept) continue
    await page.setViewportSize(size)
    await page.emulateMedia({ colorScheme })
    if (isKept) {
      mkdirSync(FOLDER, { recursive: true })
      await page.screenshot({ path: join(FOLDER, `${name}-${looks}.png`) })
    }
    if (rules === undefined) continue
    for (const problem of await problems(page, rules)) found.push(`${name}-${looks}: ${problem}`)
  }
  await page.setViewportSize(LOOKS[0].size)
  return found
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
