import { INCOMPLETE_WORDS } from '../operations/views/incomplete.ts'
import { channelPath, postPath } from './address.ts'
import { avatar } from './avatar.ts'
import { headlineEnd } from './headline.ts'
import type { RenderContext } from './render-context.ts'
import { html, type Markup } from './markup.ts'
import { mediaWords, thumbnail } from './thumbnail.ts'
import type { BriefPost, FullPost, Hit, Spread } from './views.ts'
import { ago, withoutEmptyLines, language, moment, plural, counted } from './words.ts'

/** A post in a list: who and when, its text, a picture beside it, and its counts on one line. */
export function postCard(
  post: BriefPost | Hit,
  context: RenderContext,
  options: {
    /** On the channel's own page its name is left out. */
    readonly isAtHome?: boolean
    readonly copies?: Spread | undefined
  } = {},
): Markup {
  return html`<article class="card post" data-card>
    <header>
      ${options.isAtHome === true ? '' : byline(post)} ${ago(post.published_at, context.now)}
      ${marksOf(post)}
    </header>
    ${origin(post)}
    <div class="body">
      <div>${wordsOf(post)} ${whatIsMissing(post)}</div>
      ${thumbnail(post)}
    </div>
    <footer>
      ${post.views === null ? '' : html`<span>${counted(post.views, 'view')}</span> `}
      ${post.reactions.total > 0 ? html`<span>${plural(post.reactions.total, 'reaction')}</span> ` : ''}
      ${post.media.count === 0 ? '' : html`<span>${mediaWords(post.media)}</span> `}
      ${post.language === null ? '' : html`<span>${language(post.language)}</span> `}
      ${missing(post)}
      <a href="${post.url}" rel="noopener noreferrer">On Telegram</a>
    </footer>
    ${copiesOf(post, options.copies)}
  </article>`
}

function byline(post: BriefPost): Markup {
  const { username, title } = post.channel
  return html`${avatar(post.channel)}
    <a class="name" href="${channelPath(username)}"><bdi>${title || username}</bdi></a
    >${verifiedBadge(post.channel)} <span>@${username}</span>`
}

/** Shown when the platform has verified the channel. */
export function verifiedBadge({ verified }: { readonly verified: boolean }): Markup | '' {
  return verified
    ? html`<svg class="tick" viewBox="0 0 16 16" role="img" aria-label="verified">
        <circle cx="8" cy="8" r="7.5" />
        <path d="M4.6 8.3l2.3 2.3 4.5-5" />
      </svg>`
    : ''
}

/** A headline and the text after it. Both link to the post, but only the first is a stop for the keyboard. */
function wordsOf(post: BriefPost | Hit): Markup {
  const { snippet, highlights } = post
  const path = postPath(post.id)
  const end = headlineEnd(snippet)
  // Without a headline, the whole text is the link to the post.
  const first = end === 0 ? snippet.length : end
  const rest = snippet.slice(first)
  const start = first + rest.length - rest.trimStart().length
  const name = snippet === '' ? html`<span class="soft">${nameless(post)}</span>` : ''
  const lead = html`${marked(snippet, highlights, 0, first)}${name}`
  const follows =
    start >= snippet.length
      ? ''
      : html`<p class="text" dir="auto" ${langAttribute(post)}>
          <a href="${path}" tabindex="-1" draggable="false"
            >${marked(snippet, highlights, start)}</a
          >
        </p>`
  return html`<h3 class="text${end === 0 ? ' whole' : ''}" dir="auto" ${langAttribute(post)}>
      <a href="${path}" data-open draggable="false">${lead}</a>
    </h3>
    ${follows}`
}

/** The title of a post without text. */
function nameless({ slug, media }: BriefPost): string {
  return media.count === 0 ? `Post ${slug}` : `Post ${slug}: ${mediaWords(media)}`
}

/** Tells browsers and screen readers in which language to show and read the text. */
export function langAttribute({ language: code }: BriefPost | FullPost): Markup | '' {
  return code === null ? '' : html`lang="${code}"`
}

/** Marks that a reader has to see at once. */
export function marksOf(post: BriefPost | FullPost): Markup {
  return html`${post.edited ? html`<span class="tag">edited</span> ` : ''}
  ${post.deleted_at === undefined ? '' : html`<span class="tag bad">deleted ${moment(post.deleted_at)}</span> `}
  ${post.hidden_characters === true ? html`<span class="tag bad" title="Invisible or direction-changing characters were taken out">hidden characters</span> ` : ''}`
}

/** A post that is empty or shown in part always says why. */
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

function missing(post: BriefPost | Hit): Markup | '' {
  if (!('matched' in post) || post.matched === 'all') return ''
  const words = (post.missing ?? []).map((word) => html` <s><bdi>${word}</bdi></s>`)
  return html`<span>without${words}</span>`
}

/** The copies of a collapsed hit; a link to them where they were not looked up. */
function copiesOf(post: BriefPost | Hit, spread: Spread | undefined): Markup | '' {
  const group = spread ?? ('cluster' in post ? post.cluster : undefined)
  if (group === undefined || group.size < 2) return ''
  const count = `${plural(group.size, 'post')} alike in ${plural(group.channels, 'channel')}`
  if (!spread) return html`<p><a href="${postPath(post.id)}#duplicates">${count}</a></p>`
  return html`<details class="copies">
    <summary>${count}</summary>
    <ol>
      ${spread.members.map(
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

/** A range of the text with `<mark>` around the highlights; offsets are UTF-16 and in order. */
export function marked(
  text: string,
  highlights: readonly { readonly start: number; readonly end: number }[],
  from = 0,
  to = text.length,
): Markup {
  const parts: (string | Markup)[] = []
  let at = from
  for (const { start, end } of highlights) {
    if (start < at || end > to) continue
    parts.push(
      withoutEmptyLines(text.slice(at, start)),
      html`<mark>${text.slice(start, end)}</mark>`,
    )
    at = end
  }
  parts.push(withoutEmptyLines(text.slice(at, to)))
  return html`${parts}`
}
