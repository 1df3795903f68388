import { addressWith, channelPath } from './address.ts'
import type { Here, Parameters } from './address.ts'
import { channelFacts } from './channel-facts.ts'
import { HAS_FIELD } from './filter-form.ts'
import { finder } from './form.ts'
import type { Field } from './form.ts'
import { page } from './layout.ts'
import type { Page } from './layout.ts'
import { html } from './markup.ts'
import type { Markup } from './markup.ts'
import { pictureOver } from './picture.ts'
import { postCard } from './post-card.ts'
import type { BriefPost, ChannelProfile, LiveRead, Warning } from './views.ts'
import { count } from './words.ts'

const WITH = [
  ['', 'without'],
  ['true', 'with'],
] as const

const FIELDS: readonly Field[] = [
  HAS_FIELD,
  { name: 'since', label: 'Since', type: 'date' },
  { name: 'until', label: 'Until (before)', type: 'date' },
  {
    name: 'order',
    label: 'Order',
    options: [
      ['', 'newest first'],
      ['oldest', 'oldest first'],
    ],
  },
  { name: 'include_deleted', label: 'Deleted posts', options: WITH },
  { name: 'include_service', label: 'Service messages', options: WITH },
]

export function channelPage(options: {
  readonly profile: ChannelProfile
  readonly posts: readonly BriefPost[]
  readonly next: string | null
  readonly parameters: Parameters
  readonly warnings: readonly Warning[]
  readonly now: number
}): Page {
  const { profile, posts, next, parameters, now } = options
  const path = channelPath(profile.username)
  const here: Here = (changes) => addressWith(path, parameters, changes)
  const api = `/v1${path}`
  const isNarrowed = Object.keys(parameters).length > 0
  return page({
    title: `${profile.title || profile.username} (@${profile.username}) – Telegrep`,
    alternates: [
      { href: `${api}/posts?format=rss`, type: 'application/rss+xml', title: 'Posts as a feed' },
    ],
    warnings: options.warnings,
    body: html`${profileHead(profile)}
      <div class="split">
        <div>
          <div class="bar">
            <h2>Archive</h2>
            <p>
              <a class="button quiet" href="${path}/live" rel="nofollow">Live view</a>
              <a href="${addressWith('/', {}, { channel: profile.username })}"
                >Search its last 30 days</a
              >
            </p>
          </div>
          ${finder({ action: path, parameters, fields: FIELDS, hint: 'Words in this channel, all time' })}
          <div data-scroll>${posts.map((post) => postCard(post, { isAtHome: true }))}</div>
          ${posts.length === 0 ? html`<p class="notice">${isNarrowed ? 'No post matches.' : 'No posts here yet.'}</p>` : ''}
          <nav class="pages" aria-label="More posts">
            ${next === null ? '' : html`<a class="button" rel="next" data-next href="${here({ cursor: next })}">More posts</a>`}
          </nav>
          <p class="soft">
            <a href="${api}">Profile as JSON</a> ·
            <a href="${addressWith(`${api}/posts`, parameters, {})}">Posts as JSON</a> ·
            <a href="${api}/posts?format=rss">RSS</a>
          </p>
        </div>
        <div class="side">${channelFacts(profile, now)}</div>
      </div>`,
  })
}

export function profileHead(profile: ChannelProfile | LiveRead['channel']): Markup {
  const initial = [...(profile.title || profile.username)][0] ?? '?'
  return html`<div class="card profile">
    <div class="avatar framed" aria-hidden="true">
      ${initial}${profile.avatar ? pictureOver(profile.avatar) : ''}
    </div>
    <div>
      <h1>
        <bdi>${profile.title || profile.username}</bdi>
        ${profile.verified ? html`<span class="tag good">verified</span>` : ''}
      </h1>
      <p class="facts">
        <span>@${profile.username}</span> <span>${count(profile.subscribers)} subscribers</span>
        ${Object.entries(profile.counters).map(([name, n]) => (n === null ? '' : html`<span>${count(n)} ${name}</span> `))}
        <a href="${profile.url}" rel="noopener noreferrer">On Telegram</a>
      </p>
      <p class="text" dir="auto">${profile.description}</p>
    </div>
  </div>`
}
