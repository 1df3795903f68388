import { QUERY_OPERATORS } from '../text/query/query-operators.ts'
import { addressWith } from './address.ts'
import { page, type Page } from './layout.ts'
import { html, type Markup } from './markup.ts'

const exampleLink = (example: string) =>
  html`<a href="${addressWith('/', {}, { q: example })}"><code>${wordsOf(example)}</code></a>`

/** Keeps a line from breaking after a minus: `apple -` and `pie` would read as another query. */
function wordsOf(example: string): Markup[] {
  return example
    .split(/(?= )/)
    .map((word) =>
      word.startsWith(' -') ? html` <span class="whole">${word.trim()}</span>` : html`${word}`,
    )
}

/** Every operator by its example, to be shown beside the results. */
export function operatorList(): Markup {
  return html`<ul class="plain operators">
      ${QUERY_OPERATORS.map(({ example, meaning }) => html`<li title="${plain(meaning)}">${exampleLink(example)}</li> `)}
    </ul>
    <p><a href="/help">What they mean</a></p>`
}

/** All operators, each with an example that can be clicked. */
export function helpPage(): Page {
  return page({
    title: 'Query help – Telegrep',
    here: '/help',
    alternates: [{ href: '/help.md', type: 'text/markdown', title: 'Query help' }],
    body: html`<h1>How to ask</h1>
      <p>
        Type words as they come: every form of them is found, in any language. A whole question
        works too: when too few posts contain every word, posts with the rarest of them follow.
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">Operator</th>
            <th scope="col">Example</th>
            <th scope="col">Finds</th>
          </tr>
        </thead>
        <tbody>
          ${QUERY_OPERATORS.map(
            ({ name, example, meaning }) =>
              html`<tr>
                <td class="operator"><code>${name}</code></td>
                <td>${exampleLink(example)}</td>
                <td>${plain(meaning)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
      <h2>Keys</h2>
      <p>
        <kbd>/</kbd> goes to the search box, <kbd>j</kbd> and <kbd>k</kbd> (from the box or a post
        also <kbd>↓</kbd> and <kbd>↑</kbd>) move through the posts, <kbd>Enter</kbd> opens one, and
        <kbd>Esc</kbd> leaves the box.
      </p>
      <p hidden>
        <label>
          <input type="checkbox" data-keys autocomplete="off" />
          Use <kbd>/</kbd>, <kbd>j</kbd> and <kbd>k</kbd> as keys, in this browser
        </label>
      </p>`,
  })
}

/** Meanings have backticks around code. */
function plain(meaning: string): string {
  return meaning.replaceAll('`', '')
}
