import { addressWith, channelPath } from './address.ts'
import { dayChart, hourChart, lastDays } from './chart.ts'
import { growthCharts } from './growth-chart.ts'
import { html, type Markup } from './markup.ts'
import type { ChannelProfile } from './views.ts'
import { age, language, number, percent, plural } from './words.ts'

const ROWS = 8

/** What is known about a channel besides its posts: its activity, its state in the index, and related channels. */
export function channelFacts(profile: ChannelProfile, now: number): Markup {
  const { stats } = profile
  const search = (name: string, value: string) =>
    addressWith('/', {}, { channel: profile.username, [name]: value })
  const days = lastDays(now).map((day, i) => ({ day, count: stats.daily[i] ?? 0 }))
  const rows = (list: readonly { value: string; count: number }[], hrefOf: (v: string) => string) =>
    list.map(({ value, count }) => row(value, hrefOf(value), number(count)))
  return html`<section>
      <h2>Last 30 days</h2>
      ${stats.posts_30d === 0 ? '' : dayChart('Posts on each of the last 30 days', days)}
      <p class="soft">
        ${plural(stats.posts_30d, 'post')}, ${stats.posts_per_day.toFixed(1)} a
        day${stats.median_views === null ? '' : `, median ${number(stats.median_views)} views`}
      </p>
    </section>
    ${growthCharts(profile.growth)} ${stats.posts_30d === 0 ? '' : hoursOf(stats.hours)}
    ${indexState(profile, now)}
    ${list(
      'Languages',
      profile.languages.map(({ code, share }) =>
        row(language(code), search('lang', code), percent(share)),
      ),
    )}
    ${list(
      'Hashtags',
      rows(stats.top_hashtags, (v) => search('hashtag', v)),
    )}
    ${list(
      'Links to',
      rows(stats.top_domains, (v) => search('domain', v)),
    )}
    ${list('Forwards from', rows(stats.forwards_from, channelPath))}
    ${list('Forwarded by', rows(stats.forwarded_by, channelPath))}
    ${list(
      'Similar channels',
      profile.similar.map((name) => row(`@${name}`, channelPath(name), '')),
    )}`
}

function hoursOf(hours: readonly number[]): Markup {
  return html`<section>
    <h2>Hours (UTC)</h2>
    ${hourChart('Posts by hour of the day', hours)}
  </section>`
}

function list(title: string, rows: readonly Markup[]): Markup | '' {
  if (rows.length === 0) return ''
  return html`<section>
    <h2>${title}</h2>
    <ul class="plain">
      ${rows.slice(0, ROWS)}
    </ul>
  </section>`
}

function row(name: string, href: string, value: string): Markup {
  return html`<li>
    <a href="${href}"><bdi>${name}</bdi></a> <span>${value}</span>
  </li>`
}

function indexState({ index, stats, aliases }: ChannelProfile, now: number): Markup {
  const { status, reason, archive_from: from, last_visited_at: visited } = index
  const facts = [
    ['Status', `${status}${reason === null ? '' : `: ${reason}`}`],
    ['Posts archived', number(stats.posts)],
    [
      'Archive from',
      from === null ? '–' : `${from.slice(0, 10)}${index.archive_complete ? ', complete' : ''}`,
    ],
    ...(aliases.length === 0 ? [] : [['Other names', aliases.join(', ')]]),
    ['Last visit', visited === null ? 'never' : age(visited, now)],
  ]
  return html`<section>
    <h2>Index</h2>
    <ul class="plain">
      ${facts.map(([name, value]) => html`<li><span>${name}</span> <span>${value}</span></li>`)}
    </ul>
  </section>`
}
