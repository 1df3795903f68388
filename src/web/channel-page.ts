import { html } from 'hono/html'
import { addressWith, channelPath } from './address.ts'
import type { Parameters } from './address.ts'
import { barChart, dayBars, hourBars, lastDays } from './chart.ts'
import { page } from './layout.ts'
import type { Markup } from './layout.ts'
import { postCard } from './post-card.ts'
import type { BriefPost, ChannelProfile, ListedChannel, LiveRead, Warning } from './views.ts'
import { age, count, moment, number, plural } from './words.ts'

export function directoryPage(options: {
  readonly parameters: Parameters
  readonly channels: readonly ListedChannel[]
  readonly next: string | null
  readonly now: number
}): Markup {
  const { parameters, channels, next, now } = options
  const here = (changes: Readonly<Record<string, string | undefined>>) =>
    addressWith('/channels', parameters, changes)
  const sorts = [
    ['subscribers', 'largest'],
    ['posts_per_day', 'busiest'],
    ['newest_post', 'latest post'],
    ['added', 'newest here'],
    ['username', 'name'],
  ] as const
  return page({
    title: 'Channels – Telegrep',
    here: '/channels',
    body: html`<div class="bar">
        <h1>Indexed channels</h1>
        <span
          >Order:
          ${sorts.map(([sort, label]) => html`<a href="${here({ sort })}">${label}</a> `)}</span
        >
      </div>
      <form class="ask" action="/channels" method="get">
        <input
          type="search"
          name="q"
          value="${parameters['q'] ?? ''}"
          placeholder="Name, title or description"
          aria-label="Find a channel"
          dir="auto"
        />
        <input
          type="text"
          name="lang"
          value="${parameters['lang'] ?? ''}"
          placeholder="lang"
          aria-label="Language code"
          size="5"
        />
        <button>Find</button>
      </form>
      <div data-scroll>${channels.map((channel) => channelCard(channel, now))}</div>
      ${channels.length === 0 ? emptyDirectory(parameters) : ''}
      <nav class="pages" aria-label="Channels">
        ${next === null ? '' : html`<a class="button" rel="next" data-next href="${here({ cursor: next })}">More channels</a>`}
      </nav>`,
  })
}

function emptyDirectory(parameters: Parameters): Markup {
  return Object.keys(parameters).length === 0
    ? html`<p class="notice">
        No channel is indexed yet. On the server: <code>telegrep add durov</code>
      </p>`
    : html`<p class="notice">No indexed channel matches. <a href="/channels">All channels</a></p>`
}

function channelCard(channel: ListedChannel, now: number): Markup {
  return html`<article class="card" data-card>
    <header>
      <h3>
        <a href="${channelPath(channel.username)}"
          ><bdi>${channel.title || channel.username}</bdi></a
        >
      </h3>
      <small>@${channel.username}</small>
      ${channel.verified ? html`<span class="tag good">verified</span>` : ''}
      ${statusTag(channel.index)}
    </header>
    <p class="text" dir="auto">${shorten(channel.description, 240)}</p>
    <footer>
      <span>${count(channel.subscribers)} subscribers</span
      ><span>${plural(channel.posts, 'post')}</span>
      ${channel.language === null ? '' : html`<span>${channel.language}</span>`}
      ${channel.last_post_at === null ? '' : html`<span>last post ${age(channel.last_post_at, now)}</span>`}
    </footer>
  </article>`
}

function shorten(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max).replace(/\s+\S*$/u, '')}…` : text
}

function statusTag(index: ChannelProfile['index']): Markup | '' {
  if (index.status === 'active') return ''
  const why = index.reason === null ? '' : `: ${index.reason}`
  return html`<span
    class="tag ${index.status === 'gone' || index.status === 'unavailable' ? 'bad' : ''}"
    >${index.status}${why}</span
  >`
}

export function channelPage(options: {
  readonly profile: ChannelProfile
  readonly posts: readonly BriefPost[]
  readonly next: string | null
  readonly parameters: Parameters
  readonly warnings: readonly Warning[]
  readonly showMedia: boolean
  readonly now: number
}): Markup {
  const { profile, posts, next, parameters, now } = options
  const path = channelPath(profile.username)
  const here = (changes: Readonly<Record<string, string | undefined>>) =>
    addressWith(path, parameters, changes)
  const api = `/v1${path}`
  return page({
    title: `${profile.title || profile.username} (@${profile.username}) – Telegrep`,
    alternates: [
      { href: `${api}/posts?format=rss`, type: 'application/rss+xml', title: 'Posts as a feed' },
    ],
    body: html` ${options.warnings.map((w) => html`<p class="notice">${w.detail}</p>`)}
      ${profileHead(profile, options.showMedia)}
      <div class="split">
        <div>
          <div class="bar">
            <h2>Archive</h2>
            <span
              >${parameters['order'] === 'oldest' ? html`<a href="${here({ order: undefined })}">newest first</a>` : html`<a href="${here({ order: 'oldest' })}">oldest first</a>`}
              · <a href="${path}/live">live view</a></span
            >
          </div>
          <form class="ask" action="${path}" method="get">
            <input
              type="search"
              name="q"
              value="${parameters['q'] ?? ''}"
              placeholder="Words in this channel, all time"
              aria-label="Search this channel"
              dir="auto"
            />
            <button>Search</button>
          </form>
          <div data-scroll>${posts.map((post) => postCard(post))}</div>
          ${posts.length === 0 ? html`<p class="notice">No posts here${parameters['q'] === undefined ? ' yet' : ' with these words'}.</p>` : ''}
          <nav class="pages" aria-label="Posts">
            ${next === null ? '' : html`<a class="button" rel="next" data-next href="${here({ cursor: next })}">More posts</a>`}
          </nav>
          <p class="soft">
            <a href="${api}">Profile as JSON</a> · <a href="${api}/posts">Posts as JSON</a> ·
            <a href="${api}/posts?format=rss">RSS</a>
          </p>
        </div>
        <div class="side">${sideOf(profile, now)}</div>
      </div>`,
  })
}

function profileHead(profile: ChannelProfile | LiveRead['channel'], showMedia: boolean): Markup {
  const initial = [...(profile.title || profile.username)][0] ?? '?'
  return html`<div class="card profile">
    <div class="avatar" aria-hidden="true">
      ${showMedia && profile.avatar_url !== null ? html`<img src="${profile.avatar_url}" alt="" />` : initial}
    </div>
    <div>
      <h1>
        <bdi>${profile.title || profile.username}</bdi>
        ${profile.verified ? html`<span class="tag good">verified</span>` : ''}
      </h1>
      <p class="facts">
        <span>@${profile.username}</span><span>${count(profile.subscribers)} subscribers</span>
        <a href="${profile.url}" rel="noopener noreferrer">On Telegram</a>
      </p>
      <p class="text" dir="auto">${profile.description}</p>
    </div>
  </div>`
}

function sideOf(profile: ChannelProfile, now: number): Markup {
  const { stats, index } = profile
  const days = lastDays(now).map((day, i) => ({ day, count: stats.daily[i] ?? 0 }))
  const search = (name: string, value: string) =>
    addressWith('/', {}, { channel: profile.username, [name]: value })
  const list = (
    title: string,
    rows: readonly { value: string; count: number }[],
    hrefOf: (value: string) => string,
  ) =>
    rows.length === 0
      ? ''
      : html`<section>
          <h2>${title}</h2>
          <ul class="plain">
            ${rows.slice(0, 8).map(
              ({ value, count: n }) =>
                html`<li>
                  <a href="${hrefOf(value)}"><bdi>${value}</bdi></a
                  ><span>${number(n)}</span>
                </li>`,
            )}
          </ul>
        </section>`
  return html`<section>
      <h2>Last 30 days</h2>
      ${barChart('Posts on each of the last 30 days', dayBars(days))}
      <p class="soft">
        ${plural(stats.posts_30d, 'post')}, ${stats.posts_per_day.toFixed(1)} a
        day${stats.median_views === null ? '' : `, median ${number(stats.median_views)} views`}
      </p>
    </section>
    <section>
      <h2>Hours (UTC)</h2>
      ${barChart('Posts by hour of the day', hourBars(stats.hours))}
    </section>
    <section>
      <h2>Index</h2>
      <ul class="plain">
        <li>
          <span>Status</span
          ><span>${index.status}${index.reason === null ? '' : `: ${index.reason}`}</span>
        </li>
        <li><span>Posts archived</span><span>${number(stats.posts)}</span></li>
        <li>
          <span>Archive from</span
          ><span
            >${index.archive_from === null ? '–' : index.archive_from.slice(0, 10)}${index.archive_complete ? ', complete' : ''}</span
          >
        </li>
        <li>
          <span>Last visit</span
          ><span
            >${index.last_visited_at === null ? 'never' : age(index.last_visited_at, now)}</span
          >
        </li>
      </ul>
    </section>
    ${
      profile.languages.length === 0
        ? ''
        : html`<section>
            <h2>Languages</h2>
            <ul class="plain">
              ${profile.languages
                .slice(0, 5)
                .map(
                  ({ code, share }) =>
                    html`<li>
                      <a href="${search('lang', code)}">${code}</a
                      ><span>${Math.round(share * 100)} %</span>
                    </li>`,
                )}
            </ul>
          </section>`
    }
    ${list('Hashtags', stats.top_hashtags, (v) => search('hashtag', v))}
    ${list('Links to', stats.top_domains, (v) => search('domain', v))}
    ${list('Forwards from', stats.forwards_from, channelPath)}
    ${list('Forwarded by', stats.forwarded_by, channelPath)}
    ${
      profile.similar.length === 0
        ? ''
        : html`<section>
            <h2>Similar channels</h2>
            <ul class="plain">
              ${profile.similar
                .slice(0, 8)
                .map((name) => html`<li><a href="${channelPath(name)}">@${name}</a></li>`)}
            </ul>
          </section>`
    }`
}

export function livePage(options: {
  readonly live: LiveRead
  readonly cards: Markup
  readonly warnings: readonly Warning[]
  readonly showMedia: boolean
  readonly now: number
}): Markup {
  const { live, now } = options
  const path = channelPath(live.channel.username)
  const words = {
    live: 'Read from the platform',
    cache: 'Read from the platform',
    archive: 'From the archive, last visited',
  }
  return page({
    title: `${live.channel.title || live.channel.username} live – Telegrep`,
    body: html` ${options.warnings.map((w) => html`<p class="notice">${w.detail}</p>`)}
      ${profileHead(live.channel, options.showMedia)}
      <div class="bar">
        <p>
          ${words[live.source]} ${age(live.fetched_at, now)}
          <small>(${moment(live.fetched_at)})</small>
        </p>
        <span
          ><a class="button" href="${path}/live?max_age=0">Refresh</a>
          ${live.channel.indexed ? html`<a class="button quiet" href="${path}">Archive</a>` : html`<span class="tag">not indexed here</span>`}</span
        >
      </div>
      <div data-scroll>${options.cards}</div>
      <p class="soft"><a href="/v1${path}/live">This as JSON</a></p>`,
  })
}
