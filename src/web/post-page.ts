import { cutText } from '../model/cut-text.ts'
import { postPath } from './address.ts'
import { citationHead } from './citation.ts'
import { fullPost } from './full-post.ts'
import { page, type Page } from './layout.ts'
import type { RenderContext } from './render-context.ts'
import { html, type Markup } from './markup.ts'
import { spreadOf } from './spread.ts'
import { versionsOf } from './versions.ts'
import type { Post, Spread, Warning } from './views.ts'

export function postPage(options: {
  readonly post: Post
  readonly spread: Spread | undefined
  readonly warnings: readonly Warning[]
  readonly context: RenderContext
}): Page {
  const { post, spread, context } = options
  const api = `/v1${postPath(post.id)}`
  const name = post.channel.title || post.channel.username
  return page({
    title: `${name}: ${cutText(post.text, 60) || post.slug} – Telegrep`,
    alternates: [{ href: api, type: 'application/json', title: 'This post as JSON' }],
    head: citationHead(post),
    warnings: options.warnings,
    body: html`<div class="reading">
      ${fullPost(post, context)} ${versionsOf(post, api)} ${spreadOf(post, spread)}
      ${evidence(post, api)}
      <p class="soft">
        This post as <a href="${api}">JSON</a>, <a href="${api}?format=md">Markdown</a>
      </p>
    </div>`,
  })
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
      <button type="button" data-copy="note" aria-live="polite" hidden>Copy</button>
    </p>
    <p class="soft">
      A ZIP with the post, its versions, its captures and their hashes, signed; anyone can check it
      without this server.
    </p>
  </section>`
}
