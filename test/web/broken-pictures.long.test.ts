import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser, Locator } from 'playwright-core'
import type { MediaMode } from '../../src/model/picture.ts'
import { makeMedia } from '../../src/model/post.ts'
import { makePost } from '../api/harness.ts'
import { jpegOf } from '../pictures/picture-bytes.ts'
import { openBrowser, openWindow, whyNoBrowser } from './browser.ts'
import { publish } from './setting.ts'
import { startService, type Service } from '../start-service.ts'

const HOST = 'https://cdn4.telesco.pe/file'
const MAP = 'https://maps.example/static?at=1,2'
const WITHOUT = `for (const image of document.images) image.style.visibility = 'hidden'`
const NOWHERE = 'http://127.0.0.1:9'

/**
 * Everything that can have a picture: a photo, a second one in an album, the still of a video, a map, a link preview, the
 * channel itself.
 */
async function publishTowers(service: Service): Promise<void> {
  const publishedAt = Math.floor(Date.now() / 1000) * 1000 - 60_000
  const size = { width: 640, height: 480 }
  const media = [
    makeMedia('photo', { url: `${HOST}/tower.jpg`, fileId: 'a', ...size }),
    makeMedia('photo', { url: `${HOST}/bridge.jpg`, fileId: 'b' }),
    makeMedia('video', { thumbnailUrl: `${HOST}/film.jpg`, fileId: 'c', durationS: 9, ...size }),
    makeMedia('location', { thumbnailUrl: MAP, latitude: 1, longitude: 2 }),
  ]
  const linkPreview = {
    url: 'https://example.com/towers',
    siteName: null,
    title: 'Towers',
    description: null,
    imageUrl: `${HOST}/preview.jpg`,
  }
  await publish(service, { username: 'towers', title: 'Towers', avatarUrl: `${HOST}/a.jpg` }, [
    makePost({ number: 1, publishedAt, text: 'A tower', media, linkPreview }),
  ])
}

/** Pictures that were kept and then lost: rows without files. */
async function keepAndLose({ app: { store, clock, context }, folder }: Service): Promise<number> {
  const due = await store.pictures.due(clock.now(), 100)
  for (const [i, wanted] of due.entries()) {
    const bytes = jpegOf(8, 6, i)
    const sha256 = await context.pictureFiles.write(bytes)
    const file = { sha256, type: 'jpeg', bytes: bytes.length, width: 8, height: 6 } as const
    await store.pictures.keep(wanted, file, clock.now())
  }
  rmSync(join(folder, 'media'), { recursive: true })
  return due.length
}

/** A screenshot once nothing changes any more: a busy machine may draw the page twice before it is done. */
async function shoot(shown: Locator): Promise<Buffer> {
  const shot = () => shown.screenshot({ animations: 'disabled' })
  for (let [last, next] = [await shot(), await shot()]; ; [last, next] = [next, await shot()])
    if (next.equals(last)) return next
}

describe(
  'a picture that cannot be loaded shows its placeholder, not a broken-image icon',
  { skip: whyNoBrowser() ?? false },
  () => {
    let browser: Browser
    before(async () => {
      browser = await openBrowser()
    })
    after(() => browser?.close())

    for (const [mode, pictures] of [
      ['link', 0],
      ['show', 4],
      ['keep', 4],
    ] as const satisfies readonly (readonly [MediaMode, number])[]) {
      test(`with TELEGREP_MEDIA=${mode}`, async () => {
        const world = { seed: 'broken', channels: 3, days: 2, steady: true }
        const env = { TELEGREP_MEDIA: mode }
        await using service = await startService({
          world,
          env,
          picturesUrl: NOWHERE,
          crawl: false,
        })
        await publishTowers(service)
        if (mode === 'keep') assert.ok((await keepAndLose(service)) >= pictures)
        await using window = await openWindow(browser, service.url)
        const { page } = window
        const asked: string[] = []
        await page.route(/telesco|\/media\//, (route) => {
          asked.push(route.request().url())
          return mode === 'keep' ? route.continue() : route.abort()
        })
        for (const path of ['/channels/towers/posts/1', '/channels/towers']) {
          await page.goto(`${service.url}${path}`, { waitUntil: 'networkidle' })
          const shown = page.locator('main')
          const images = await shown.locator('img').count()
          if (path.endsWith('1')) assert.ok(images >= pictures, `${path} has ${images} pictures`)
          assert.equal(images === 0, pictures === 0, path)
          const broken = await shoot(shown)
          await page.evaluate(WITHOUT)
          const without = await shoot(shown)
          assert.ok(broken.equals(without), `${path}: the broken picture is not seen`)
        }
        assert.equal(asked.length === 0, pictures === 0)
        const others = asked.filter((url) => !url.startsWith(HOST) && !url.includes('/media/'))
        assert.deepEqual(others, [], 'maps are asked of nobody')
        const outside = window.wrongs.filter((wrong) => !wrong.includes(HOST))
        assert.deepEqual(outside, [])
      })
    }
  },
)
