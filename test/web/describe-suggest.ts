import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Open } from './browser.ts'

/** Suggestions while typing: a combobox for mouse, keyboard and screen reader, and nothing without a script. */
export function describeSuggest(open: Open): void {
  describe('suggestions', () => {
    const option = '[role=option]'

    test('complete a word, are selected with arrow keys, and are searched for', async () => {
      const { page, go } = await open()
      await go('/')
      const box = page.locator('input[type=search]')
      await box.pressSequentially('lightho')
      await page.locator(option, { hasText: 'lighthouse' }).waitFor()
      assert.equal(await box.getAttribute('aria-expanded'), 'true')
      assert.match(await page.innerText('[role=status]'), /^1 suggestion, arrow down/)
      await page.keyboard.press('ArrowDown')
      const active = await box.getAttribute('aria-activedescendant')
      assert.equal(await page.getAttribute(`#${active}`, 'aria-selected'), 'true')
      await page.keyboard.press('ArrowUp')
      assert.equal(await box.getAttribute('aria-activedescendant'), null, 'back to what was typed')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.waitForURL('**/?q=lighthouse')
      assert.ok((await page.locator('article').count()) > 0)
    })

    /** What is searched for when the suggestion of this name is taken. */
    const taken = async ({ page, go }: Awaited<ReturnType<Open>>, typed: string, name: string) => {
      await go('/')
      await page.locator('input[type=search]').pressSequentially(typed)
      await page.locator(option, { hasText: name }).click()
      await page.waitForURL('**/?q=*')
      return new URL(page.url()).searchParams.get('q')
    }

    test('leave what is typed before a word: a sign, an alternative, a part of a compound', async () => {
      const window = await open()
      for (const [typed, asked] of [
        ['ships -lightho', 'ships -lighthouse'],
        ['"lightho', '"lighthouse'],
        ['(ships|lightho', '(ships|lighthouse'],
        ['old-lightho', 'old-lighthouse'],
        ["l'lightho", "l'lighthouse"],
        ['l’LIGHTHO', 'l’lighthouse'],
      ] as const)
        assert.equal(await taken(window, typed, 'lighthouse'), asked)
    })

    test('replace the whole of a word with an apostrophe, unless an article stands before it', async () => {
      const window = await open()
      for (const [typed, kind, value, asked = value] of [
        ["it's", 'word', 'italy'],
        ["don't", 'word', 'dont'],
        ["п'ят", 'word', 'пʼять'],
        ["l'amb", 'word', "l'ambassadeur"],
        ["l'eco", 'word', 'école', "l'école"],
        ["l'amb", 'hashtag', 'ambassadeur', '#ambassadeur'],
      ] as const) {
        await window.page.route('**/v1/suggest*', (route) =>
          route.fulfill({ json: { data: [{ kind, value }], meta: {}, warnings: [] } }),
        )
        assert.equal(await taken(window, typed, value), asked)
      }
    })

    test('are of the kind that # or @ asks for, behind a sign, too', async () => {
      const { page, go } = await open()
      await go('/')
      const box = page.locator('input[type=search]')
      const kinds = async (typed: string) => {
        await box.fill('')
        const replied = page.waitForResponse('**/v1/suggest*')
        await box.fill(typed)
        const { data } = (await (await replied).json()) as { data: { kind: string }[] }
        return new Set(data.map(({ kind }) => kind))
      }
      assert.ok((await kinds('(harbou')).has('word'))
      assert.ok(!(await kinds('(#harbou')).has('word'))
      assert.deepEqual(await kinds('-@harbou'), new Set(['channel']))
    })

    test('complete the name of a channel behind from: and in all its parts', async () => {
      const { page, go } = await open()
      await go('/')
      const box = page.locator('input[type=search]')
      await box.pressSequentially('harbour_ne')
      await page.locator(option, { hasText: '@harbour_news' }).waitFor()
      await box.fill('')
      await box.pressSequentially('ships from:harbour_n')
      await page.locator(option, { hasText: '@harbour_news' }).click()
      await page.waitForURL('**/?q=ships+from%3Aharbour_news')
    })

    test('are no channels behind a minus, and nothing behind another operator', async () => {
      const { page, go } = await open()
      await go('/')
      const box = page.locator('input[type=search]')
      await box.pressSequentially('-harbou')
      await page.locator(option, { hasText: '-harbour' }).first().waitFor()
      assert.equal(await page.locator(option, { hasText: '@' }).count(), 0)
      const asked: string[] = []
      page.on('request', (request) => asked.push(request.url()))
      await box.fill('')
      await box.pressSequentially('domain:harb')
      await box.fill('')
      await box.pressSequentially('ship')
      await page.locator(option, { hasText: 'ships' }).waitFor()
      assert.deepEqual(
        asked.filter((url) => url.includes('harb')),
        [],
      )
    })

    test('lead to a channel, and Esc closes the list and keeps the text', async () => {
      const { page, go } = await open()
      await go('/?q=ships')
      const box = page.locator('input[type=search]')
      await box.fill('')
      await box.pressSequentially('harbour')
      await page.locator(option, { hasText: '@harbour_news' }).waitFor()
      await page.keyboard.press('Escape')
      assert.equal(await page.locator(option).count(), 0)
      assert.equal(await box.inputValue(), 'harbour')
      assert.equal(await box.getAttribute('aria-expanded'), 'false')
      await box.press('_')
      await page.locator(option, { hasText: '@harbour_news' }).click()
      await page.waitForURL('**/channels/harbour_news')
    })

    test('show a name on one line of a phone, whatever the title', async () => {
      const { page, go } = await open({ viewport: { width: 390, height: 740 } })
      await page.route('**/v1/suggest*', (route) => {
        const title = 'News of the harbour and of everything that moves there'
        const data = [{ kind: 'channel', value: 'harbour_news', title }]
        return route.fulfill({ json: { data, meta: {}, warnings: [] } })
      })
      await go('/')
      await page.locator('input[type=search]').pressSequentially('harb')
      const heights = ['bdi', 'small'].map(async (part) => {
        const { height } = (await page.locator(`${option} ${part}`).boundingBox())!
        return height
      })
      const [name, note] = await Promise.all(heights)
      assert.ok(name! < 1.5 * note!, `${name} px beside ${note} px`)
    })

    test('that do not load leave typing and Enter working', async () => {
      const { page, go } = await open()
      await page.route('**/v1/suggest*', (route) => route.abort())
      await go('/')
      await page.locator('input[type=search]').pressSequentially('harbour berth')
      assert.equal(await page.locator(option).count(), 0)
      await page.keyboard.press('Enter')
      await page.waitForURL('**/?q=harbour+berth')
    })

    test('are absent without JavaScript, and the box is a plain one', async () => {
      const { page, go } = await open({ javaScriptEnabled: false })
      await go('/')
      const box = page.locator('input[type=search]')
      assert.equal(await box.getAttribute('role'), null)
      assert.equal(await page.locator('[role=listbox]').count(), 0)
    })
  })
}
