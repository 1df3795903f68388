import { cutText } from '../model/cut-text.ts'
import { addressWith, channelPath, postPath } from './address.ts'
import { avatar } from './avatar.ts'
import { whyNothing } from './why-nothing.ts'
import type { Front } from './front.ts'
import { headlineEnd } from './headline.ts'
import { page, searchForm, type Page } from './layout.ts'
import type { RenderContext } from './render-context.ts'
import { html, type Markup } from './markup.ts'
import { langAttribute } from './post-card.ts'
import { coverageLine } from './search-page.ts'
import { mediaWords } from './thumbnail.ts'
import type { Hit, Language, ListedChannel, Status } from './views.ts'
import { ago, withoutEmptyLines, language, plural, counted } from './words.ts'

/** Searches that find something in any index. */
const EXAMPLES = [
  ['Today', { since: '24h' }],
  ['Most viewed this week', { since: '7d', sort: 'views' }],
  ['Videos', { has: 'video' }],
  ['Polls', { has: 'poll' }],
  ['Copied posts', { forwards: 'only', collapse: 'duplicates' }],
] as const

const LANGUAGES = 8

export function homePage(options: {
  readonly status: Status
  readonly languages: readonly Language[]
  readonly front: Front | undefined
  readonly context: RenderContext
}): Page {
  const { status, front, context } = options
  const { index } = status
  const searched = { ...index, index_lag_s: index.lag_s, complete: true, reason: null }
  const coverage = whyNothing(status) ?? coverageLine(searched, context.now, 'Searches')
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
      </div>
      ${front === undefined ? '' : frontLists(front, context)}
      <p class="soft hints">
        Words in any language, whole questions, <code>"exact phrases"</code>, <code>-without</code>,
        <code>has:video</code>: <a href="/help">all operators</a>. Press <kbd>/</kbd> to search,
        <kbd>↓</kbd> <kbd>↑</kbd> to move, <kbd>Enter</kbd> to open.
      </p>`,
  })
}

function frontLists({ stories, mostSeen, newChannels }: Front, context: RenderContext): Markup {
  return html`<div class="front">
    ${column(
      'Most copied today',
      stories.map((hit) =>
        story(
          hit,
          context,
          html`<strong
            >${plural(hit.cluster!.size, 'post')} in
            ${plural(hit.cluster!.channels, 'channel')}</strong
          >`,
        ),
      ),
      addressWith('/', {}, { since: '24h', collapse: 'duplicates', sort: 'views' }),
    )}
    ${column(
      'Most viewed today',
      mostSeen.map((hit) =>
        story(hit, context, html`<strong>${counted(hit.views!, 'view')}</strong>`),
      ),
      addressWith('/', {}, { since: '24h', sort: 'views' }),
    )}
    ${column(
      'New channels',
      newChannels.map((channel) => newChannel(channel, context)),
      '/channels?sort=added',
    )}
  </div>`
}

function column(title: string, rows: readonly Markup[], more: string): Markup | '' {
  if (rows.length === 0) return ''
  return html`<section>
    <h2>${title}</h2>
    <ol class="plain">
      ${rows}
    </ol>
    <a class="more" href="${more}" aria-label="More: ${title}">More</a>
  </section>`
}

const LINE_CHARS = 140

function story(hit: Hit, context: RenderContext, reason: Markup): Markup {
  const { channel, snippet } = hit
  const line =
    snippet.slice(0, headlineEnd(snippet)) || cutText(withoutEmptyLines(snippet), LINE_CHARS)
  const name = channel.title || channel.username
  return html`<li data-card>
    <a href="${postPath(hit.id)}" data-open dir="auto" ${langAttribute(hit)}
      >${line || `Post ${hit.slug}: ${mediaWords(hit.media)}`}</a
    >
    <p class="by">
      ${avatar(channel)}
      <span><bdi>${cutText(name, 40)}</bdi> · ${ago(hit.published_at, context.now)}</span>
      ${reason}
    </p>
  </li>`
}

function newChannel(channel: ListedChannel, context: RenderContext): Markup {
  const { username, title, index, posts } = channel
  return html`<li data-card>
    <a href="${channelPath(username)}" data-open><bdi>${cutText(title || username, 80)}</bdi></a>
    <p class="by">
      ${avatar(channel)}
      <span
        >@${username} · ${plural(posts, 'post')} · added ${ago(index.added_at, context.now)}</span
      >
    </p>
  </li>`
}
