import { html, raw } from 'hono/html'
import { channelPath, postPath } from './address.ts'
import { diffWords } from './diff.ts'
import { page } from './layout.ts'
import type { Markup } from './layout.ts'
import { mediaList } from './media.ts'
import type { BriefPost, FullPost, Post } from './views.ts'
import { postCard } from './post-card.ts'
import { count, moment, plural } from './words.ts'

export interface Duplicates {
  readonly size: number
  readonly channels: number
  /** Earliest first. */
  readonly members: readonly BriefPost[]
}

export function postPage(options: {
  readonly post: Post
  readonly duplicates: Duplicates | undefined
  readonly showMedia: boolean
}): Markup {
  const { post, duplicates } = options
  const api = `/v1${postPath(post.id)}`
  return page({
    title: `${post.channel.title || post.channel.username}: ${post.text.slice(0, 60) || post.slug} – Telegrep`,
    alternates: [{ href: api, type: 'application/json', title: 'This post as JSON' }],
    body: html` ${fullPost(post, options.showMedia)} ${versions(post)}
      ${duplicatesOf(post, duplicates)} ${evidence(post)}
      <p class="soft">
        This post as <a href="${api}">JSON</a>, <a href="${api}?format=md">Markdown</a>
      </p>`,
  })
}

/** A whole post. Its HTML is made from entities by our own allow-list, never taken from upstream. */
export function fullPost(post: FullPost, showMedia: boolean): Markup {
  return html`<article class="card" data-card>
    <header>
      <h1>
        <a href="${channelPath(post.channel.username)}"
          ><bdi>${post.channel.title || post.channel.username}</bdi></a
        >
      </h1>
      <small>@${post.channel.username}</small>
      <small><a href="${postPath(post.id)}">${moment(post.published_at)}</a></small>
      ${post.edited ? html`<span class="tag">edited</span>` : ''}
      ${post.kind === 'service' ? html`<span class="tag">service message</span>` : ''}
      ${post.deleted_at === undefined ? '' : html`<span class="tag bad">deleted ${moment(post.deleted_at)}</span>`}
      ${post.hidden_characters === true ? html`<span class="tag bad" title="Invisible or direction-changing characters were taken out">hidden characters</span>` : ''}
    </header>
    ${origin(post)}
    <div class="full" dir="auto">${raw(post.html)}</div>
    ${mediaList(post, showMedia)} ${poll(post)} ${preview(post)} ${buttons(post)}
    <footer>
      ${post.views === null ? '' : html`<span>${count(post.views)} views</span>`}
      ${post.author === null ? '' : html`<span>signed <bdi>${post.author}</bdi></span>`}
      ${post.via_bot === null ? '' : html`<span>via ${post.via_bot}</span>`}
      ${post.language === null ? '' : html`<span>${post.language}</span>`}
      ${post.reactions.map((r) => html`<span>${r.emoji ?? (r.paid === true ? '⭐' : '◆')} ${count(r.count)}</span>`)}
      <a href="${post.url}" rel="noopener noreferrer">On Telegram</a>
    </footer>
  </article>`
}

function origin(post: FullPost): Markup {
  const from = post.forwarded_from
  const reply = post.reply_to
  return html`${
    from === null
      ? ''
      : html`<p class="soft">
          Forwarded from
          ${from.username === null ? html`<bdi>${from.name}</bdi>` : html`<a href="${channelPath(from.username)}"><bdi>${from.name}</bdi></a>`}
          ${from.post_url === null ? '' : html`(<a href="${from.post_url}" rel="noopener noreferrer">original</a>)`}
        </p>`
  }${
    reply === null
      ? ''
      : html`<blockquote class="preview">
          <p class="soft">
            In reply to
            <a href="${reply.url}" rel="noopener noreferrer"
              ><bdi>${reply.author ?? 'a post'}</bdi></a
            >
          </p>
          ${reply.text === null ? '' : html`<p class="text" dir="auto">${reply.text}</p>`}
        </blockquote>`
  }`
}

function poll(post: FullPost): Markup | '' {
  if (post.poll === null) return ''
  const { question, type, options, voters } = post.poll
  return html`<section class="preview poll">
    <h2 dir="auto">${question}</h2>
    <p class="soft">${type}${voters === null ? '' : `, ${count(voters)} voters`}</p>
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

function preview(post: FullPost): Markup | '' {
  const p = post.link_preview
  if (p === null) return ''
  return html`<blockquote class="preview">
    <p class="soft">${p.site_name ?? ''}</p>
    <p>
      <a href="${p.url}" rel="nofollow noopener noreferrer"><bdi>${p.title ?? p.url}</bdi></a>
    </p>
    ${p.description === null ? '' : html`<p class="text" dir="auto">${p.description}</p>`}
  </blockquote>`
}

function buttons(post: FullPost): Markup | '' {
  const all = post.buttons.flat()
  if (all.length === 0) return ''
  return html`<p class="soft">
    Buttons:
    ${all.map((b) =>
      b.url === null
        ? html`<span class="tag">${b.text}</span> `
        : html`<a href="${b.url}" rel="nofollow noopener noreferrer">${b.text}</a> `,
    )}
  </p>`
}

function versions(post: Post): Markup | '' {
  if (post.versions.length === 0) return ''
  const states = [
    ...post.versions,
    {
      captured_at: post.evidence.last_captured_at,
      text: post.text,
      sha256: post.evidence.content_sha256,
    },
  ]
  return html`<section id="versions">
    <h2>${plural(post.versions.length, 'earlier version')}</h2>
    ${states.slice(1).map((state, i) => {
      const before = states[i] as (typeof states)[number]
      return html`<div class="card">
        <p class="soft">
          ${moment(before.captured_at)} →
          ${i === states.length - 2 ? 'now' : moment(state.captured_at)}
        </p>
        ${before.text === null || state.text === null ? html`<p class="soft">Only the hash of the earlier text is kept: <code>${before.sha256}</code></p>` : difference(before.text, state.text)}
      </div>`
    })}
  </section>`
}

function difference(before: string, after: string): Markup {
  return html`<p class="diff" dir="auto">
    ${diffWords(before, after).map(({ kind, text }) =>
      kind === 'same'
        ? text
        : kind === 'added'
          ? html`<ins>${text}</ins>`
          : html`<del>${text}</del>`,
    )}
  </p>`
}

function duplicatesOf(post: Post, duplicates: Duplicates | undefined): Markup | '' {
  if (!duplicates || duplicates.members.length < 2) return ''
  const { members, size, channels } = duplicates
  const isFirst = members[0]?.id === post.id
  return html`<section id="duplicates">
    <h2>Who said it first</h2>
    <p class="soft">
      ${plural(size, 'near-identical or forwarded post')} in ${plural(channels, 'channel')} over the
      last 30 days, earliest first. ${isFirst ? 'This one is the earliest.' : ''}
    </p>
    <details open>
      <summary>Show them</summary>
      ${members.map((member) => postCard(member))}
    </details>
  </section>`
}

function evidence(post: Post): Markup {
  const { content_sha256, first_captured_at, last_captured_at, capture, parser_version } =
    post.evidence
  const note = `${post.url} | sha256 ${content_sha256} | first captured ${first_captured_at} | last captured ${last_captured_at} | ${capture}, parser ${parser_version}`
  return html`<section id="evidence">
    <h2>Evidence</h2>
    <table>
      <tr>
        <th scope="row">Content SHA-256</th>
        <td><code>${content_sha256}</code></td>
      </tr>
      <tr>
        <th scope="row">First captured</th>
        <td>${moment(first_captured_at)}</td>
      </tr>
      <tr>
        <th scope="row">Last captured</th>
        <td>${moment(last_captured_at)}</td>
      </tr>
      <tr>
        <th scope="row">How</th>
        <td>${capture}, parser ${parser_version}</td>
      </tr>
    </table>
    <p><button data-copy="${note}">Copy as a note</button></p>
  </section>`
}
