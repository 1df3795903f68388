import assert from 'node:assert/strict'
import { after, afterEach, before, describe } from 'node:test'
import type { Browser } from 'playwright-core'
import type { Service } from '../start-service.ts'
import { openBrowser, openWindow, whyNoBrowser, type Open, type Window } from './browser.ts'
import { describeHands } from './describe-hands.ts'
import { describeHostile } from './describe-hostile.ts'
import { describeReading } from './describe-reading.ts'
import { describeScreens } from './describe-screens.ts'
import { describeSuggest } from './describe-suggest.ts'
import { startSetting } from './setting.ts'

const reason = whyNoBrowser()
if (reason !== undefined) process.stdout.write(`# browser tests are skipped: ${reason}\n`)

describe('the pages in Chromium', { skip: reason ?? false }, () => {
  let service: Service
  let browser: Browser
  let open: Window[] = []

  before(async () => {
    const [started, launched] = await Promise.all([startSetting(), openBrowser()])
    service = started
    browser = launched
  })
  after(async () => {
    await browser?.close()
    await service?.[Symbol.asyncDispose]()
  })
  afterEach(async () => {
    const closed = open
    open = []
    await Promise.all(closed.map((window) => window[Symbol.asyncDispose]()))
    assert.deepEqual(
      closed.flatMap((window) => window.wrongs),
      [],
      'no page asks another host or breaks its own rules',
    )
  })

  const opener: Open = async (options) => {
    const window = await openWindow(browser, service.url, options)
    open.push(window)
    return window
  }
  describeReading(opener)
  describeHands(opener)
  describeHostile(opener)
  describeSuggest(opener)
  describeScreens(opener, () => service)
})
