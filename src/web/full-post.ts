import { SECOND_MS } from '../model/time.ts'
import { addressWith, channelPath, safeHref, postPath, type Changes } from './address.ts'
import { html, raw, type Markup } from './markup.ts'
import { mediaList } from './media.ts'
import type { RenderContext } from './render-context.ts'
import { avatar } from './avatar.ts'
import { pictureOver } from './picture.ts'
import { langAttribute, marksOf, verifiedBadge, whatIsMissing } from './post-card.ts'
import type { FullPost } from './views.ts'
import { age, ago, count, language, moment, counted } from './words.ts'

/** A whole post. Its HTML is made from entities with our own allow-list, never taken from the platform. */
export function fullPost(
  post: FullPost,
  context: RenderContext,
  options: {
    /** One of several posts on its channel's page: its heading is its time, with a link to the post. */
    readonly isInList?: boolean
  } = {},
): Markup {
  const isInList = options.isInList === true
  return html`<article class="card" ${isInList ? raw('data-card') : ''}>
    <header>
      ${isInList ? html`<h3>${ago(post.published_at, context.now)}</h3>` : byline(post, context)}
      ${marksOf(post)}
      ${post.kind === 'service' ? html`<span class="tag">service message</span>` : ''}
    </header>
    ${origin(post)}
    <div class="full" dir="auto" ${langAttribute(post)}>${raw(withinReach(post.html))}</div>
    ${whatIsMissing(post)} ${mediaList(post, context.showMedia)} ${poll(post)} ${preview(post)}
    ${buttons(post)}
    <footer>
      ${isInList ? html`<a href="${postPath(post.id)}" data-open>Open</a> ` : ''}
      ${post.views === null ? '' : html`<span>${counted(post.views, 'view')}</span> `}
      ${post.author === null ? '' : html`<span>signed <bdi>${post.author}</bdi></span> `}
      ${post.via_bot === null ? '' : html`<span>via ${post.via_bot}</span> `}
      ${post.language === null ? '' : html`<span>${language(post.language)}</span> `}
      ${post.reactions.map((r) => html`<span>${r.emoji ?? (r.paid === true ? '⭐' : '◆')} ${count(r.count)}</span> `)}
      ${isInList ? '' : neighbours(post)}
      <a href="${post.url}" rel="noopener noreferrer">On Telegram</a>
    </footer>
  </article>`
}

/** Links into the channel's archive at this post: back from it, newest first, or onwards from it, oldest first. */
function neighbours({ channel, published_at: at }: FullPost): Markup {
  const to = (changes: Changes) =>
    `${addressWith(channelPath(channel.username), {}, changes)}#posts`
  const until = new Date(Date.parse(at) + SECOND_MS).toISOString()
  return html`<a href="${to({ until })}">Earlier in the channel</a>
    <a href="${to({ since: at, order: 'oldest' })}">Later</a> `
}

/** Lets a spoiler be revealed by touch or keyboard, not only by mouse. This HTML contains no tags by the author. */
function withinReach(text: string): string {
  return text.replaceAll('<span class="spoiler">', '<span class="spoiler" tabindex="0">')
}

function byline({ channel, published_at: at }: FullPost, context: RenderContext): Markup {
  return html`${avatar(channel)}
    <h1>
      <a href="${channelPath(channel.username)}"><bdi>${channel.title || channel.username}</bdi></a>
    </h1>
    ${verifiedBadge(channel)} <span>@${channel.username}</span>
    <span>${moment(at)}, ${age(at, context.now)}</span>`
}

function origin({ forwarded_from: from, reply_to: reply }: FullPost): Markup {
  return html`${
    from === null
      ? ''
      : html`<p class="soft">
          Forwarded from
          ${from.username === null ? html`<bdi>${from.name}</bdi>` : html`<a href="${channelPath(from.username)}"><bdi>${from.name}</bdi></a>`}
          ${from.post_url === null ? '' : html`(${outLink(from.post_url, 'original')})`}
        </p>`
  }${
    reply === null
      ? ''
      : html`<blockquote class="preview">
          <p class="soft">In reply to ${outLink(reply.url, reply.author ?? 'a post')}</p>
          ${reply.text === null ? '' : html`<p class="text" dir="auto">${reply.text}</p>`}
        </blockquote>`
  }`
}

function poll(post: FullPost): Markup | '' {
  if (post.poll === null) return ''
  const { question, type, options, voters } = post.poll
  return html`<section class="preview poll">
    <h2 dir="auto">${question}</h2>
    <p class="soft">${type}${voters === null ? '' : `, ${counted(voters, 'voter')}`}</p>
    <ul class="plain">
      ${options.map(
        (o) =>
          html`<li>
            <span dir="auto">${o.text}</span>
            <span class="soft">${o.percent === null ? '' : `${o.percent} %`}</span>
            <progress max="100" value="${o.percent ?? 0}" aria-label="${o.text}"></progress>
          </li>`,
      )}
    </ul>
  </section>`
}

function preview({ link_preview: p }: FullPost): Markup | '' {
  if (p === null) return ''
  return html`<blockquote class="preview">
    ${p.picture ? html`<p class="framed still">${pictureOver(p.picture)}</p>` : ''}
    ${p.site_name === null ? '' : html`<p class="soft"><bdi>${p.site_name}</bdi></p>`}
    <p>${outLink(p.url, p.title ?? p.url)}</p>
    ${p.description === null ? '' : html`<p class="text" dir="auto">${p.description}</p>`}
  </blockquote>`
}

function buttons(post: FullPost): Markup | '' {
  const all = post.buttons.flat()
  if (all.length === 0) return ''
  return html`<p class="soft">
    Buttons: ${all.map((b) => html`<span class="tag">${outLink(b.url, b.text)}</span> `)}
  </p>`
}

/** A link that an author chose; only its text if the scheme is not safe. */
function outLink(url: string | null, text: string): Markup {
  const href = safeHref(url)
  return href === undefined
    ? html`<bdi>${text}</bdi>`
    : html`<a href="${href}" rel="nofollow noopener noreferrer"><bdi>${text}</bdi></a>`
}
