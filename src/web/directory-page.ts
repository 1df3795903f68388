import { cutText } from '../model/cut-text.ts'
import { CHANNEL_STATUSES } from '../model/channel.ts'
import { parseChannelName } from '../model/channel-name.ts'
import { addressWith, channelPath, type LinkTo, type Parameters } from './address.ts'
import { avatar } from './avatar.ts'
import { factOf } from './channel-page.ts'
import { ownLabels, finder, type Field } from './form.ts'
import { moreLink, page, type Page } from './layout.ts'
import type { RenderContext } from './render-context.ts'
import { html, type Markup } from './markup.ts'
import { OPML_PATH } from './opml.ts'
import { verifiedBadge } from './post-card.ts'
import type { ListedChannel, Warning } from './views.ts'
import { ago, withoutEmptyLines, language, plural } from './words.ts'

const FIELDS: readonly Field[] = [
  { name: 'lang', label: 'Languages', type: 'text', hint: 'en, ru' },
  { name: 'min_subscribers', label: 'Minimum subscribers', type: 'number' },
  { name: 'max_subscribers', label: 'Maximum subscribers', type: 'number' },
  {
    name: 'verified',
    label: 'Verified',
    options: { '': 'any', true: 'verified', false: 'not verified' },
  },
  { name: 'status', label: 'Status', options: { '': 'any', ...ownLabels(CHANNEL_STATUSES) } },
  {
    name: 'active_since',
    label: 'Posted within',
    options: { '': 'any time', '24h': 'a day', '7d': 'a week', '30d': '30 days' },
  },
]

/** What the first choice stands for depends on whether there are words. */
function orderField({ q }: Parameters): Field {
  const others = {
    posts_per_day: 'most active',
    newest_post: 'latest post',
    added: 'recently added',
    username: 'name',
  }
  const first =
    q === undefined
      ? { '': 'most subscribers' }
      : { '': 'best match', subscribers: 'most subscribers' }
  return { name: 'sort', label: 'Order', options: { ...first, ...others } }
}

export function directoryPage(options: {
  readonly parameters: Parameters
  readonly channels: readonly ListedChannel[]
  readonly next: string | null
  readonly warnings: readonly Warning[]
  readonly context: RenderContext
}): Page {
  const { parameters, channels, next, context } = options
  const linkTo: LinkTo = (changes) => addressWith('/channels', parameters, changes)
  return page({
    title: 'Channels – Telegrep',
    here: '/channels',
    warnings: options.warnings,
    body: html`<h1>Indexed channels</h1>
      ${finder({ action: '/channels', parameters, fields: [...FIELDS, orderField(parameters)], hint: 'Name, title or description' })}
      <h2 class="unseen">Channels</h2>
      <div data-scroll>${channels.map((channel) => channelCard(channel, context))}</div>
      ${channels.length === 0 ? nothingHere(parameters) : ''}
      ${moreLink('More channels', linkTo, next)}
      <p class="soft">
        <a href="${addressWith('/v1/channels', parameters, {})}">This as JSON</a>
        ${channels.length === 0 ? '' : html`· <a href="${addressWith(OPML_PATH, {}, { channel: channels.map(({ username }) => username).join(',') })}">Follow these channels (OPML)</a>`}
      </p>`,
  })
}

function nothingHere(parameters: Parameters): Markup {
  if (Object.keys(parameters).length === 0) {
    return html`<p class="notice">
      No channel is indexed yet. On the server: <code>telegrep add durov</code>
    </p>`
  }
  const name = parseChannelName(parameters['q'] ?? '')
  return html`<p class="notice">
    No indexed channel matches.
    ${name === undefined ? '' : html`<a href="${channelPath(name)}/live">Read @${name} live</a>`}
  </p>`
}

function channelCard(channel: ListedChannel, context: RenderContext): Markup {
  const { username, title, description, last_post_at: last } = channel
  return html`<article class="card" data-card>
    <header>
      ${avatar(channel)}
      <h3>
        <a href="${channelPath(username)}" data-open><bdi>${title || username}</bdi></a>
      </h3>
      ${verifiedBadge(channel)} <span>@${username}</span> ${statusTag(channel.index)}
    </header>
    ${description === '' ? '' : html`<p class="text" dir="auto">${withoutEmptyLines(cutText(description, 240))}</p>`}
    <footer>
      ${factOf(channel.subscribers, 'subscriber')}
      <span>${plural(channel.posts, 'post')}</span>
      ${channel.language === null ? '' : html`<span>${language(channel.language)}</span>`}
      ${last === null ? '' : html`<span>last post ${ago(last, context.now)}</span>`}
    </footer>
  </article>`
}

function statusTag({ status, reason }: ListedChannel['index']): Markup | '' {
  if (status === 'active') return ''
  const isBad = status === 'gone' || status === 'unavailable'
  return html`<span class="tag ${isBad ? 'bad' : ''}"
    >${status}${reason === null ? '' : `: ${reason}`}</span
  >`
}
