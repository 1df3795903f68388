import { TYPED_CATALOGUE } from '../../operations/catalogue.ts'
import type { Settings } from '../../operations/context.ts'
import type { StreamOperation } from '../../operations/stream-posts.ts'
import { html, prose, type Markup } from '../../web/markup.ts'
import { addressOf } from '../../operations/address-of.ts'

const SEARCH = TYPED_CATALOGUE.search_posts

/** A stream in the reference. It has no form, because its reply never ends. */
export function streamSection(stream: StreamOperation, { publicUrl }: Settings): Markup {
  const own = Object.keys(stream.input.shape).filter((name) => !(name in SEARCH.input.shape))
  const address = `${publicUrl}/v1${addressOf(stream.path, stream.examples[0]?.input ?? {})}`
  return html`<section id="${stream.name}">
    <h2><code>GET ${stream.path}</code></h2>
    <p><strong>${stream.summary}.</strong> ${prose(stream.description)}</p>
    <pre tabindex="0" aria-label="curl line">curl -N '${address}'</pre>
    <ul>
      ${Object.entries(stream.events).map(([name, told]) => html`<li><code>${name}</code>: ${prose(told)}</li>`)}
    </ul>
    <p>
      Parameters of its own: ${own.map((name) => html`<code>${name}</code> `)}; the others are those
      of <a href="#search_posts">search_posts</a>. All: <a href="/v1/openapi.json">OpenAPI</a>.
    </p>
  </section>`
}
