import { html, type Markup } from './markup.ts'
import type { Change } from './views.ts'

type Named = Change['named'][number]

/** The kinds of a change that none of the named changes covers. */
export function unnamedKinds<K extends string>(kinds: readonly K[], named: readonly Named[]): K[] {
  return kinds.filter((kind) => !named.some((change) => change.kind === kind))
}

/** The named changes: `number 12 → 21`. */
export function namedChanges(named: readonly Named[]): Markup | '' {
  if (named.length === 0) return ''
  return html`<ul class="named" aria-label="What changed">
    ${named.map(
      ({ kind, before, after }) =>
        html`<li>
          <span class="tag">${kind}</span>
          ${before === null ? html`<span class="soft">added</span>` : html`<del dir="auto">${before}</del>`}
          →
          ${after === null ? html`<span class="soft">taken away</span>` : html`<ins dir="auto">${after}</ins>`}
        </li>`,
    )}
  </ul>`
}
