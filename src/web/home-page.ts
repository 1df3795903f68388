import { addressWith } from './address.ts'
import { whyNothing } from './empty-index.ts'
import { page, searchForm } from './layout.ts'
import type { Page } from './layout.ts'
import type { Look } from './look.ts'
import { html } from './markup.ts'
import { coverageLine } from './search-page.ts'
import type { Language, Status } from './views.ts'
import { language } from './words.ts'

/** Questions any index has an answer to. */
const EXAMPLES = [
  ['Today', { since: '24h' }],
  ['Most seen this week', { since: '7d', sort: 'views' }],
  ['Videos', { has: 'video' }],
  ['Polls', { has: 'poll' }],
  ['Copied posts', { forwards: 'only', collapse: 'duplicates' }],
] as const

const LANGUAGES = 8

export function homePage(options: {
  readonly status: Status
  readonly languages: readonly Language[]
  readonly look: Look
}): Page {
  const { index } = options.status
  const searched = { ...index, index_lag_s: index.lag_s, complete: true, reason: null }
  const coverage =
    whyNothing(options.status) ?? coverageLine(searched, options.look.now, 'Searches')
  const languages = options.languages
    .toSorted((a, b) => b.posts_30d - a.posts_30d)
    .slice(0, LANGUAGES)
    .map(({ code }) => code)
  return page({
    title: 'Telegrep: search public Telegram channels',
    search: null,
    body: html`<div class="home">
      <h1>Search public Telegram channels</h1>
      ${searchForm({}, { autofocus: true })}
      <p class="soft">${coverage}</p>
      <ul class="chips">
        ${EXAMPLES.map(([name, parameters]) => html`<li><a href="${addressWith('/', {}, parameters)}">${name}</a></li> `)}
      </ul>
      <ul class="chips languages" aria-label="Languages">
        ${languages.map((code) => html`<li><a href="${addressWith('/', {}, { lang: code })}">${language(code)}</a></li> `)}
      </ul>
      <p class="soft">
        Words in any language, whole questions, <code>"exact phrases"</code>, <code>-without</code>,
        <code>has:video</code>: <a href="/help">all operators</a>
      </p>
      <p class="soft">
        Press <kbd>/</kbd> to search, <kbd>↓</kbd> <kbd>↑</kbd> to move, <kbd>Enter</kbd> to open.
      </p>
    </div>`,
  })
}
