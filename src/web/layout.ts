import type { LinkTo, Parameters } from './address.ts'
import { ASSETS } from './assets.ts'
import { hiddenFields } from './form.ts'
import { LOGO } from './logo.ts'
import { html, raw, type Markup } from './markup.ts'
import { notice } from './notice.ts'
import type { Warning } from './views.ts'

interface PageFrame {
  readonly title: string
  /** The path that the navigation marks as current. */
  readonly here?: string
  /** Kept in the search box at the top; null for a page with a search box of its own. */
  readonly search?: Parameters | null
  /** Other formats of the same page. */
  readonly alternates?: readonly {
    readonly href: string
    readonly type: string
    readonly title: string
  }[]
  readonly warnings?: readonly Warning[]
  /** Further elements of the head, for programs. */
  readonly head?: Markup
  readonly body: Markup
}

/** What all pages of a service have in common. */
export interface Site {
  /** Its channels and posts are simulated. */
  readonly isDemo: boolean
}

/** A page, to be rendered for a site. */
export type Page = (site: Site) => Markup

const DEMO =
  'This is the demo: its channels and posts are simulated, and links to t.me do not lead to them.'

const NAVIGATION = [
  ['/channels', 'Channels'],
  ['/changes', 'Changes'],
  ['/help', 'Help'],
  ['/status', 'Status'],
  ['/docs', 'API'],
] as const

export function page(frame: PageFrame): Page {
  return (site) => framed(frame, site)
}

function framed(frame: PageFrame, { isDemo }: Site): Markup {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${frame.title}</title>
        <link rel="stylesheet" href="${ASSETS.style.path}" />
        <link rel="icon" href="${ASSETS.icon.path}" type="image/svg+xml" />
        <link
          rel="search"
          type="application/opensearchdescription+xml"
          href="/opensearch.xml"
          title="Telegrep"
        />
        ${(frame.alternates ?? []).map(
          (a) =>
            html`<link rel="alternate" type="${a.type}" href="${a.href}" title="${a.title}" />`,
        )}
        ${frame.head ?? ''}
        <meta name="theme-color" content="#f5f4ef" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#121514" media="(prefers-color-scheme: dark)" />
        <script src="${ASSETS.script.path}" defer></script>
      </head>
      <body>
        <a class="skip" href="#content">Skip to content</a>
        <header class="top">
          <div>
            <a class="brand" href="/">${LOGO}Telegrep</a>
            ${frame.search === null ? '' : searchForm(frame.search ?? {})}
            <nav aria-label="Pages">
              ${NAVIGATION.map(
                ([href, label]) =>
                  html`<a href="${href}" ${frame.here === href ? raw('aria-current="page"') : ''}
                    >${label}</a
                  > `,
              )}
            </nav>
          </div>
        </header>
        <main id="content" tabindex="-1">
          ${isDemo ? html`<p class="notice demo">${DEMO}</p>` : ''}
          ${(frame.warnings ?? []).map((warning) => notice(warning, frame.search ?? {}))}
          ${frame.body}
        </main>
        <footer class="foot">
          <ul>
            <li><a href="/follow">Follow</a></li>
            <li><a href="/limits">Limits and removal</a></li>
            <li><a href="/v1/openapi.json">OpenAPI</a></li>
            <li><a href="/llms.txt">llms.txt</a></li>
            <li>Posts are the words of their authors.</li>
          </ul>
        </footer>
      </body>
    </html>`
}

/** A link to the next page, if there is one; the script loads it in place. */
export function moreLink(label: string, linkTo: LinkTo, next: string | null): Markup {
  return html`<nav class="pages" aria-label="${label}">
    ${next === null ? '' : html`<a class="button" rel="next" data-next href="${linkTo({ cursor: next })}">${label}</a>`}
  </nav>`
}

/** The search box; it keeps the filters and the order of the page it is on. */
export function searchForm(
  parameters: Parameters,
  options: { readonly autofocus?: boolean } = {},
): Markup {
  return html`<form class="ask" action="/" method="get" role="search">
    <div class="box">
      <input
        type="search"
        name="q"
        value="${parameters['q'] ?? ''}"
        maxlength="512"
        placeholder="Search the last 30 days"
        aria-label="Search posts"
        autocomplete="off"
        dir="auto"
        ${options.autofocus === true ? raw('autofocus') : ''}
      />
    </div>
    ${hiddenFields(parameters, ['q'])}
    <button>Search</button>
  </form>`
}
