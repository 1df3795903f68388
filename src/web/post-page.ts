import { postPath } from './address.ts'
import { citationHead } from './citation.ts'
import { diffWords } from './diff.ts'
import type { Piece } from './diff.ts'
import { fullPost } from './full-post.ts'
import { page } from './layout.ts'
import type { Page } from './layout.ts'
import type { Look } from './look.ts'
import { html } from './markup.ts'
import type { Markup } from './markup.ts'
import { postCard } from './post-card.ts'
import type { Post, Spread, Warning } from './views.ts'
import { moment, plural, shorten } from './words.ts'

export function postPage(options: {
  readonly post: Post
  readonly spread: Spread | undefined
  readonly warnings: readonly Warning[]
  readonly look: Look
}): Page {
  const { post, spread, look } = options
  const api = `/v1${postPath(post.id)}`
  const name = post.channel.title || post.channel.username
  return page({
    title: `${name}: ${shorten(post.text, 60) || post.slug} – Telegrep`,
    alternates: [{ href: api, type: 'application/json', title: 'This post as JSON' }],
    head: citationHead(post),
    warnings: options.warnings,
    body: html`<div class="reading">
      ${fullPost(post, look)} ${versions(post, api)} ${spreadOf(post, spread, look)}
      ${evidence(post, api)}
      <p class="soft">
        This post as <a href="${api}">JSON</a>, <a href="${api}?format=md">Markdown</a>
      </p>
    </div>`,
  })
}

const MAX_STEPS = 8

function versions(post: Post, api: string): Markup | '' {
  if (post.versions.length === 0) return ''
  const now = {
    captured_at: post.evidence.last_captured_at,
    text: post.text,
    sha256: post.evidence.content_sha256,
  }
  const states = [...post.versions, now]
  const steps = states.slice(1).map((after, i) => ({ before: states[i] ?? after, after }))
  const left = steps.length - MAX_STEPS
  return html`<section id="versions">
    <h2>${plural(post.versions.length, 'earlier version')}</h2>
    ${left > 0 ? html`<p class="soft">The latest ${MAX_STEPS}; <a href="${api}">more of them</a>.</p>` : ''}
    ${steps.slice(-MAX_STEPS).map(
      ({ before, after }) =>
        html`<div class="card">
          <p class="soft">
            Captured ${moment(before.captured_at)}, then
            ${after === now ? 'changed to what it is now' : moment(after.captured_at)}
          </p>
          ${before.text === null || after.text === null ? html`<p class="soft">Only the hash of the earlier text is kept: <code>${before.sha256}</code></p>` : difference(before.text, after.text)}
        </div>`,
    )}
  </section>`
}

function difference(before: string, after: string): Markup {
  const pieces = diffWords(before, after)
  const changes = pieces.map((piece, i) => changed(piece, i === 0, i === pieces.length - 1))
  return html`<p class="diff" dir="auto">${changes}</p>`
}

const CONTEXT = 120

function changed({ kind, text }: Piece, isFirst: boolean, isLast: boolean): Markup | string {
  if (kind === 'added') return html`<ins>${text}</ins>`
  if (kind === 'removed') return html`<del>${text}</del>`
  if (text.length <= 3 * CONTEXT) return text
  // Of what stayed the same, only what stands next to a change.
  const start = isFirst ? '' : text.slice(0, CONTEXT)
  const end = isLast ? '' : text.slice(-CONTEXT)
  return `${start} […] ${end}`
}

function spreadOf(post: Post, spread: Spread | undefined, look: Look): Markup | '' {
  if (!spread || spread.members.length < 2) return ''
  const { members, size, channels } = spread
  const isFirst = members[0]?.id === post.id
  return html`<section id="duplicates">
    <h2>Who said it first</h2>
    <p class="soft">
      ${plural(size, 'near-identical or forwarded post')} in ${plural(channels, 'channel')} over the
      last 30 days, earliest first. ${isFirst ? 'This one is the earliest.' : ''}
    </p>
    ${members.map((member) => postCard(member, look))}
  </section>`
}

function evidence({ url, evidence: e }: Post, api: string): Markup {
  const note = `${url}
sha256 ${e.content_sha256}
first captured ${e.first_captured_at}
last captured ${e.last_captured_at}
by ${e.capture}, parser ${e.parser_version}`
  return html`<section id="evidence">
    <h2>Evidence</h2>
    <pre id="note" tabindex="0" aria-label="Evidence">${note}</pre>
    <p>
      <a class="button" href="${api}/evidence?format=zip" download>Take the evidence home</a>
      <button type="button" data-copy="note" hidden>Copy</button>
    </p>
    <p class="soft">
      A ZIP with the post, its versions, its captures and their hashes, signed; anyone can check it
      without this server.
    </p>
  </section>`
}
