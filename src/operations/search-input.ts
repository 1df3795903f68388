import { z } from 'zod'
import { FACETS, HAS_VALUES, SORTS } from '../model/query.ts'
import * as p from './parameters.ts'

const DETAILS = ['brief', 'full', 'ids'] as const
export type Detail = (typeof DETAILS)[number]

export const detail = p
  .choice('How much of each post: a snippet, everything, or only its id.', DETAILS, 'brief')
  .optional()

export const has = p
  .choices('What a post must have, all of them. `media`: any attachment except a poll.', HAS_VALUES)
  .optional()

/** Names are not cut: a shortened name would name something else. */
export const maxChars = p
  .integer(
    'Budget for the text of all posts in the reply. With `full`, Markdown and HTML are cut first. Names of channels, authors, files and buttons are not counted.',
    { min: 1, max: 1_000_000 },
  )
  .optional()

/** People paste whole posts; such a text is read up to the length of a query. Anything longer than this is refused. */
const MAX_QUERY_GIVEN = 4096

/** All parameters of `/search` except `format`, which belongs to the face. */
export const searchInput = z.strictObject({
  q: p
    .text(
      'Words, all required, in any form; "phrase", =exact, word*, OR, -word, ( ), #tag, @name, from:durov, lang:ru, has:video, is:forward, domain:, after:7d, before:; pasted text is taken as text. At least `q` or one filter is needed.',
      MAX_QUERY_GIVEN,
    )
    .optional(),
  sort: p.choice('Order; `relevance` when `q` has words, else `newest`.', SORTS).optional(),
  since: p.instant('Published at or after; clipped to the last 30 days.').optional(),
  until: p.instant('Published before.').optional(),
  arrived_since: p
    .instant(
      'First captured at or after, in whole seconds. Poll with it to miss no post that was crawled late.',
    )
    .optional(),
  tz: p.tz,
  channel: p.channels('Only these channels, up to 50.').optional(),
  exclude_channel: p.channels('Not these channels, up to 50.').optional(),
  lang: p.languages('Only posts in these languages, by code or name.').optional(),
  exclude_lang: p.languages('No posts in these languages.').optional(),
  hashtag: p.hashtags('Only posts with one of these hashtags, without `#`.').optional(),
  exclude_hashtag: p.hashtags('No posts with these hashtags.').optional(),
  mention: p.channels('Only posts that mention one of these names.').optional(),
  exclude_mention: p.channels('No posts that mention these names.').optional(),
  domain: p.domains('Only posts that link to one of these hosts, subdomains included.').optional(),
  exclude_domain: p.domains('No posts that link to these hosts.').optional(),
  url: p.urls('Only posts that link to one of these URLs; repeat for more.').optional(),
  exclude_url: p.urls('No posts that link to these URLs; repeat for more.').optional(),
  forwarded_from: p.channels('Only posts forwarded from one of these channels.').optional(),
  exclude_forwarded_from: p.channels('No posts forwarded from these channels.').optional(),
  has,
  forwards: p.inclusion('Forwarded posts.'),
  replies: p.inclusion('Replies.'),
  edited: p.inclusion('Edited posts.'),
  min_views: p.count('At least this many views.').optional(),
  min_reactions: p.count('At least this many reactions in total.').optional(),
  min_subscribers: p.count('Only channels with at least this many subscribers.').optional(),
  match: p
    .choice('`stem` finds other forms of a word, `exact` does not.', ['stem', 'exact'], 'stem')
    .optional(),
  strict: p
    .flag(
      'No leniency: every word is required, signs are always operators, and a query that cannot be read is refused.',
    )
    .optional(),
  collapse: p
    .choice(
      '`duplicates`: of near-identical or forwarded posts, only the earliest match; `total` counts all.',
      ['none', 'duplicates'],
      'none',
    )
    .optional(),
  facets: p
    .choices('Count strict matches by these; at most 20 values each, except for times.', FACETS)
    .optional(),
  detail,
  max_chars: maxChars,
  explain: p
    .flag('Do not search; tell how the query was read and what it costs, as json or md.')
    .optional(),
  limit: p.limit,
  cursor: p.cursor,
})
export type SearchInput = z.output<typeof searchInput>

/** Parameters that do not narrow a search. */
const NOT_FILTERS: ReadonlySet<string> = new Set<keyof SearchInput>([
  'q',
  'sort',
  'tz',
  'match',
  'strict',
  'collapse',
  'facets',
  'detail',
  'max_chars',
  'explain',
  'limit',
  'cursor',
])
/** With one of these, `q` may be left out. */
const FILTERS = searchInput.keyof().options.filter((name) => !NOT_FILTERS.has(name))

export function hasFilter(input: Readonly<Partial<Record<keyof SearchInput, unknown>>>): boolean {
  return FILTERS.some((name) => input[name] !== undefined)
}
