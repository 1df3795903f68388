import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { overflow, type Open } from './browser.ts'
import { HOSTILE_WORD, hostilePosts } from './hostile-posts.ts'

const POSTS = hostilePosts(0).map(({ number }) => `/channels/hostile_words/posts/${number}`)
const PATHS = [
  `/?q=${HOSTILE_WORD}`,
  `/?q=${HOSTILE_WORD}&collapse=duplicates`,
  '/channels?q=evil',
  '/channels/hostile_words',
  ...POSTS,
  `/?q=${encodeURIComponent('"><script>window.pwned=1</script><img src=x onerror=window.pwned=1>')}`,
  `/?q=x&channel=${encodeURIComponent('"><script>window.pwned=1</script>')}`,
  `/channels/${encodeURIComponent('<script>window.pwned=1</script>')}`,
  `/?lang=en&q=${'W'.repeat(500)}`,
]

/** What has to hold on every page, whatever is written on it. */
const STATE = `({
  pwned: window.pwned,
  frame: [...document.body.children].map((e) => e.tagName + (e.className && '.' + e.className)).join(' '),
  scripts: [...document.scripts].filter((s) => s.type !== 'application/ld+json' && !s.src.startsWith(location.origin + '/assets/')).length,
  data: [...document.querySelectorAll('script[type="application/ld+json"]')].map((s) => JSON.parse(s.textContent)['@type']).filter((t) => t !== 'SocialMediaPosting').length,
  strangers: document.querySelectorAll('#escaped, iframe, object, embed, style, form[action^="http"]').length,
  handlers: [...document.querySelectorAll('*')].filter((e) => [...e.attributes].some((a) => a.name.startsWith('on'))).length,
  addresses: [...document.querySelectorAll('[href], [src]')]
    .map((e) => String(e.getAttribute('href') ?? e.getAttribute('src')))
    .filter((a) => !/^(?:https?:\\/\\/|tg:|mailto:|[/#])/.test(a)),
  foot: getComputedStyle(document.querySelector('.foot')).direction,
})`

/** Posts that try to run code, to leave their place, or to break the layout. */
export function describeHostile(open: Open): void {
  describe('hostile posts', () => {
    test('run no code, add no elements and do not widen the page, on desktop and phone', async () => {
      const { page, go } = await open()
      for (const path of PATHS) {
        await go(path)
        await checkState(page, path)
        for (const width of [375, 1200]) {
          await page.setViewportSize({ width, height: 900 })
          assert.ok((await overflow(page)) <= 0, `${path} at ${width}`)
        }
      }
    })

    test('show their markup as text, and hidden characters are removed and reported', async () => {
      const { page, go } = await open()
      await go(POSTS[1]!)
      assert.match(await page.innerText('.full'), /<div id="escaped">out<\/div>/)
      await go(POSTS[4]!)
      const text = await page.innerText('.full')
      assert.doesNotMatch(text, /[\u202A-\u202E\u2066-\u2069]/)
      assert.match(await page.innerText('article header'), /hidden characters/)
    })
  })
}

async function checkState(page: Page, path: string): Promise<void> {
  assert.deepEqual(
    await page.evaluate(STATE),
    {
      pwned: undefined,
      frame: 'A.skip HEADER.top MAIN FOOTER.foot',
      scripts: 0,
      data: 0,
      strangers: 0,
      handlers: 0,
      addresses: [],
      foot: 'ltr',
    },
    path,
  )
}
