import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openBrowser, openWindow, whyNoBrowser } from './browser.ts'
import { startSetting } from './setting.ts'

const reason = whyNoBrowser()
if (reason !== undefined) process.stdout.write(`# browser tests are skipped: ${reason}\n`)

/** The everyday test; what people do page by page is in `browser.long.test.ts`. */
test(
  'a search can be typed and gets its results in Chromium',
  { skip: reason ?? false },
  async () => {
    await using service = await startSetting()
    await using browser = await openBrowser()
    await using window = await openWindow(browser, service.url)
    const { page, go } = window
    await go('/')
    await page.fill('input[type=search]', 'harbour berth')
    await page.press('input[type=search]', 'Enter')
    await page.waitForURL('**/?q=harbour+berth', { waitUntil: 'load' })
    assert.match(await page.innerText('h1'), /^45 posts$/)
    assert.equal(await page.locator('article').count(), 20)
    assert.deepEqual(window.wrongs, [])
  },
)
