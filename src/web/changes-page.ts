import { cutText } from '../model/cut-text.ts'
import { span } from '../model/duration.ts'
import { EDIT_KINDS } from '../model/edit.ts'
import { mapInTurns } from '../model/turns.ts'
import { addressWith, channelPath, postPath, type LinkTo, type Parameters } from './address.ts'
import { avatar } from './avatar.ts'
import { feedLinks, followButtons } from './follow.ts'
import { ownLabels, finder, type Field } from './form.ts'
import { moreLink, page, type Page } from './layout.ts'
import type { RenderContext } from './render-context.ts'
import { html, type Markup } from './markup.ts'
import { namedChanges, unnamedKinds } from './named-changes.ts'
import type { Change, Warning } from './views.ts'
import { wordings } from './wordings.ts'
import { ago, counted, moment } from './words.ts'

const FIELDS: readonly Field[] = [
  {
    name: 'kind',
    label: 'What changed',
    options: { '': 'anything', ...ownLabels(EDIT_KINDS) },
  },
  { name: 'sort', label: 'Order', options: { '': 'latest', views: 'most viewed' } },
  {
    name: 'since',
    label: 'Noticed within',
    options: { '': 'any time', '24h': 'a day', '7d': 'a week', '30d': '30 days' },
  },
  { name: 'channel', label: 'Channels', type: 'text', hint: 'durov' },
  { name: 'lang', label: 'Languages', type: 'text', hint: 'en, ru' },
  { name: 'min_views', label: 'Minimum views', type: 'number' },
  {
    name: 'deleted',
    label: 'Deleted posts',
    options: { '': 'included', exclude: 'excluded', only: 'only' },
  },
]

/** A new archive has seen each post only once, and a visitor without filters has not searched for anything yet. */
function nothing(parameters: Parameters): string {
  return Object.keys(parameters).length === 0
    ? 'No edits or deletions have been noticed yet. They show up when a channel is read again.'
    : 'No change matches.'
}

export async function changesPage(options: {
  readonly parameters: Parameters
  readonly changes: readonly Change[]
  readonly next: string | null
  readonly warnings: readonly Warning[]
  readonly context: RenderContext
}): Promise<Page> {
  const { parameters, changes, next, context } = options
  const linkTo: LinkTo = (moved) => addressWith('/changes', parameters, moved)
  const api = (format: string) => addressWith('/v1/changes', parameters, { format })
  const cards = await mapInTurns(changes, (change) => changeCard(change, context))
  const feeds = { rss: api('rss'), jsonFeed: api('jsonfeed') }
  return page({
    title: 'Changes – Telegrep',
    here: '/changes',
    warnings: options.warnings,
    alternates: feedLinks(feeds, 'These changes'),
    body: html`<div class="bar">
        <h1>What authors changed</h1>
        <p>${followButtons(feeds)}</p>
      </div>
      <p class="soft">Edits and deletions of all indexed channels, as they were noticed.</p>
      ${finder({ action: '/changes', parameters, fields: FIELDS, hint: 'Words in either version' })}
      <h2 class="unseen">Changes</h2>
      <div data-scroll>${cards}</div>
      ${changes.length === 0 ? html`<p class="notice">${nothing(parameters)}</p>` : ''}
      ${moreLink('More changes', linkTo, next)}
      <p class="soft">
        These as <a href="${api('json')}">JSON</a>, <a href="${api('md')}">Markdown</a>,
        <a href="${feeds.rss}">RSS</a>, <a href="${feeds.jsonFeed}">JSON Feed</a>
      </p>`,
  })
}

function changeCard(change: Change, context: RenderContext): Markup {
  const { id, channel, kinds, named, quick, after_s: afterS, views } = change
  const isDeletion = kinds.includes('deleted')
  // The post's own address then answers with its dates and hash alone.
  const isLost = change.deleted_at !== undefined && change.after === null && change.before === null
  return html`<article class="card" data-card>
    <header>
      ${avatar(channel)}
      <h3>
        <a href="${channelPath(channel.username)}"
          ><bdi>${channel.title || channel.username}</bdi></a
        >
      </h3>
      ${unnamedKinds(kinds, named).map((kind) => html`<span class="tag ${kind === 'deleted' ? 'bad' : ''}">${kind}</span> `)}
      ${quick ? html`<span class="tag bad">within a day</span>` : ''}
    </header>
    ${namedChanges(named)} ${textsOf(change)}
    <footer>
      <span>noticed ${ago(change.changed_at, context.now)}</span>
      <span
        >published ${moment(change.published_at)}, ${isDeletion ? 'deleted' : 'changed'} within
        ${span(afterS)}</span
      >
      ${views === null ? '' : html`<span>${counted(views, 'view')}</span>`}
      <a href="${postPath(id)}" data-open>${isLost ? 'What is known' : 'Open'}</a>
    </footer>
  </article>`
}

/** How many characters of each wording are shown. */
const IN_A_LIST = 600

function textsOf({ id, changed_at, before, after, kinds }: Change): Markup {
  if (kinds.includes('deleted')) {
    return before === null
      ? html`<p class="soft">Its words are not kept.</p>`
      : html`<p class="text" dir="auto"><del>${cutText(before, IN_A_LIST)}</del></p>`
  }
  if (before === null || after === null) return html`<p class="soft">Its words are not kept.</p>`
  return wordings(
    `change-${id.replace('/', '-')}-${Date.parse(changed_at)}`,
    before,
    after,
    IN_A_LIST,
  )
}
