import { HAS_VALUES } from '../model/query.ts'
import type { LinkTo, Parameters } from './address.ts'
import { ownLabels, fields, hiddenFields, type Field } from './form.ts'
import { html, raw, type Markup } from './markup.ts'
import { language } from './words.ts'

/** Filters that a chip can show and remove, with their labels. */
const FILTER_LABELS: Readonly<Record<string, string>> = {
  since: 'since',
  until: 'until',
  channel: 'channel',
  exclude_channel: 'not channel',
  lang: 'language',
  exclude_lang: 'not language',
  hashtag: 'hashtag',
  exclude_hashtag: 'not hashtag',
  mention: 'mentions',
  exclude_mention: 'does not mention',
  domain: 'links to',
  exclude_domain: 'does not link to',
  url: 'links to',
  exclude_url: 'does not link to',
  forwarded_from: 'forwarded from',
  exclude_forwarded_from: 'not forwarded from',
  has: 'with',
  forwards: 'forwards',
  replies: 'replies',
  edited: 'edited',
  min_views: 'minimum views',
  min_reactions: 'minimum reactions',
  min_subscribers: 'minimum subscribers',
  arrived_since: 'captured since',
  match: 'word forms',
  strict: 'every word',
}

/** Parameters with a single value, in which a comma does not separate. */
const SINGLE = new Set(['url', 'exclude_url'])

const THREE = { '': 'included', exclude: 'excluded', only: 'only' }

export const HAS_FIELD: Field = {
  name: 'has',
  label: 'Contains',
  options: { '': 'anything', ...ownLabels(HAS_VALUES) },
}

const FIELDS: readonly Field[] = [
  { name: 'since', label: 'Since', type: 'date' },
  { name: 'until', label: 'Until (before)', type: 'date' },
  { name: 'channel', label: 'Channels', type: 'text', hint: 'durov, telegram' },
  { name: 'lang', label: 'Languages', type: 'text', hint: 'en, ru' },
  HAS_FIELD,
  { name: 'hashtag', label: 'Hashtags', type: 'text' },
  { name: 'domain', label: 'Links to site', type: 'text', hint: 'example.com' },
  { name: 'min_views', label: 'Minimum views', type: 'number' },
]

const MORE_FIELDS: readonly Field[] = [
  { name: 'forwards', label: 'Forwards', options: THREE },
  { name: 'replies', label: 'Replies', options: THREE },
  { name: 'edited', label: 'Edited posts', options: THREE },
  { name: 'mention', label: 'Mentions', type: 'text', hint: 'durov' },
  { name: 'url', label: 'Links to URL', type: 'text' },
  { name: 'forwarded_from', label: 'Forwarded from', type: 'text' },
  { name: 'min_reactions', label: 'Minimum reactions', type: 'number' },
  { name: 'min_subscribers', label: 'Minimum subscribers', type: 'number' },
  { name: 'exclude_channel', label: 'Exclude channels', type: 'text' },
  { name: 'exclude_lang', label: 'Exclude languages', type: 'text' },
  { name: 'exclude_hashtag', label: 'Exclude hashtags', type: 'text' },
  { name: 'exclude_domain', label: 'Exclude links to site', type: 'text' },
  { name: 'arrived_since', label: 'Captured since', type: 'text', hint: '24h' },
  { name: 'match', label: 'Word forms', options: { '': 'any form', exact: 'exactly as typed' } },
  {
    name: 'strict',
    label: 'Require every word',
    options: { '': 'if possible', true: 'always' },
  },
]

/**
 * All filters as a plain form. The address it leads to can be shared; wrong parameters and those without a field are
 * dropped.
 */
export function filterForm(parameters: Parameters, wrong: readonly string[] = []): Markup {
  const own = [...FIELDS, ...MORE_FIELDS].map((field) => field.name)
  const isMoreUsed = MORE_FIELDS.some(({ name }) => name in parameters)
  return html`<form action="/" method="get" autocomplete="off">
    ${hiddenFields(parameters, [...own, ...wrong])} ${fields(FIELDS, parameters)}
    <details ${isMoreUsed ? raw('open') : ''}>
      <summary>More filters</summary>
      ${fields(MORE_FIELDS, parameters)}
    </details>
    <button>Apply</button>
  </form>`
}

/** The value as the rest of the page writes it. */
function shown(name: string, value: string): string {
  return name === 'lang' || name === 'exclude_lang' ? language(value) : value
}

/** Every active filter as a whole, in words. */
export function filterWords(
  parameters: Parameters,
): { readonly name: string; readonly words: string }[] {
  return Object.entries(parameters).flatMap(([name, all]) => {
    const label = FILTER_LABELS[name]
    if (label === undefined) return []
    const values = SINGLE.has(name) ? [all] : all.split(',').map((value) => shown(name, value))
    return [{ name, words: `${label}: ${values.join(', ')}` }]
  })
}

/** Every active filter, value by value, each with a link that removes it. */
export function filterChips(parameters: Parameters, linkTo: LinkTo): Markup | '' {
  const active = Object.entries(parameters).filter(([name]) => name in FILTER_LABELS)
  if (active.length === 0) return ''
  const chips = active.flatMap(([name, all]) => {
    const values = SINGLE.has(name) ? [all] : all.split(',')
    return values.map((value) => {
      const rest = values.filter((other) => other !== value).join(',')
      return html`<li>
        <a href="${linkTo({ [name]: rest })}" title="Take this filter away"
          >${FILTER_LABELS[name]}: <bdi>${shown(name, value)}</bdi> ✕</a
        >
      </li>`
    })
  })
  return html`<ul class="chips" aria-label="Active filters">
    ${chips}
  </ul>`
}
