import { html } from 'hono/html'
import { channelPath, postPath } from './address.ts'
import type { Markup } from './layout.ts'
import type { BriefPost, Hit } from './views.ts'
import { count, moment, plural } from './words.ts'

/** A post in a list. Its text is laid out in its own direction whatever the page's. */
export function postCard(
  post: BriefPost | Hit,
  options: { readonly duplicates?: string } = {},
): Markup {
  return html`<article class="card" data-card>
    <header>
      <h3>
        <a href="${channelPath(post.channel.username)}"
          >${post.channel.title || post.channel.username}</a
        >
      </h3>
      ${post.channel.verified ? html`<span class="tag good">verified</span>` : ''}
      <small>@${post.channel.username}</small>
      <small><a href="${postPath(post.id)}">${moment(post.published_at)}</a></small>
      ${post.edited ? html`<span class="tag">edited</span>` : ''}
      ${post.deleted_at === undefined ? '' : html`<span class="tag bad">deleted</span>`}
    </header>
    ${context(post)}
    <p class="text" dir="auto">${marked(post.snippet, post.highlights)}</p>
    ${mediaLine(post)}
    <footer>
      ${post.views === null ? '' : html`<span>${count(post.views)} views</span>`}
      ${post.reactions.total > 0 ? html`<span>${plural(post.reactions.total, 'reaction')}</span>` : ''}
      ${post.language === null ? '' : html`<span>${post.language}</span>`} ${matched(post)}
      ${cluster(post, options.duplicates)}
      <a href="${postPath(post.id)}">Open</a>
      <a href="${post.url}" rel="noopener noreferrer">On Telegram</a>
    </footer>
  </article>`
}

function context(post: BriefPost): Markup | '' {
  if (post.forwarded_from) {
    const { name, username } = post.forwarded_from
    return html`<p class="soft">
      Forwarded from
      ${username === null ? html`<bdi>${name}</bdi>` : html`<a href="${channelPath(username)}"><bdi>${name}</bdi></a>`}
    </p>`
  }
  return post.reply_to ? html`<p class="soft">In reply to a post</p>` : ''
}

function mediaLine(post: BriefPost): Markup | '' {
  if (post.media.count === 0) return ''
  return html`<p class="soft">
    ${plural(post.media.count, 'attachment')}: ${post.media.kinds.join(', ')}
  </p>`
}

function matched(post: BriefPost | Hit): Markup | '' {
  if (!('matched' in post) || post.matched === 'all') return ''
  return html`<span class="missing"
    >without ${(post.missing ?? []).map((word) => html`<s>${word}</s> `)}</span
  >`
}

function cluster(post: BriefPost | Hit, duplicates: string | undefined): Markup | '' {
  if (!('cluster' in post) || post.cluster === undefined || post.cluster.size < 2) return ''
  const { size, channels } = post.cluster
  const text = `${plural(size, 'copy', 'copies')} in ${plural(channels, 'channel')}`
  return duplicates === undefined
    ? html`<span>${text}</span>`
    : html`<a href="${postPath(post.id)}#duplicates">${text}</a>`
}

/** The text with `<mark>` around the highlights; offsets are UTF-16 and in order. */
export function marked(
  text: string,
  highlights: readonly { readonly start: number; readonly end: number }[],
): Markup {
  const parts: (string | Markup)[] = []
  let at = 0
  for (const { start, end } of highlights) {
    if (start < at) continue
    parts.push(text.slice(at, start), html`<mark>${text.slice(start, end)}</mark>`)
    at = end
  }
  parts.push(text.slice(at))
  return html`${parts}`
}
