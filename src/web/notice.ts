import { addressWith, channelPath, postPath, type Parameters } from './address.ts'
import { cutText } from '../model/cut-text.ts'
import { html, prose, type Markup } from './markup.ts'
import type { Warning } from './views.ts'
import { capitalised } from './words.ts'

/** A suggested query may be as long as a post. */
const SHOWN_CHARS = 60

const API_ADDRESS = /(\/v1\/[\w/{}]+)/
/** A channel or one of its posts. */
const NAMED = /^\/v1\/channels\/(\w+)(?:\/posts\/(\d+))?$/

/** A warning as a page shows it. Warnings are written for callers of the API, so their addresses become links. */
export function notice({ code, detail, suggestion }: Warning, search: Parameters): Markup {
  if (code === 'one_channel') {
    const [all = ''] = detail.split(';')
    const others = addressWith('/', search, { exclude_channel: suggestion })
    return html`<p class="notice">
      ${prose(capitalised(all))}. <a href="${others}">Show other channels</a>
    </p>`
  }
  if (code === 'all_words_required') {
    const best = addressWith('/', search, { sort: undefined })
    return html`<p class="notice">
      No post has all the words. <a href="${best}">Show posts with some of them, best first</a>
    </p>`
  }

  const said = capitalised(detail).split(API_ADDRESS)
  const end = /[.?!]$/.test(detail) ? ' ' : '. '
  return html`<p class="notice">
    ${said.map((part, i) => (i % 2 === 1 ? link(part) : prose(part)))}${suggestion === undefined ? '' : html`${end}<a href="${addressWith('/', search, { q: suggestion })}">Search for ${cutText(suggestion, SHOWN_CHARS)}</a>`}
  </p>`
}

function link(address: string): Markup {
  const [, username, number] = NAMED.exec(address) ?? []
  if (username !== undefined) {
    return number === undefined
      ? html`<a href="${channelPath(username)}">@${username}</a>`
      : html`<a href="${postPath(`${username}/${number}`)}">${username}/${number}</a>`
  }
  if (address.endsWith('/live')) {
    return html`<a href="${address.replace('/v1', '')}" rel="nofollow">its live view</a>`
  }
  return address.includes('{')
    ? html`<a href="/channels">the channels’ own pages</a>`
    : html`<a href="${address}">the API</a>`
}
