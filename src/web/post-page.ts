import { cutText } from '../model/cut-text.ts'
import { mapInTurns } from '../model/turns.ts'
import { maskSpoilers } from '../text/spoilers.ts'
import { postPath } from './address.ts'
import { citationHead } from './citation.ts'
import { fullPost } from './full-post.ts'
import { page, type Page } from './layout.ts'
import type { RenderContext } from './render-context.ts'
import { html, type Markup } from './markup.ts'
import { namedChanges, unnamedKinds } from './named-changes.ts'
import { sharingHead } from './sharing.ts'
import { spreadOf } from './spread.ts'
import type { Post, Spread, Warning } from './views.ts'
import { wordings } from './wordings.ts'
import { moment, plural } from './words.ts'

export async function postPage(options: {
  readonly post: Post
  readonly spread: Spread | undefined
  readonly warnings: readonly Warning[]
  readonly context: RenderContext
}): Promise<Page> {
  const { post, spread, context } = options
  const api = `/v1${postPath(post.id)}`
  const name = post.channel.title || post.channel.username
  const text = maskSpoilers(post.text, post.entities)
  const versions = await versionsOf(post, api)
  return page({
    title: `${name}: ${cutText(text, 60) || post.slug} – Telegrep`,
    alternates: [{ href: api, type: 'application/json', title: 'This post as JSON' }],
    head: html`${citationHead(post)}
    ${sharingHead({
      title: `${name} (@${post.channel.username})`,
      text,
      picture: post.media.find((media) => media.picture)?.picture?.url,
    })}`,
    warnings: options.warnings,
    body: html`<div class="reading">
      ${fullPost(post, context)} ${versions} ${spreadOf(post, spread)} ${evidence(post, api)}
      <p class="soft">
        This post as <a href="${api}">JSON</a>, <a href="${api}?format=md">Markdown</a>
      </p>
    </div>`,
  })
}

const MAX_STEPS = 8

/** The earlier versions of a post, each with the change that followed. */
async function versionsOf(post: Post, api: string): Promise<Markup | ''> {
  if (post.versions.length === 0) return ''
  const left = post.versions.length - MAX_STEPS
  const texts = [...post.versions.slice(1).map(({ text }) => text), post.text]
  const steps = post.versions.map((version, i) => ({
    ...version,
    i,
    before: version.text,
    after: texts[i] ?? null,
  }))
  const cards = await mapInTurns(steps.slice(-MAX_STEPS), versionCard)
  return html`<section id="versions">
    <h2>${plural(post.versions.length, 'earlier version')}</h2>
    ${left > 0 ? html`<p class="soft">The latest ${MAX_STEPS}; <a href="${api}">more of them</a>.</p>` : ''}
    ${cards}
  </section>`
}

type Step = Post['versions'][number] & { readonly i: number; readonly after: string | null }

function versionCard(step: Step): Markup {
  const { i, captured_at, changed_at, kinds, named, text, after, sha256 } = step
  return html`<div class="card">
    <p class="soft">
      Seen so until ${moment(captured_at)},
      ${changed_at === null ? 'then changed' : html`found changed ${moment(changed_at)}`}
      ${unnamedKinds(kinds, named).map((kind) => html`<span class="tag">${kind}</span> `)}
    </p>
    ${namedChanges(named)}
    ${text === null || after === null ? html`<p class="soft">Only the hash of the earlier text is kept: <code>${sha256}</code></p>` : wordings(`version-${i}`, text, after)}
  </div>`
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
    <p class="follow">
      <a class="button" href="${api}/evidence?format=zip" download>Take the evidence home</a>
      <button type="button" data-copy="note" aria-live="polite" hidden>Copy</button>
    </p>
    <p class="soft">
      A ZIP with the post, its versions, its captures and their hashes, signed; anyone can check it
      without this server.
    </p>
  </section>`
}
