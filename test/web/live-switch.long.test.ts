import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { makePost } from '../../src/store/contract/make-post.ts'
import { until } from '../until.ts'
import { openBrowser, openWindow, whyNoBrowser } from './browser.ts'
import { publish, startSetting } from './setting.ts'

const reason = whyNoBrowser()
if (reason !== undefined) process.stdout.write(`# the live switch is skipped: ${reason}\n`)

test(
  'a live search counts its new posts and links to them, until it is switched off',
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
    const colour = () =>
      page.evaluate<string>(
        "getComputedStyle(document.querySelector('[aria-pressed]')).backgroundColor",
      )
    const off = await colour()
    await button.click()
    await page.getByText('Waiting for new posts').waitFor()
    assert.equal(await button.getAttribute('aria-pressed'), 'true')
    assert.notEqual(await colour(), off, 'that it is on can be seen')
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
    await page.getByText('Waiting for new posts').waitFor()
    assert.equal(await button.getAttribute('aria-pressed'), 'true', 'who reads on follows on')
    const { streams } = service.app.context
    await until(async () => streams.open === 1)
    await go('/?q=ships')
    assert.equal(await button.getAttribute('aria-pressed'), 'false', 'of this search alone')
    await until(async () => streams.open === 0)
    await go('/?q=lighthouse')
    await page.getByText('Waiting for new posts').waitFor()
    await button.click()
    await page.reload()
    assert.equal(await button.getAttribute('aria-pressed'), 'false')
    await until(async () => streams.open === 0)
    assert.deepEqual(window.wrongs, [])
  },
)

/** A proxy that can drop its connections, and then refuse new ones. */
async function startProxy(url: string) {
  let isUp = true
  let isThere = true
  let refused = 0
  const proxy = createServer((incoming, outgoing) => {
    const { method = 'GET', headers, url: path = '/' } = incoming
    if (!isThere) {
      incoming.socket.destroy()
      return
    }
    if (!isUp) {
      refused++
      outgoing.writeHead(502).end('nobody is there')
      return
    }
    const asked = request(`${url}${path}`, { method, headers }, (reply) => {
      outgoing.writeHead(reply.statusCode ?? 500, reply.headers)
      reply.pipe(outgoing)
    })
    asked.on('error', () => outgoing.destroy())
    outgoing.on('close', () => asked.destroy())
    asked.end()
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const { port } = proxy.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    get refused() {
      return refused
    },
    fail() {
      isUp = false
      proxy.closeAllConnections()
    },
    /** As when the service itself is down, without a proxy in front. */
    vanish() {
      isThere = false
      proxy.closeAllConnections()
    },
    recover() {
      isUp = true
      isThere = true
    },
    async [Symbol.asyncDispose]() {
      proxy.closeAllConnections()
      await new Promise((resolve) => proxy.close(resolve))
    },
  }
}

/** A search that is live, behind a proxy. */
async function openLive(opened: AsyncDisposableStack) {
  const service = opened.use(await startSetting())
  const proxy = opened.use(await startProxy(service.url))
  const browser = opened.adopt(await openBrowser(), (each) => each.close())
  const { page, go } = opened.use(await openWindow(browser, proxy.url))
  await go('/?q=lighthouse')
  await page.getByRole('button', { name: 'Live' }).click()
  await page.getByText('Waiting for new posts').waitFor()
  return { service, proxy, page }
}

test(
  'the live page and the documented code reconnect after a 502, and miss no post',
  { skip: reason ?? false },
  async () => {
    await using opened = new AsyncDisposableStack()
    const { service, proxy, page } = await openLive(opened)
    const handbook = readFileSync(new URL('../../docs/following.md', import.meta.url), 'utf8')
    const [, code = ''] = /```js\n(let lastId[^]*?)```/.exec(handbook) ?? []
    const logged: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'log') logged.push(message.text())
    })
    await page.evaluate(code.replace('q=flood', 'q=lighthouse'))
    const { streams } = service.app.context
    await until(() => streams.open === 2)
    const tell = (number: number) => {
      const publishedAt = service.app.clock.now() - 1_000
      const post = makePost({ number, publishedAt, text: `The lighthouse fell dark ${number}` })
      return publish(service, { username: 'new_lights', title: 'New lights' }, [post])
    }
    await tell(900_011)
    await page.getByText('1 new post').waitFor()
    await until(() => logged.length === 1)

    proxy.fail()
    await until(() => streams.open === 0)
    await tell(900_012)
    await until(() => proxy.refused >= 2)
    await page.getByText(/^1 new post · .*trying again$/).waitFor()
    proxy.recover()
    await page
      .getByText(/^2 new posts$/)
      .first()
      .waitFor()
    assert.equal(await page.getByText('trying again').count(), 0)
    await tell(900_013)
    await page.getByText('3 new posts').waitFor()
    await until(() => logged.length === 3)
    assert.deepEqual(
      logged.map((line) => /\d+$/.exec(line)![0]),
      ['900011', '900012', '900013'],
    )
    await page.getByRole('button', { name: 'Live' }).click()
    await until(() => streams.open === 1)
  },
)

test(
  'the live page says that nobody answers, and no longer once somebody does',
  { skip: reason ?? false },
  async () => {
    await using opened = new AsyncDisposableStack()
    const { proxy, page } = await openLive(opened)
    proxy.vanish()
    await page.getByText('Not available just now, trying again').waitFor()
    proxy.recover()
    await page.getByText('Waiting for new posts').waitFor()
  },
)
