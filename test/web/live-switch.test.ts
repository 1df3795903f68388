import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makePost } from '../../src/model/post.ts'
import { until } from '../until.ts'
import { openBrowser, openWindow, whyNoBrowser } from './browser.ts'
import { publish, startSetting } from './setting.ts'

const reason = whyNoBrowser()
if (reason !== undefined) process.stdout.write(`# the live switch is skipped: ${reason}\n`)

test(
  'a search counts its new posts while it is live, and leads to them',
  {
    skip: reason ?? false,
  },
  async (t) => {
    await using service = await startSetting()
    const browser = await openBrowser()
    t.after(() => browser.close())
    await using window = await openWindow(browser, service.url)
    const { page, go } = window
    await go('/?q=lighthouse&sort=oldest')
    const button = page.getByRole('button', { name: 'Live' })
    await button.click()
    await page.getByText('Waiting for new posts').waitFor()
    assert.equal(await button.getAttribute('aria-pressed'), 'true')
    const at = service.app.clock.now()
    const fresh = [900_001, 900_002].map((number) =>
      makePost({ number, publishedAt: at - 1_000, text: `The lighthouse blinked ${number} times` }),
    )
    const ships = makePost({ number: 900_003, publishedAt: at - 1_000, text: 'Ships passed by' })
    await publish(service, { username: 'new_lights', title: 'New lights' }, [...fresh, ships])
    await page.getByText('2 new posts').waitFor()
    assert.match(await page.title(), /^\(2\) /)
    await page.getByText('2 new posts').click()
    await page.waitForURL('**/?q=lighthouse&sort=newest')
    await until(async () => service.app.context.streams.open === 0)
    assert.deepEqual(window.wrongs, [])
  },
)
