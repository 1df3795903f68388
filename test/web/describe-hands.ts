import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { overflow, type Open } from './browser.ts'
import { STATES } from './page-states.ts'
import { RICH, SPOILED } from './setting.ts'

const PHONE = { viewport: { width: 375, height: 740 }, hasTouch: true, isMobile: true }

const HIDDEN_COLUMNS =
  '[...document.querySelectorAll("#duplicates .scroller")].filter((e) => e.scrollWidth > e.clientWidth).length'

/** Other ways of reading: keyboard, phone, no script, no style, dark, print, right to left. */
export function describeHands(open: Open): void {
  describe('other ways of reading', () => {
    test('results can be reached and opened with the keyboard alone', async () => {
      const { page, go } = await open()
      await go('/?q=harbour')
      const focused = () =>
        page.evaluate<string>(
          'document.activeElement.matches("input[type=search]") ? "box" : String([...document.querySelectorAll("[data-card]")].findIndex((card) => card.contains(document.activeElement)))',
        )
      await page.keyboard.press('/')
      assert.equal(await focused(), 'box')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowDown')
      assert.equal(await focused(), '1')
      await page.keyboard.press('k')
      assert.equal(await focused(), '0')
      await page.keyboard.press('ArrowUp')
      assert.equal(await focused(), 'box')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowUp')
      await page.keyboard.press('Escape')
      assert.equal(await focused(), '-1', 'Esc leaves the box')
      assert.equal(await page.inputValue('input[type=search]'), 'harbour', 'with its words')
      await page.keyboard.press('j')
      await page.keyboard.press('Enter')
      await page.waitForURL('**/channels/*/posts/*')
    })

    test('one-letter keys can be switched off, and the choice is remembered', async () => {
      const { page, go } = await open()
      const label = /Use \/, j and k as keys/
      await go('/help')
      assert.ok(await page.getByLabel(label).isChecked())
      await page.getByLabel(label).uncheck()
      const isFree = 'document.activeElement === document.body'
      await go('/?q=harbour')
      for (const key of ['/', 'j', 'k']) await page.keyboard.press(key)
      assert.ok(await page.evaluate(isFree))
      await go('/help')
      await page.getByLabel(label).check()
      await go('/?q=harbour')
      await page.keyboard.press('j')
      assert.ok(!(await page.evaluate(isFree)))
    })

    test('arrow keys scroll outside a list, and within a card taller than the window', async () => {
      const { page, go } = await open({ viewport: { width: 900, height: 300 } })
      const pressUntil = async (key: string, reached: string) => {
        for (let i = 0; i < 100 && !(await page.evaluate(reached)); i++) {
          await page.keyboard.press(key)
          await page.waitForTimeout(20)
        }
        assert.ok(await page.evaluate(reached), `${key}: ${reached}`)
      }
      const isFree = 'document.activeElement === document.body'
      await go(RICH.path)
      await pressUntil('ArrowDown', `${isFree} && scrollY > 300`)
      await pressUntil('ArrowUp', `${isFree} && scrollY < 200`)
      await go('/?q=harbour')
      await page.evaluate('document.querySelectorAll("article")[9].scrollIntoView()')
      await page.keyboard.press('ArrowDown')
      assert.ok(await page.evaluate(isFree))
      await page.keyboard.press('j')
      const card = 'document.activeElement.closest("article")'
      assert.ok(await page.evaluate(`${card} === document.querySelectorAll("article")[9]`))
      await page.evaluate(`${card}.style.minHeight = '900px'`)
      await pressUntil('ArrowDown', `${card}.getBoundingClientRect().top < -400`)
      assert.ok(await page.evaluate(`${card} === document.querySelectorAll("article")[9]`))
      await pressUntil('ArrowDown', `${card} === document.querySelectorAll("article")[10]`)
    })

    test('a spoiler is revealed by touch and by keyboard focus', async () => {
      const { page, go } = await open(PHONE)
      const color = () =>
        page.evaluate<string>('getComputedStyle(document.querySelector(".spoiler")).color')
      for (const uncover of [
        () => page.tap('.spoiler'),
        () => page.press('article header a', 'Tab'),
      ] as const) {
        await go(SPOILED.path)
        assert.equal(await color(), 'rgba(0, 0, 0, 0)')
        await uncover()
        assert.notEqual(await color(), 'rgba(0, 0, 0, 0)')
      }
    })

    test('Tab moves down the page in visual order, also at 200 % zoom', async () => {
      const { page, go } = await open()
      for (const width of [1200, 600]) {
        await page.setViewportSize({ width, height: 450 })
        await go('/?q=harbour')
        const places: number[] = []
        for (let i = 0; i < 50; i++) {
          await page.keyboard.press('Tab')
          places.push(
            await page.evaluate('document.activeElement.getBoundingClientRect().top + scrollY'),
          )
        }
        const back = places.filter((top, i) => i > 0 && top < places[i - 1]! - 30)
        assert.deepEqual(back, [], `at ${width}`)
        assert.ok(places.at(-1)! > 400, `past the tools at ${width}`)
      }
    })

    test('without JavaScript search, filters, paging and posts work by links and forms', async () => {
      const { page, go } = await open({ javaScriptEnabled: false })
      await go('/')
      await page.fill('input[type=search]', 'harbour')
      await page.click('button')
      await page.waitForURL('**/?q=harbour')
      assert.equal(await page.locator('article').count(), 20)
      await page.click('summary:has-text("Filters")')
      await page.fill('input[name=channel]', 'harbour_news')
      await page.click('button:has-text("Apply")')
      assert.match(await page.innerText('.chips'), /channel: harbour_news/)
      await page.click('a[rel=next]')
      await page.waitForURL(/cursor=/)
      await page.click('[data-open] >> nth=0')
      await page.waitForURL('**/posts/*')
      assert.ok(await page.isVisible('#note'), 'evidence can be selected by hand')
      assert.ok(!(await page.isVisible('[data-copy]')), 'no button that does nothing')
      await go('/channels/harbour_news')
      await page.click('a[rel=next]')
      await page.waitForURL(/cursor=/)
      assert.equal(await page.locator('article').count(), 20)
    })

    test('without JavaScript every page has a heading and content, and none is wider than the window', async () => {
      const { page, go } = await open({ javaScriptEnabled: false })
      for (const [name, { path, act }] of Object.entries(STATES)) {
        // What only a script adds is absent, and leaves no gap.
        if (act && /suggesting|following/.test(name)) continue
        await go(path)
        assert.ok(await page.isVisible('h1'), name)
        assert.ok((await page.innerText('main')).length > 20, name)
        assert.ok((await overflow(page)) <= 0, name)
      }
    })

    test('the API reference shows a reply below its form, which stays usable', async () => {
      const { page, go } = await open()
      await go('/docs')
      const form = page.locator('#search_posts form')
      await form.locator('[name=q]').fill('harbour')
      assert.match((await form.locator('.curl').textContent()) ?? '', /\/v1\/search\?q=harbour'$/)
      await form.locator('button').click()
      await form.locator('.reply', { hasText: '200 OK' }).waitFor()
      assert.equal(await form.locator(':disabled').count(), 0)
      await page.click('.toc a:has-text("get_post")')
      await page.click('#get_post summary:has-text("Example reply")')
      const example = page.locator('#get_post .example pre')
      await example.waitFor()
      assert.match(await example.innerText(), /"content_sha256"/)
    })

    test('no page is wider than a phone', async () => {
      const { page, go } = await open(PHONE)
      const paths = new Set(Object.values(STATES).map(({ path }) => path))
      for (const path of [...paths, '/?q=harbour&channel=harbour_news,harbour_echo&since=29d']) {
        await go(path)
        await page.evaluate('document.querySelectorAll("details").forEach((d) => (d.open = true))')
        assert.ok((await overflow(page)) <= 0, path)
        assert.equal(await page.evaluate(HIDDEN_COLUMNS), 0, path)
      }
    })

    test('text at twice the size makes no page wider than a small window', async () => {
      const { page, go } = await open({ viewport: { width: 320, height: 700 } })
      for (const path of new Set(Object.values(STATES).map((state) => state.path))) {
        await go(path)
        await page.evaluate('document.querySelectorAll("details").forEach((d) => (d.open = true))')
        await page.evaluate('document.documentElement.style.fontSize = "200%"')
        assert.ok((await overflow(page)) <= 0, path)
      }
    })

    test('right-to-left text is aligned to the right, the page around it stays left-to-right', async () => {
      const { page, go } = await open()
      for (const path of ['/?q=الميناء', '/channels/akhbar_bandar/posts/3']) {
        await go(path)
        const { text, top, gap } = await page.evaluate<{ text: string; top: string; gap: number }>(
          `(() => {
            const text = document.querySelector('article .text a, article .full')
            const range = document.createRange()
            const node = document.createTreeWalker(text, NodeFilter.SHOW_TEXT).nextNode()
            range.setStart(node, 0)
            range.setEnd(node, 1)
            return {
              text: getComputedStyle(text).direction,
              top: getComputedStyle(document.querySelector('.top')).direction,
              gap: text.closest('.text, .full').getBoundingClientRect().right - range.getBoundingClientRect().right,
            }
          })()`,
        )
        assert.deepEqual({ text, top }, { text: 'rtl', top: 'ltr' })
        // The first letter is at the right edge of the text's own box.
        assert.ok(Math.abs(gap) < 2, `${path}: ${gap}`)
      }
    })

    test('dark, light and print styles follow the reader’s settings, without transitions', async () => {
      const { page, go } = await open({ colorScheme: 'dark' })
      await go('/?q=harbour')
      const style = (selector: string, name: string) =>
        page.evaluate<string>(
          `getComputedStyle(document.querySelector('${selector}')).getPropertyValue('${name}')`,
        )
      const dark = await style('html', 'background-color')
      assert.equal(await style('a', 'transition-duration'), '0s')
      await page.emulateMedia({ colorScheme: 'light' })
      assert.notEqual(await style('html', 'background-color'), dark)
      await page.emulateMedia({ media: 'print' })
      assert.equal(await style('.top', 'display'), 'none')
      assert.equal(await style('.side', 'display'), 'none')
      assert.equal(await style('html', 'background-color'), 'rgb(255, 255, 255)')
      assert.ok(await page.isVisible('article'))
      assert.match(await page.innerText('.bar + .soft'), / For harbour, \d{4}-\d\d-\d\d .* UTC/)
      assert.equal(await style('.split .bar', 'display'), 'none')
      const date = `getComputedStyle(document.querySelector('article .ago'), '::after').content`
      assert.match(await page.evaluate<string>(date), /\(\d{4}-\d\d-\d\dT.*Z\)/)
      await page.emulateMedia({ media: 'screen' })
      assert.equal(await page.isVisible('.paper'), false)
    })

    test('without style sheets a page reads in order', async () => {
      const { page, go } = await open()
      await page.route('**/*.css', (route) => route.fulfill({ body: '', contentType: 'text/css' }))
      await go('/?q=harbour')
      const text = await page.innerText('body')
      const places = [
        'Telegrep',
        'posts',
        'Searched',
        'Order:',
        'berth',
        'Next page',
        'Channels\n',
        'Limits',
      ]
      let at = -1
      for (const words of places) {
        const next = text.indexOf(words, at + 1)
        assert.ok(next > at, `“${words}” comes after what was before it`)
        at = next
      }
      assert.ok((await overflow(page)) <= 0)
    })
  })
}
