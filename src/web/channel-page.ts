import { addressWith, channelPath, type LinkTo, type Parameters } from './address.ts'
import { avatar } from './avatar.ts'
import { channelFacts } from './channel-facts.ts'
import { HAS_FIELD } from './filter-form.ts'
import { finder, type Field } from './form.ts'
import { feedLinks, followButtons } from './follow.ts'
import { moreLink, page, type Page } from './layout.ts'
import type { RenderContext } from './render-context.ts'
import { html, type Markup } from './markup.ts'
import { notice } from './notice.ts'
import { postCard, verifiedBadge } from './post-card.ts'
import { sharingHead } from './sharing.ts'
import type { BriefPost, ChannelProfile, Count, LiveRead, Warning } from './views.ts'
import { counted } from './words.ts'

const WITH = { '': 'without', true: 'with' }

const FIELDS: readonly Field[] = [
  HAS_FIELD,
  { name: 'since', label: 'Since', type: 'date' },
  { name: 'until', label: 'Until (before)', type: 'date' },
  { name: 'order', label: 'Order', options: { '': 'newest first', oldest: 'oldest first' } },
  { name: 'include_deleted', label: 'Deleted posts', options: WITH },
  { name: 'include_service', label: 'Service messages', options: WITH },
]

export function channelPage(options: {
  readonly profile: ChannelProfile
  readonly posts: readonly BriefPost[]
  readonly next: string | null
  readonly parameters: Parameters
  readonly warnings: readonly Warning[]
  /** Notes shown at the end of the list: where the archive begins, or that nothing has been read yet. */
  readonly notes: readonly Warning[]
  readonly context: RenderContext
}): Page {
  const { profile, posts, next, parameters, context } = options
  const path = channelPath(profile.username)
  const linkTo: LinkTo = (changes) => addressWith(path, parameters, changes)
  const api = `/v1${path}`
  const isNarrowed = Object.keys(parameters).length > 0
  const { order: _o, since: _s, until: _u, tz: _t, cursor: _c, ...followed } = parameters
  const isPart = Object.keys(followed).length > 0
  // A feed reader wants what is new, whatever order and period the page shows.
  const feeds = {
    rss: addressWith(`${api}/posts`, followed, { format: 'rss' }),
    jsonFeed: addressWith(`${api}/posts`, followed, { format: 'jsonfeed' }),
  }
  const title = `${profile.title || profile.username} (@${profile.username})`
  return page({
    title: `${title} – Telegrep`,
    head: sharingHead({ title, text: profile.description, picture: profile.avatar?.url }),
    alternates: feedLinks(feeds, isPart ? 'These posts' : 'Posts of the channel'),
    warnings: options.warnings,
    body: html`${profileHead(
        profile,
        html`<p class="follow">
          ${followButtons(feeds, isPart ? 'Follow these posts by RSS' : undefined)}
          <a class="button quiet" href="${path}/live" rel="nofollow">Live view</a>
          <a class="button quiet" href="${addressWith('/', {}, { channel: profile.username })}"
            >Search its last 30 days</a
          >
        </p>`,
      )}
      <div class="split">
        <div>
          <h2 class="unseen">Archive</h2>
          ${finder({ action: path, parameters, fields: FIELDS, hint: 'Words in this channel, all time' })}
          <div id="posts" data-scroll>
            ${posts.map((post) => postCard(post, context, { isAtHome: true }))}
            ${posts.length === 0 ? html`<p class="notice">${isNarrowed ? 'No post matches.' : 'No posts here yet.'}</p>` : ''}
            ${options.notes.map((warning) => notice(warning, {}))}
          </div>
          ${moreLink('More posts', linkTo, next)}
          <p class="soft">
            <a href="${api}">Profile as JSON</a> ·
            <a href="${addressWith(`${api}/posts`, parameters, {})}">Posts as JSON</a>
          </p>
        </div>
        <div class="side">${channelFacts(profile, context.now)}</div>
      </div>`,
  })
}

export function profileHead(
  profile: ChannelProfile | LiveRead['channel'],
  actions: Markup | '' = '',
): Markup {
  return html`<div class="card profile">
    ${avatar(profile, 'large')}
    <div>
      <h1><bdi>${profile.title || profile.username}</bdi> ${verifiedBadge(profile)}</h1>
      <p class="facts">
        <span>@${profile.username}</span> ${factOf(profile.subscribers, 'subscriber')}
        ${Object.entries(profile.counters).map(([name, n]) => factOf(n, name.slice(0, -1)))}
        <a href="${profile.url}" rel="noopener noreferrer">On Telegram</a>
      </p>
      <p class="text" dir="auto">${profile.description}</p>
      ${actions}
    </div>
  </div>`
}

/** An imported channel, for example, has no known subscribers. */
export function factOf(value: Count | null, one: string): Markup | '' {
  return value === null ? '' : html`<span>${counted(value, one)}</span> `
}
