import { html } from 'hono/html'
import { addressWith } from './address.ts'
import type { Parameters } from './address.ts'
import { barChart, dayBars, lastDays } from './chart.ts'
import { FILTER_LABELS, filterForm } from './filter-form.ts'
import { page, searchForm } from './layout.ts'
import type { Markup } from './layout.ts'
import { postCard } from './post-card.ts'
import type { Hit, SearchMeta, Warning } from './views.ts'
import { age, number, plural } from './words.ts'

export interface SearchPage {
  readonly parameters: Parameters
  readonly hits: readonly Hit[]
  readonly meta: SearchMeta
  readonly warnings: readonly Warning[]
  readonly now: number
}

/** Asked for with every search that fills a page. */
export const PAGE_FACETS = 'day,channel,lang,has,hashtag,domain'

const EXAMPLES = [
  'climate change',
  '"central bank" rates',
  'earthquake has:video',
  'election -poll lang:en',
]

export function homePage(coverage: Markup): Markup {
  return page({
    title: 'Telegrep: search public Telegram channels',
    q: null,
    body: html`<div class="home">
      <h1>Search public Telegram channels</h1>
      ${searchForm('', { autofocus: true })} ${coverage}
      <p class="soft">Try</p>
      <ul class="plain">
        ${EXAMPLES.map((q) => html`<li><a href="${addressWith('/', {}, { q })}">${q}</a></li>`)}
      </ul>
      <p class="soft">
        Press <kbd>/</kbd> to search, <kbd>↓</kbd> <kbd>↑</kbd> to move.
        <a href="/help">All operators</a>
      </p>
    </div>`,
  })
}

export function searchPage(search: SearchPage): Markup {
  const { parameters, hits, meta } = search
  const here = (changes: Readonly<Record<string, string | undefined>>) =>
    addressWith('/', parameters, changes)
  const api = (changes: Readonly<Record<string, string | undefined>>) =>
    addressWith('/v1/search', parameters, changes)
  return page({
    title: `${parameters['q'] ?? 'Posts'} – Telegrep`,
    q: parameters['q'] ?? '',
    alternates: [
      { href: api({ format: 'rss' }), type: 'application/rss+xml', title: 'This search as a feed' },
      { href: api({}), type: 'application/json', title: 'This search as JSON' },
    ],
    body: html` ${search.warnings.map((w) => html`<p class="notice">${w.detail}</p>`)}
      <div class="bar">
        <h1>${totalLine(meta)}</h1>
        <span>${sortLinks(parameters, here)}</span>
      </div>
      ${chips(parameters, here)} ${histogram(search, here)}
      <div class="split">
        <div>
          <div data-scroll>${hits.map((hit) => postCard(hit, { duplicates: 'link' }))}</div>
          ${hits.length === 0 ? nothingFound(search, here) : ''}
          <nav class="pages" aria-label="Results">
            ${parameters['cursor'] === undefined ? '' : html`<a class="button quiet" href="${here({})}">First page</a>`}
            ${meta.next_cursor === null ? '' : html`<a class="button" rel="next" href="${here({ cursor: meta.next_cursor })}">Next page</a>`}
          </nav>
          <p class="soft">${coverageLine(meta, search.now)}</p>
          <p class="soft">
            This search as <a href="${api({})}">JSON</a>,
            <a href="${api({ format: 'md' })}">Markdown</a>,
            <a href="${api({ format: 'csv' })}">CSV</a>,
            <a href="${api({ format: 'rss' })}">RSS</a>,
            <a href="${api({ format: 'jsonfeed' })}">JSON Feed</a>
          </p>
        </div>
        <div class="side">
          <section>
            <details ${hits.length === 0 ? 'open' : ''}>
              <summary>Filters</summary>
              ${filterForm(parameters)}
            </details>
          </section>
          ${facets(meta, here)}
        </div>
      </div>`,
  })
}

function totalLine(meta: SearchMeta): string {
  if (meta.total === undefined) return 'Posts'
  return `${meta.total.relation === 'gte' ? 'More than ' : ''}${plural(meta.total.value, 'post')}`
}

/** "Searched N posts of M channels, newest 40 s ago." */
export function coverageLine(meta: Pick<SearchMeta, 'coverage'>, now: number): string {
  const c = meta.coverage
  if (!c) return ''
  const newest = c.newest_post_at === null ? '' : `, newest ${age(c.newest_post_at, now)}`
  const behind = c.index_lag_s > 60 ? `; the index is ${Math.round(c.index_lag_s)} s behind` : ''
  const partial = c.complete
    ? ''
    : `. The search was cut short${c.reason === null ? '' : `: ${c.reason}`}`
  return `Searched ${plural(c.posts, 'post')} of ${plural(c.channels, 'channel')}${newest}${behind}${partial}.`
}

type Here = (changes: Readonly<Record<string, string | undefined>>) => string

const SORTS = [
  ['relevance', 'best'],
  ['newest', 'newest'],
  ['oldest', 'oldest'],
  ['views', 'most seen'],
] as const

function sortLinks(parameters: Parameters, here: Here): Markup {
  const now = parameters['sort'] ?? (parameters['q'] === undefined ? 'newest' : 'relevance')
  const collapsed = parameters['collapse'] === 'duplicates'
  return html`Order:
    ${SORTS.map(([sort, label]) =>
      sort === now
        ? html`<strong>${label}</strong> `
        : html`<a href="${here({ sort })}">${label}</a> `,
    )}
    ·
    <a href="${here({ collapse: collapsed ? undefined : 'duplicates' })}"
      >${collapsed ? 'show every copy' : 'group copies'}</a
    >`
}

/** Every active filter, each a link that takes it away. */
function chips(parameters: Parameters, here: Here): Markup | '' {
  const active = Object.entries(parameters).filter(([name]) => name in FILTER_LABELS)
  if (active.length === 0) return ''
  return html`<ul class="chips" aria-label="Active filters">
    ${active.map(
      ([name, value]) =>
        html`<li>
          <a href="${here({ [name]: undefined })}" title="Take this filter away"
            >${FILTER_LABELS[name]}: ${value} ✕</a
          >
        </li>`,
    )}
  </ul>`
}

function histogram({ meta, now, parameters }: SearchPage, here: Here): Markup | '' {
  const days = meta.facets?.day
  if (!days || parameters['cursor'] !== undefined) return ''
  const counts = new Map(days.map(({ value, count }) => [value, count]))
  const bars = dayBars(
    lastDays(now).map((day) => ({ day, count: counts.get(day) ?? 0 })),
    (day) => here({ since: day, until: nextDay(day) }),
  )
  return html`<div class="card">
    ${barChart('Matching posts on each of the last 30 days', bars)}
  </div>`
}

function nextDay(day: string): string {
  return new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)
}

const FACET_TITLES = [
  ['channel', 'Channels'],
  ['lang', 'Languages'],
  ['has', 'With'],
  ['hashtag', 'Hashtags'],
  ['domain', 'Links to'],
] as const
const FACET_ROWS = 8

function facets(meta: SearchMeta, here: Here): Markup {
  return html`${FACET_TITLES.map(([name, title]) => {
    const values = meta.facets?.[name] ?? []
    if (values.length === 0) return ''
    return html`<section>
      <h2>${title}</h2>
      <ul class="plain">
        ${values.slice(0, FACET_ROWS).map(
          ({ value, count }) =>
            html`<li>
              <a href="${here({ [name]: value })}"><bdi>${value}</bdi></a
              ><span>${number(count)}</span>
            </li>`,
        )}
      </ul>
    </section>`
  })}`
}

function nothingFound({ parameters, meta }: SearchPage, here: Here): Markup {
  const filters = Object.keys(parameters).filter((name) => name in FILTER_LABELS)
  return html`<div class="card">
    <h2>No post of the last 30 days matches</h2>
    <ul>
      ${filters.length > 0 ? html`<li><a href="${addressWith('/', { q: parameters['q'] ?? '' }, {})}">Search without filters</a></li>` : ''}
      ${parameters['match'] === 'exact' ? html`<li><a href="${here({ match: undefined })}">Find other word forms too</a></li>` : ''}
      ${(meta.coverage?.not_indexed ?? []).map(
        ({ channel }) =>
          html`<li>
            @${channel} is not indexed here; <a href="/channels/${channel}/live">read it live</a>
          </li>`,
      )}
      <li>Try fewer or other words; <a href="/help">all operators</a>.</li>
    </ul>
  </div>`
}
