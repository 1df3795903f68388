import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Open } from './browser.ts'
import { RICH } from './setting.ts'

/** What a reader does with a mouse, page by page. */
export function describeReading(open: Open): void {
  describe('reading', () => {
    test('a search is typed, paged, narrowed by a filter, and widened again', async () => {
      const { page, go } = await open()
      await go('/')
      await page.fill('input[type=search]', 'harbour berth')
      await page.press('input[type=search]', 'Enter')
      await page.waitForURL('**/?q=harbour+berth', { waitUntil: 'load' })
      assert.match(await page.innerText('h1'), /^45 posts$/)
      assert.equal(await page.locator('article').count(), 20)
      assert.equal(
        (await page.locator('article mark').allInnerTexts())[0]?.toLowerCase(),
        'harbour',
      )
      assert.match(
        await page.innerText('main'),
        /Searched [\d,]+ posts of \d+ channels, newest .+ ago/,
      )
      const first = await page.innerText('article >> nth=0')
      await page.click('a[rel=next]')
      await page.waitForURL('**cursor=**', { waitUntil: 'load' })
      assert.equal(await page.locator('article').count(), 20)
      assert.notEqual(await page.innerText('article >> nth=0'), first)
      await page.goBack()
      assert.equal(await page.innerText('article >> nth=0'), first)

      await page.click('summary:has-text("Filters")')
      await page.selectOption('select[name=has]', 'video')
      await page.click('button:has-text("Apply")')
      await page.waitForURL('**/?q=harbour+berth&has=video')
      assert.match(await page.innerText('h1'), /^No post contains every word$/)
      await page.click('.chips a')
      assert.match(await page.innerText('h1'), /^45 posts$/)
    })

    test('back from another search, fields and list agree again', async () => {
      const { page, go } = await open()
      await go('/changes')
      await page.click('summary:has-text("Filters")')
      await page.selectOption('select[name=kind]', 'number')
      await page.click('button:has-text("Find")')
      await page.waitForURL('**/changes?kind=number', { waitUntil: 'load' })
      await page.goBack({ waitUntil: 'load' })
      assert.equal(await page.inputValue('select[name=kind]'), '')

      await go('/?q=harbour')
      const box = page.locator('input[type=search]')
      // A browser that keeps the page as it was left shows it again with this event; an answer of 204 leaves it, too.
      await page.route('**/?q=lighthouse', (route) => route.fulfill({ status: 204 }))
      const asked = page.waitForRequest('**/?q=lighthouse')
      await box.fill('lighthouse')
      await box.press('Enter')
      await asked
      await page.evaluate("dispatchEvent(new Event('pageshow'))")
      assert.equal(await box.inputValue(), 'harbour')
      await box.fill('half a que')
      await page.evaluate("dispatchEvent(new Event('pageshow'))")
      assert.equal(await box.inputValue(), 'half a que', 'what was not sent stays')
    })

    test('a day of the histogram and a facet narrow the search', async () => {
      const { page, go } = await open()
      await go('/?q=harbour')
      const bars = page.locator('.plot a')
      assert.ok((await bars.count()) > 20)
      await bars.nth(3).click()
      const { searchParams } = new URL(page.url())
      assert.match(searchParams.get('since') ?? '', /^\d{4}-\d\d-\d\d$/)
      assert.ok((await page.locator('article').count()) > 0)
      const days = await page
        .locator('article time')
        .evaluateAll((times) =>
          times.map((time) => (time as unknown as { dateTime: string }).dateTime.slice(0, 10)),
        )
      assert.deepEqual([...new Set(days)], [searchParams.get('since')])
      await page.click('text=All 30 days')
      await page.click('.side a:has-text("Echo of the harbour")')
      assert.equal(new URL(page.url()).searchParams.get('channel'), 'harbour_echo')
      assert.equal(await page.locator('article').count(), 1)
    })

    test('copies of a post are listed in its card, earliest first', async () => {
      const { page, go } = await open()
      await go('/?q=captains+lighthouse+pilots+fees&strict=true')
      assert.equal(await page.locator('article').count(), 2)
      await page.click('text=Group copies')
      assert.equal(await page.locator('article').count(), 1)
      await page.click('.copies summary')
      const copies = await page.locator('.copies li').allInnerTexts()
      assert.equal(copies.length, 2)
      assert.match(copies[0] ?? '', /Harbour news/)
      await page.click('text=Compare them')
      await page.waitForURL('**/posts/200#duplicates')
      assert.match(await page.innerText('#duplicates'), /This one is the earliest/)
    })

    test('the links to all formats of a search work', async () => {
      const { page, go } = await open()
      await go('/?q=harbour&lang=en')
      const links = await page
        .locator('a[href^="/v1/search"]')
        .evaluateAll((all) => all.map((a) => (a as unknown as { href: string }).href))
      assert.equal(links.length, 6)
      for (const link of links) assert.equal((await page.request.get(link)).status(), 200, link)
    })

    test('a channel is found, scrolled to its end, and searched', async () => {
      const { page, go } = await open()
      await go('/channels')
      await page.fill('main input[name=q]', 'harbour')
      await page.click('summary:has-text("Filters")')
      await page.selectOption('select[name=verified]', 'true')
      await page.click('main button')
      assert.deepEqual(await page.locator('article h3').allInnerTexts(), ['Harbour news'])
      await page.click('article h3 a')
      assert.match(await page.innerText('h1'), /^Harbour news/)
      assert.equal(await page.locator('.plot').count(), 3)
      for (const last of [39, 45]) {
        await page.locator('a[rel=next]').scrollIntoViewIfNeeded()
        await page.locator('article').nth(last).waitFor({ state: 'attached' })
      }
      assert.equal(await page.locator('a[rel=next]').count(), 0)
      await page.fill('main input[name=q]', 'lighthouse')
      await page.click('main button')
      assert.equal(await page.locator('article').count(), 1)
    })

    test('changes are listed, compared and filtered, with and without JavaScript', async () => {
      for (const javaScriptEnabled of [true, false]) {
        const { page, go } = await open({ javaScriptEnabled })
        await go('/changes')
        const card = page.locator('article', { hasText: 'Harbour news' })
        assert.equal(await card.locator('.diff del').innerText(), 'twelve')
        await card.locator('label:has-text("After")').click()
        assert.match(await card.locator('.after').innerText(), /Captains of fourteen ships/)
        await page.click('main summary')
        await page.selectOption('select[name=kind]', 'deleted')
        await page.click('main form button')
        assert.equal(await page.locator('article').count(), 1)
        assert.match(await page.innerText('article'), /Quay notes/)
        await go('/changes?kind=link')
        assert.match(await page.innerText('main'), /No change matches/)
      }
    })

    test('the spread of a post is shown as a diagram and as a table', async () => {
      const { page, go } = await open()
      await go(RICH.path)
      assert.equal(await page.locator('#duplicates svg circle').count(), 2)
      const rows = page.locator('#duplicates tbody tr')
      assert.equal(await rows.count(), 2)
      assert.match(await rows.nth(0).innerText(), /Harbour news\s+this post[\s\S]*original/)
      assert.match(await rows.nth(1).innerText(), /Echo of the harbour[\s\S]*2 h later[\s\S]*copy/)
    })

    test('the live view shows its age and can be refreshed', async () => {
      const { page, go } = await open()
      await go('/channels/showcase/live')
      assert.match(await page.innerText('.bar'), /Read from the platform \d+ s ago/)
      assert.ok((await page.locator('article').count()) > 0)
      await page.click('text=Refresh')
      assert.equal(new URL(page.url()).search, '?max_age=0')
      assert.match(await page.innerText('.bar'), /Read from the platform 0 s ago/)
    })

    test('a post shows its poll, preview, media and changes, and its evidence can be copied', async () => {
      const { page, go } = await open({ permissions: ['clipboard-read', 'clipboard-write'] })
      await go(RICH.path)
      assert.equal(await page.innerText('.full b'), 'Captains')
      assert.match(await page.innerText('.poll'), /Are the fees fair\?[\s\S]*71 %/)
      assert.match(await page.innerText('.preview >> text=The rules in full'), /rules/)
      assert.equal(await page.innerText('.diff del'), 'twelve')
      assert.equal(await page.innerText('.diff ins'), 'fourteen')
      const line = 'getComputedStyle(document.querySelector(".diff ins")).textDecorationLine'
      assert.equal(await page.evaluate(line), 'underline', 'seen where no ground is shown')
      const wording = (view: string) => page.locator(`#versions .${view}`)
      assert.deepEqual(
        [await wording('diff').isVisible(), await wording('before').isVisible()],
        [true, false],
      )
      await page.click('#versions label:has-text("Before")')
      assert.match(await wording('before').innerText(), /Captains of twelve ships/)
      assert.equal(await wording('diff').isVisible(), false)
      await page.keyboard.press('ArrowRight')
      assert.match(await wording('after').innerText(), /Captains of fourteen ships/)
      const place = page.locator('.media svg').first()
      const box = await place.boundingBox()
      assert.ok(box && Math.abs(box.width / box.height - 16 / 9) < 0.02, 'the video’s own shape')
      assert.match(await page.locator('.media a').first().innerText(), /video, 1:02, 1280×720/)
      assert.equal(
        await page.locator('.media a').first().getAttribute('href'),
        'https://t.me/harbour_news/200',
      )
      await page.click('#evidence button')
      await page.waitForSelector('text=Copied')
      const copied = await page.evaluate<string>('navigator.clipboard.readText()')
      assert.match(copied, /^https:\/\/t\.me\/harbour_news\/200\nsha256 [0-9a-f]{64}\n/)
      // As on a page in one's own network, whose address is not secure.
      await page.evaluate(`navigator.clipboard.writeText('')`)
      await page.evaluate(`navigator.clipboard.writeText = undefined`)
      await page.evaluate(`document.querySelector('#evidence button').textContent = 'Copy'`)
      await page.click('#evidence button')
      await page.waitForSelector('text=Copied')
      assert.equal((await page.evaluate<string>('navigator.clipboard.readText()')).trim(), copied)
    })

    test('a post links to earlier and later posts of its channel', async () => {
      const { page, go } = await open({ viewport: { width: 360, height: 740 } })
      for (const [words, next] of [
        ['Earlier in the channel', /berth number 45/],
        ['Later', /^$/],
      ] as const) {
        await go(RICH.path)
        await page.click(`article footer >> text=${words}`)
        const texts = await page.locator('article h3').allInnerTexts()
        assert.match(texts[0] ?? '', /^Captains of fourteen/, words)
        assert.match(texts[1] ?? '', next, words)
        const top = 'document.querySelector("article").getBoundingClientRect().top'
        assert.ok((await page.evaluate<number>(top)) < 700, 'the list, not the form above it')
      }
      await go('/channels/harbour_news/posts/120')
      await page.click('text=Later')
      const texts = await page.locator('article h3').allInnerTexts()
      assert.match(texts.slice(0, 2).join(), /berth number 21.*berth number 22/)
    })

    test('copied text contains what was written, without decoration', async () => {
      const { page, go } = await open()
      const copied = (selector: string) =>
        page.evaluate<string>(
          `getSelection().selectAllChildren(document.querySelector('${selector}')), String(getSelection())`,
        )
      await go('/?q=captains+lighthouse&channel=harbour_news')
      assert.match(await copied('article'), /^\s*Harbour news\s+@harbour_news/)
      await go(RICH.path)
      assert.match(await copied('#versions .card'), /UTC text\s+Captains of twelve fourteen ships/)
    })

    test('an error page links to a correction or an alternative', async () => {
      const { page, go } = await open()
      await go('/?q=harbour+lang:eng')
      await page.click('a:has-text("harbour lang:en")')
      assert.ok((await page.locator('article').count()) > 0)
      await go('/channels/nobody_knows_me')
      assert.match(await page.innerText('main'), /not indexed/)
      await page.click('text=Read it live')
      assert.match(await page.innerText('h1'), /Nobody on the platform has that name/)
    })
  })
}
