import { INCOMPLETE_WORDS } from '../operations/views/incomplete.ts'
import { channelPath, postPath } from './address.ts'
import { html } from './markup.ts'
import type { Markup } from './markup.ts'
import type { BriefPost, FullPost, Hit, Spread } from './views.ts'
import { closeUp, count, language, moment, plural } from './words.ts'

/** A post in a list. Its text is laid out in its own direction whatever the page's. */
export function postCard(
  post: BriefPost | Hit,
  options: {
    /** On the channel's own page its name goes without saying. */
    readonly isAtHome?: boolean
    readonly copies?: Spread | undefined
  } = {},
): Markup {
  return html`<article class="card" data-card>
    <header>
      ${
        options.isAtHome === true ? html`<h3>${moment(post.published_at)}</h3>` : byline(post, 'h3')
      }
      ${marksOf(post)}
    </header>
    ${origin(post)}
    <p class="text" dir="auto" ${langOf(post)}>${marked(post.snippet, post.highlights)}</p>
    ${whatIsMissing(post)}
    <footer>
      <a href="${postPath(post.id)}" data-open>Open</a>
      ${post.media.count === 0 ? '' : html`<span>${mediaWords(post.media)}</span> `}
      ${post.views === null ? '' : html`<span>${count(post.views)} views</span> `}
      ${post.reactions.total > 0 ? html`<span>${plural(post.reactions.total, 'reaction')}</span> ` : ''}
      ${post.language === null ? '' : html`<span>${language(post.language)}</span> `}
      ${missing(post)}
      <a href="${post.url}" rel="noopener noreferrer">On Telegram</a>
    </footer>
    ${options.copies === undefined ? '' : copiesOf(post, options.copies)}
  </article>`
}

/** Who wrote it and when, under a heading of that rank. */
export function byline(post: BriefPost | FullPost, heading: 'h1' | 'h3'): Markup {
  const { username, title, verified } = post.channel
  const name = html`<a href="${channelPath(username)}"><bdi>${title || username}</bdi></a>`
  return html`${heading === 'h1' ? html`<h1>${name}</h1>` : html`<h3>${name}</h3>`}
    ${verified ? html`<span class="tag good">verified</span>` : ''} <small>@${username}</small>
    <small>${moment(post.published_at)}</small>`
}

/** The voice and the letters its text is read with. */
export function langOf({ language: code }: BriefPost | FullPost): Markup | '' {
  return code === null ? '' : html`lang="${code}"`
}

/** What a reader has to know of a post at once. */
export function marksOf(post: BriefPost | FullPost): Markup {
  return html`${post.edited ? html`<span class="tag">edited</span> ` : ''}
  ${post.deleted_at === undefined ? '' : html`<span class="tag bad">deleted ${moment(post.deleted_at)}</span> `}
  ${post.hidden_characters === true ? html`<span class="tag bad" title="Invisible or direction-changing characters were taken out">hidden characters</span> ` : ''}`
}

/** A post is never shown empty, or in part, without the reason. */
export function whatIsMissing({ incomplete }: BriefPost | FullPost): Markup | '' {
  return incomplete === undefined ? '' : html`<p class="soft">${INCOMPLETE_WORDS[incomplete]}</p>`
}

function origin(post: BriefPost): Markup | '' {
  if (post.forwarded_from) {
    const { name, username } = post.forwarded_from
    return html`<p class="soft">
      Forwarded from
      ${username === null ? html`<bdi>${name}</bdi>` : html`<a href="${channelPath(username)}"><bdi>${name}</bdi></a>`}
    </p>`
  }
  return post.reply_to ? html`<p class="soft">In reply to a post</p>` : ''
}

/** `photo, video` or `4 × photo`. */
function mediaWords({ kinds, count: n }: BriefPost['media']): string {
  return n === kinds.length ? kinds.join(', ') : `${n} × ${kinds.join(', ')}`
}

function missing(post: BriefPost | Hit): Markup | '' {
  if (!('matched' in post) || post.matched === 'all') return ''
  return html`<span
    >without ${(post.missing ?? []).map((word) => html`<s><bdi>${word}</bdi></s> `)}</span
  >`
}

function copiesOf(post: BriefPost, { size, channels, members }: Spread): Markup {
  return html`<details class="copies">
    <summary>${plural(size, 'copy', 'copies')} in ${plural(channels, 'channel')}</summary>
    <ol>
      ${members.map(
        (member) =>
          html`<li>
            <a href="${postPath(member.id)}">${moment(member.published_at)}</a>
            <bdi>${member.channel.title || member.channel.username}</bdi>
            <small
              >@${member.channel.username}${member.forwarded_from ? ', forwarded' : ''}${member.id === post.id ? ', shown above' : ''}</small
            >
          </li>`,
      )}
    </ol>
    <p><a href="${postPath(post.id)}#duplicates">Compare them</a></p>
  </details>`
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
    parts.push(closeUp(text.slice(at, start)), html`<mark>${text.slice(start, end)}</mark>`)
    at = end
  }
  parts.push(closeUp(text.slice(at)))
  return html`${parts}`
}
