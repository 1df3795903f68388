import { html, type Markup } from './markup.ts'
import { namedChanges, unnamedKinds } from './named-changes.ts'
import type { Post } from './views.ts'
import { wordings } from './wordings.ts'
import { moment, plural } from './words.ts'

const MAX_STEPS = 8

/** The earlier versions of a post, each with the change that followed. */
export function versionsOf(post: Post, api: string): Markup | '' {
  if (post.versions.length === 0) return ''
  const left = post.versions.length - MAX_STEPS
  const texts = [...post.versions.slice(1).map(({ text }) => text), post.text]
  const steps = post.versions.map((version, i) => ({ ...version, i, after: texts[i] ?? null }))
  return html`<section id="versions">
    <h2>${plural(post.versions.length, 'earlier version')}</h2>
    ${left > 0 ? html`<p class="soft">The latest ${MAX_STEPS}; <a href="${api}">more of them</a>.</p>` : ''}
    ${steps.slice(-MAX_STEPS).map(
      ({ i, captured_at, changed_at, kinds, named, text, after, sha256 }) =>
        html`<div class="card">
          <p class="soft">
            Seen so until ${moment(captured_at)},
            ${changed_at === null ? 'then changed' : html`found changed ${moment(changed_at)}`}
            ${unnamedKinds(kinds, named).map((kind) => html`<span class="tag">${kind}</span> `)}
          </p>
          ${namedChanges(named)}
          ${text === null || after === null ? html`<p class="soft">Only the hash of the earlier text is kept: <code>${sha256}</code></p>` : wordings(`version-${i}`, text, after)}
        </div>`,
    )}
  </section>`
}
