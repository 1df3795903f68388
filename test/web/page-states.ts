import type { Page } from 'playwright-core'
import { DELETED, RICH } from './setting.ts'
import { HOSTILE_WORD } from './hostile-posts.ts'

/** A page as somebody meets it: its address, its status, and what is done before it is looked at. */
export interface PageState {
  readonly path: string
  readonly status?: number
  /** What a reader opens or types; nothing without a script. */
  readonly act?: (page: Page) => Promise<void>
}

const unfold = (selector: string) => (page: Page) =>
  page
    .evaluate(`for (const d of document.querySelectorAll('${selector}')) d.open = true`)
    .then(() => {})

/** Every page and each state that it can be in; what holds for pages is tested on all of them. */
export const STATES: Readonly<Record<string, PageState>> = {
  home: { path: '/' },
  'home-suggesting': {
    path: '/',
    async act(page) {
      await page.locator('input[type=search]').pressSequentially('lightho')
      await page.locator('[role=option]').first().waitFor()
    },
  },
  search: { path: '/?q=harbour', act: unfold('.tools > details') },
  'search-copies': {
    path: '/?q=captains+lighthouse+pilots&collapse=duplicates',
    act: unfold('.copies'),
  },
  'search-newest': { path: '/?lang=en&sort=newest' },
  'search-nothing': { path: '/?q=nothingatall&lang=en&since=7d&channel=harbour_news' },
  'search-some-words': { path: '/?q=harbour+zebra' },
  'search-warned': { path: '/?q=harbuor&since=90d&channel=unknown_one,harbour_news' },
  'search-mistake': { path: '/?q=harbour+lang:eng', status: 400 },
  'search-wrong-filter': { path: '/?q=harbour&lang=Englsh', status: 400 },
  'search-hostile': { path: `/?q=${HOSTILE_WORD}` },
  'search-right-to-left': { path: '/?q=الميناء' },
  'search-following': {
    path: '/?q=lighthouse',
    async act(page) {
      await page.getByRole('button', { name: 'Live' }).click()
      await page.getByText('Waiting for new posts').waitFor()
    },
  },
  channels: { path: '/channels', act: unfold('form details') },
  'channels-nothing': { path: '/channels?q=zebra' },
  changes: { path: '/changes', act: unfold('main details') },
  'changes-sorted': { path: '/changes?kind=text&sort=views' },
  'changes-nothing': { path: '/changes?kind=link' },
  channel: { path: '/channels/harbour_news' },
  'channel-read': { path: '/channels/showcase' },
  'channel-nothing': { path: '/channels/harbour_news?q=zebra' },
  'channel-hostile': { path: '/channels/hostile_words' },
  'channel-right-to-left': { path: '/channels/akhbar_bandar' },
  'channel-unknown': { path: '/channels/nobody_knows_me', status: 404 },
  live: { path: '/channels/showcase/live' },
  'live-unknown': { path: '/channels/nobody_knows_me/live', status: 404 },
  post: { path: RICH.path },
  'post-in-app-only': { path: '/channels/quay_notes/posts/1' },
  'post-right-to-left': { path: '/channels/akhbar_bandar/posts/3' },
  'post-deleted': { path: DELETED.path, status: 410 },
  'post-unknown': { path: '/channels/harbour_news/posts/999', status: 404 },
  status: { path: '/status' },
  limits: { path: '/limits' },
  help: { path: '/help' },
  follow: { path: '/follow' },
  docs: { path: '/docs' },
  errors: { path: '/errors' },
  'error-explained': { path: '/errors/invalid_query' },
  nowhere: { path: '/nowhere', status: 404 },
}
