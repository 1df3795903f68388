import { cutText } from '../model/cut-text.ts'
import { WHY_INCOMPLETE } from '../model/incomplete.ts'
import { DAY_MS } from '../model/time.ts'
import { addressWith, type Changes, type LinkTo, type Parameters } from './address.ts'
import { dayChart, lastDays } from './chart.ts'
import { filterChips, filterForm, filterWords } from './filter-form.ts'
import { feedLinks, followButtons } from './follow.ts'
import { page, type Page } from './layout.ts'
import type { RenderContext } from './render-context.ts'
import { html, type Markup } from './markup.ts'
import { postCard } from './post-card.ts'
import { nothingFound } from './nothing-found.ts'
import { operatorList } from './query-help.ts'
import type { Hit, SearchMeta, Spread, Warning } from './views.ts'
import { age, language, moment, number, plural } from './words.ts'

interface SearchPage {
  readonly parameters: Parameters
  readonly hits: readonly Hit[]
  readonly copies: ReadonlyMap<string, Spread>
  readonly meta: SearchMeta
  readonly warnings: readonly Warning[]
  /** Why nothing can be found at all, if that is so. */
  readonly empty: Markup | null
  readonly context: RenderContext
}

/** The facets that a page of search results asks for. */
export const PAGE_FACETS = 'day,channel,lang,has,hashtag,domain'

const FORMATS = [
  ['JSON', { format: 'json' }],
  ['Markdown', { format: 'md' }],
  // For a spreadsheet, as many posts as one reply holds, with whole texts.
  ['CSV', { format: 'csv', detail: 'full', limit: '100' }],
  ['CSV for Excel', { format: 'excel', detail: 'full', limit: '100' }],
] as const

export function searchPage(search: SearchPage): Page {
  const { parameters, hits, copies, meta, context } = search
  const linkTo: LinkTo = (changes) => addressWith('/', parameters, changes)
  const api = (changes: Changes) => addressWith('/v1/search', parameters, changes)
  // A feed reader wants what is new, whatever the order of the page.
  const feeds = {
    rss: api({ format: 'rss', sort: 'newest' }),
    jsonFeed: api({ format: 'jsonfeed', sort: 'newest' }),
  }
  return page({
    title: `${titleOf(parameters)} – Telegrep`,
    search: parameters,
    alternates: [
      ...feedLinks(feeds, 'This search'),
      { href: api({}), type: 'application/json', title: 'This search as JSON' },
    ],
    warnings: search.warnings,
    body: html`<div class="found">
      <div class="bar">
        <h1>${totalLine(search)}</h1>
        <p>${followButtons(feeds)} ${liveSwitch(parameters)}</p>
      </div>
      <p class="soft">
        ${coverageLine(meta.coverage, context.now)}
        <span class="paper"
          >${askedFor(parameters)}${moment(new Date(context.now).toISOString())}</span
        >
      </p>
      ${filterChips(parameters, linkTo)} ${readAs(search)}
      <div class="tools">
        <details>
          <summary>Filters</summary>
          ${filterForm(parameters)}
        </details>
        <details>
          <summary>Query help</summary>
          ${operatorList()}
        </details>
      </div>
      ${histogram(search, linkTo)}
      <div class="split">
        <div>
          <h2 class="unseen">Results</h2>
          ${hits.length === 0 ? '' : html`<div class="bar">${sortLinks(parameters, linkTo)}</div>`}
          <div>${hits.map((hit) => postCard(hit, context, { copies: copies.get(hit.id) }))}</div>
          ${hits.length === 0 ? nothingFound(search, linkTo) : ''}
          <nav class="pages" aria-label="Pages of results">
            ${parameters['cursor'] === undefined ? '' : html`<a class="button quiet" href="${linkTo({})}">First page</a> `}
            ${meta.next_cursor === null ? '' : html`<a class="button" rel="next" href="${linkTo({ cursor: meta.next_cursor })}">Next page</a>`}
          </nav>
          <p class="soft formats">
            This search as
            ${FORMATS.map(([name, changes], i) => html`${i === 0 ? '' : ', '}<a href="${api(changes)}">${name}</a>`)}
            (100 posts in full)
          </p>
        </div>
        <div class="side">${facets(meta, parameters, linkTo)}</div>
      </div>
    </div>`,
  })
}

/** Distinguishes tabs and bookmarks. */
function titleOf(parameters: Parameters): string {
  const { q } = parameters
  const filters = filterWords(parameters).map(({ words }) => words)
  return [...(q === undefined ? [] : [q]), ...filters].join(', ') || 'Posts'
}

/** Repeats the query for print, where the search box is left out. */
function askedFor({ q }: Parameters): Markup | '' {
  return q === undefined ? '' : html`For <code dir="auto">${q}</code>, `
}

function totalLine(search: SearchPage): string {
  const {
    parameters,
    meta: { total, query },
  } = search
  if (total === undefined) return 'Posts'
  if (total.value === 0 && query.relaxed) {
    return isOneSlip(search) ? 'No post contains the word' : 'No post contains every word'
  }
  // The total counts posts before copies are grouped: grouping all matches would cost more than the search.
  const withCopies = parameters['collapse'] === 'duplicates' ? ', copies included' : ''
  return `${total.relation === 'gte' ? 'More than ' : ''}${plural(total.value, 'post')}${withCopies}`
}

/** A single word that no post holds: the posts shown hold another word, and a warning says which. */
function isOneSlip({ parameters: { q = '' }, warnings }: SearchPage): boolean {
  return !/\s/u.test(q.trim()) && warnings.some(({ code }) => code === 'word_not_held')
}

/** "Searched N posts of M channels, newest 40 s ago." */
export function coverageLine(
  c: Omit<NonNullable<SearchMeta['coverage']>, 'not_indexed'> | undefined,
  now: number,
  verb = 'Searched',
): string {
  if (!c) return ''
  const newest = c.newest_post_at === null ? '' : `, newest ${age(c.newest_post_at, now)}`
  const behind = c.index_lag_s > 60 ? `; the index is ${Math.round(c.index_lag_s)} s behind` : ''
  const partial = c.reason === null ? '' : `. Not all was searched: ${WHY_INCOMPLETE[c.reason]}`
  return `${verb} ${plural(c.posts, 'post')} of ${plural(c.channels, 'channel')}${newest}${behind}${partial}.`
}

const SORTS = [
  ['relevance', 'Best'],
  ['newest', 'Newest'],
  ['oldest', 'Oldest'],
  ['views', 'Most viewed'],
] as const

function sortLinks(parameters: Parameters, linkTo: LinkTo): Markup {
  const now = parameters['sort'] ?? (parameters['q'] === undefined ? 'newest' : 'relevance')
  const isGrouped = parameters['collapse'] === 'duplicates'
  return html`<p>
      <span class="unseen">Order:</span>
      <span class="choice"
        >${SORTS.map(([sort, label]) => (sort === now ? html`<strong aria-current="true">${label}</strong> ` : html`<a href="${linkTo({ sort })}">${label}</a> `))}</span
      >
    </p>
    <p>
      <a href="${linkTo({ collapse: isGrouped ? undefined : 'duplicates' })}"
        >${isGrouped ? 'Show every copy' : 'Group copies'}</a
      >
    </p>`
}

const READ_CHARS = 200

/** How the query was understood, if operators make that worth saying. */
function readAs(search: SearchPage): Markup | '' {
  const { meta, parameters } = search
  const { parsed } = meta.query
  const relaxed = meta.query.relaxed && !isOneSlip(search)
  const isPlain = parsed === null || parsed === parameters['q']?.trim()
  if (isPlain && !relaxed) return ''
  return html`<p class="soft">
    ${isPlain ? '' : html`Read as <code dir="auto">${cutText(parsed, READ_CHARS)}</code>. `}
    ${relaxed ? relaxedLine(meta.total) : ''}
  </p>`
}

function relaxedLine(total: SearchMeta['total']): string {
  return total?.value === 0
    ? 'These posts contain some of the words.'
    : 'Few posts contain every word; posts with some of them follow.'
}

function histogram({ meta, context, parameters }: SearchPage, linkTo: LinkTo): Markup | '' {
  const days = meta.facets?.day
  if (!days || days.length === 0) return ''
  const counts = new Map(days.map(({ value, count }) => [value, count]))
  const isNarrowed = parameters['since'] !== undefined || parameters['until'] !== undefined
  return html`<section class="card activity" aria-label="Activity">
    ${dayChart(
      'Matching posts on each of the last 30 days',
      lastDays(context.now).map((day) => ({ day, count: counts.get(day) ?? 0 })),
      {
        caption: 'Posts a day (UTC)',
        note: isNarrowed
          ? html`<a href="${linkTo({ since: undefined, until: undefined })}">All 30 days</a>`
          : 'Choose a bar to see that day',
        hrefOf: (day) => linkTo({ since: day, until: nextDay(day) }),
      },
    )}
  </section>`
}

function nextDay(day: string): string {
  return new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10)
}

const FACETS = [
  ['channel', 'Channels'],
  ['lang', 'Languages'],
  ['has', 'Contains'],
  ['hashtag', 'Hashtags'],
  ['domain', 'Links to'],
] as const
const FACET_ROWS = 8

function facets(meta: SearchMeta, parameters: Parameters, linkTo: LinkTo): Markup {
  return html`${FACETS.map(([name, title]) => {
    const values = meta.facets?.[name] ?? []
    if (values.length === 0) return ''
    return html`<section>
      <h2>${title}</h2>
      <ul class="plain">
        ${values.slice(0, FACET_ROWS).map(({ value, count, title: named }) => {
          const words = name === 'lang' ? language(value) : (named ?? value)
          const less = without(name, value, parameters)
          return html`<li>
            <a href="${linkTo({ [name]: value })}"><bdi>${words}</bdi></a>
            <span
              >${number(count)}
              ${values.length === 1 || !less ? '' : html`<a href="${linkTo(less)}" aria-label="Exclude ${words}" title="Exclude ${words}">exclude</a>`}</span
            >
            ${share(count / values[0]!.count)}
          </li>`
        })}
      </ul>
    </section>`
  })}`
}

/** Excludes a value in addition to those excluded before: one channel may fill a page. */
function without(name: string, value: string, parameters: Parameters): Changes | undefined {
  if (name === 'has') return undefined
  const twin = `exclude_${name}`
  const before = parameters[twin]
  return { [twin]: before === undefined ? value : `${before},${value}` }
}

/** A bar as wide as its share of the longest one. */
function share(part: number): Markup {
  return html`<svg class="share" aria-hidden="true">
    <rect width="${Math.max(1, Math.round(part * 100))}%" height="100%" />
  </svg>`
}

/** Parameters of a search page that are not passed to the stream. */
const NOT_FOLLOWED = { sort: undefined, facets: undefined, limit: undefined, explain: undefined }

/** Where the script puts a switch that counts new posts of this search as they arrive. Without the script it is empty. */
function liveSwitch(parameters: Parameters): Markup {
  const stream = addressWith('/v1/stream', parameters, { ...NOT_FOLLOWED, detail: 'ids' })
  const newest = addressWith('/', parameters, { sort: 'newest' })
  return html`<span data-live="${stream}" data-newest="${newest}"></span>`
}
