import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeMedia } from '../../src/model/post.ts'
import { makePost } from '../api/harness.ts'
import { openBrowser, openWindow, whyNoBrowser } from './browser.ts'
import { publish } from './setting.ts'
import { startService } from '../start-service.ts'

const HOST = 'https://cdn4.telesco.pe/file'
const WITHOUT = `for (const image of document.images) image.style.visibility = 'hidden'`

test(
  'a picture whose address has died leaves its placeholder, and no broken sign',
  {
    skip: whyNoBrowser() ?? false,
  },
  async () => {
    const world = { seed: 'broken', channels: 3, days: 2, steady: true }
    await using service = await startService({ world, env: { TELEGREP_MEDIA: 'show' } })
    const publishedAt = Math.floor(Date.now() / 1000) * 1000 - 60_000
    const photo = { url: `${HOST}/tower.jpg`, width: 640, height: 480 }
    await publish(service, { username: 'towers', title: 'Towers', avatarUrl: `${HOST}/a.jpg` }, [
      makePost({ number: 1, publishedAt, text: 'A tower', media: [makeMedia('photo', photo)] }),
    ])
    await using browser = await openBrowser()
    await using window = await openWindow(browser, service.url)
    const { page } = window
    const asked: string[] = []
    await page.route(/telesco/, (route) => {
      asked.push(route.request().url())
      return route.abort()
    })
    for (const [path, place] of [
      ['/channels/towers/posts/1', '.media li'],
      ['/channels/towers', '.avatar'],
    ] as const) {
      await page.goto(`${service.url}${path}`, { waitUntil: 'networkidle' })
      const shown = page.locator(place).first()
      assert.ok((await shown.locator('img').count()) === 1, `${path} shows a picture`)
      const broken = await shown.screenshot({ animations: 'disabled' })
      await page.evaluate(WITHOUT)
      const without = await shown.screenshot({ animations: 'disabled' })
      assert.ok(broken.equals(without), `${path}: the broken picture is not seen`)
    }
    assert.ok(asked.some((url) => url === photo.url))
  },
)
