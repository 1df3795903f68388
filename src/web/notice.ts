import { addressWith, channelPath, postPath, type Parameters } from './address.ts'
import { cutText } from '../model/cut-text.ts'
import { apiWords, reworded, type Hint } from '../model/hint.ts'
import { html, prose, type Markup } from './markup.ts'
import type { Warning } from './views.ts'
import { capitalised } from './words.ts'

/** A suggested query may be as long as a post. */
const SHOWN_CHARS = 60

/** A warning as a page shows it: its hint becomes a link. */
export function notice(warning: Warning, search: Parameters): Markup {
  const { code, hint, suggestion } = warning
  const sentence = reworded(warning, () => null)
  if (code === 'one_channel') {
    const others = addressWith('/', search, { exclude_channel: suggestion })
    return html`<p class="notice">
      ${prose(capitalised(sentence))}. <a href="${others}">Show other channels</a>
    </p>`
  }
  if (code === 'all_words_required') {
    const best = addressWith('/', search, { sort: undefined })
    return html`<p class="notice">
      No post has all the words. <a href="${best}">Show posts with some of them, best first</a>
    </p>`
  }

  const step = hint && hintWords(hint)
  const end = step === undefined && /[.?!]$/.test(sentence) ? ' ' : '. '
  return html`<p class="notice">
    ${prose(capitalised(sentence))}${step === undefined ? '' : html`; ${step}`}${suggestion === undefined ? '' : html`${end}<a href="${addressWith('/', search, { q: suggestion })}">Search for ${cutText(suggestion, SHOWN_CHARS)}</a>`}
  </p>`
}

function hintWords(hint: Hint): Markup {
  if (!('operation' in hint)) return prose(apiWords(hint))
  const { operation, input, does } = hint
  const { username = '', slug } = input
  switch (operation) {
    case 'get_channel':
      return html`<a href="${channelPath(username)}">@${username}</a> ${does}`
    case 'get_post':
      return html`<a href="${postPath(`${username}/${slug}`)}">${username}/${slug}</a> ${does}`
    case 'get_live_channel':
      return html`<a href="${channelPath(username)}/live" rel="nofollow">its live view</a> ${does}`
    case 'list_channel_posts':
      return html`<a href="/channels">each channel’s own page</a> ${does}`
    case 'list_channels':
      return html`<a href="/channels">the page Channels</a> ${does}`
    case 'list_languages':
      return html`<a href="/v1/languages">the API</a> ${does}`
  }
}
