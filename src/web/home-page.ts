import { addressWith } from './address.ts'
import { page, searchForm } from './layout.ts'
import type { Page } from './layout.ts'
import { html } from './markup.ts'
import type { Markup } from './markup.ts'
import { language } from './words.ts'

/** Questions any index has an answer to. */
const EXAMPLES = [
  ['Today', { since: '24h' }],
  ['Most seen this week', { since: '7d', sort: 'views' }],
  ['Videos', { has: 'video' }],
  ['Polls', { has: 'poll' }],
  ['Copied posts', { forwards: 'only', collapse: 'duplicates' }],
] as const

export interface Home {
  /** What is searched, in a sentence, or why there is nothing. */
  readonly coverage: string | Markup
  /** Codes, most used first. */
  readonly languages: readonly string[]
}

export function homePage({ coverage, languages }: Home): Page {
  return page({
    title: 'Telegrep: search public Telegram channels',
    search: null,
    body: html`<div class="home">
      <h1>Search public Telegram channels</h1>
      ${searchForm({}, { autofocus: true })}
      <p class="soft">${coverage}</p>
      <ul class="plain">
        ${EXAMPLES.map(([name, parameters]) => html`<li><a href="${addressWith('/', {}, parameters)}">${name}</a></li> `)}
      </ul>
      <ul class="plain" aria-label="Languages">
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
