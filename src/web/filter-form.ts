import { html, raw } from 'hono/html'
import type { Parameters } from './address.ts'
import type { Markup } from './layout.ts'

/** Filters a chip can show and take away, with the word for it. */
export const FILTER_LABELS: Readonly<Record<string, string>> = {
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
  url: 'address',
  exclude_url: 'not address',
  forwarded_from: 'forwarded from',
  exclude_forwarded_from: 'not forwarded from',
  has: 'with',
  forwards: 'forwards',
  replies: 'replies',
  edited: 'edited',
  min_views: 'views at least',
  min_reactions: 'reactions at least',
  min_subscribers: 'subscribers at least',
  arrived_since: 'captured since',
  match: 'match',
  strict: 'every word',
}

type Field =
  | {
      readonly name: string
      readonly label: string
      readonly type: 'text' | 'date' | 'number'
      readonly hint?: string
    }
  | {
      readonly name: string
      readonly label: string
      readonly options: readonly (readonly [string, string])[]
    }

const THREE = [
  ['', 'with or without'],
  ['exclude', 'without'],
  ['only', 'only'],
] as const

const FIELDS: readonly Field[] = [
  { name: 'since', label: 'Since', type: 'date' },
  { name: 'until', label: 'Until (before)', type: 'date' },
  { name: 'channel', label: 'Channels', type: 'text', hint: 'durov, telegram' },
  { name: 'lang', label: 'Languages', type: 'text', hint: 'en, ru' },
  { name: 'hashtag', label: 'Hashtag', type: 'text' },
  { name: 'domain', label: 'Links to site', type: 'text', hint: 'example.com' },
  {
    name: 'has',
    label: 'With',
    options: [
      '',
      'photo',
      'video',
      'gif',
      'audio',
      'voice',
      'document',
      'poll',
      'link',
      'location',
      'media',
    ].map((v) => [v, v || 'anything'] as const),
  },
  { name: 'forwards', label: 'Forwards', options: THREE },
  { name: 'replies', label: 'Replies', options: THREE },
  { name: 'edited', label: 'Edited', options: THREE },
  { name: 'min_views', label: 'Views at least', type: 'number' },
  { name: 'min_subscribers', label: 'Subscribers at least', type: 'number' },
  {
    name: 'match',
    label: 'Word forms',
    options: [
      ['', 'any form'],
      ['exact', 'exactly as typed'],
    ],
  },
]

/** All filters as a plain form; what it makes is a shareable address. Parameters it has no field for are kept. */
export function filterForm(parameters: Parameters): Markup {
  const own = new Set(FIELDS.map((field) => field.name))
  const kept = Object.entries(parameters).filter(
    ([name]) => !own.has(name) && !['cursor', 'q'].includes(name),
  )
  return html`<form action="/" method="get">
    <input type="hidden" name="q" value="${parameters['q'] ?? ''}" />
    ${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    <div class="filters">
      ${FIELDS.map((field) => fieldOf(field, parameters[field.name] ?? ''))}
    </div>
    <button>Apply</button>
  </form>`
}

function fieldOf(field: Field, value: string): Markup {
  if ('options' in field) {
    return html`<label
      >${field.label}<select name="${field.name}">
        ${field.options.map(
          ([v, text]) =>
            html`<option value="${v}" ${v === value ? raw('selected') : ''}>${text}</option>`,
        )}
      </select></label
    >`
  }
  const shown = field.type === 'date' ? value.slice(0, 10) : value
  return html`<label
    >${field.label}<input
      type="${field.type}"
      name="${field.name}"
      value="${shown}"
      placeholder="${field.hint ?? ''}"
      ${field.type === 'number' ? raw('min="0"') : ''}
  /></label>`
}
