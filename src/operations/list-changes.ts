import { z } from 'zod'
import { nameKey } from '../model/channel-name.ts'
import { EDIT_KINDS } from '../model/edit.ts'
import type { ArchivedPost } from '../model/post.ts'
import type { EditQuery, ListedEdit } from '../store/edits.ts'
import { createMatcher } from '../text/matcher.ts'
import { MAX_QUERY_CHARS, parseQuery } from '../text/query/parse-query.ts'
import { postHas } from '../text/post-features.ts'
import { checkChannels, lookUpChannels } from './asked-channels.ts'
import type { Context } from './context.ts'
import { mapInTurns } from '../model/turns.ts'
import { languageWarnings } from './language-warnings.ts'
import { CURSOR_ERRORS, defineOperation } from './operation.ts'
import * as p from './parameters.ts'
import { holdsTerms, readWords, termsOf } from './read-words.ts'
import { changeItem, markdownChange } from './render/change-words.ts'
import { compactObject } from './render/compact.ts'
import { ORIGIN } from './render/markdown-words.ts'
import { has } from './search-input.ts'
import { CONTENT_ORIGIN, contentOrigin, nextCursor } from './views/common.ts'
import { coverChange } from './views/cover-change.ts'
import { changeView, viewChange, type ChangeView } from './views/edit.ts'
import { readWalk } from './walk.ts'
import { windowWarning } from './window-warning.ts'

const input = z.strictObject({
  q: p
    .text(
      'Words that the earlier or the later text must hold, all of them. No operators.',
      MAX_QUERY_CHARS,
    )
    .optional(),
  kind: p.choices('What was changed; any of these.', EDIT_KINDS).optional(),
  sort: p
    .choice(
      'By when the change was noticed, or by the post’s views.',
      ['newest', 'views'],
      'newest',
    )
    .optional(),
  since: p.instant('Noticed at or after.').optional(),
  until: p.instant('Noticed before.').optional(),
  tz: p.tz,
  channel: p.channels('Only these channels.').optional(),
  exclude_channel: p.channels('Not these channels.').optional(),
  lang: p.languages('Only posts in these languages, by code or name.').optional(),
  exclude_lang: p.languages('No posts in these languages.').optional(),
  has,
  forwards: p.inclusion('Forwarded posts.'),
  deleted: p.inclusion('Posts that have since been deleted; their text where it is kept.'),
  min_views: p.count('At least this many views.').optional(),
  min_subscribers: p.count('Only channels with at least this many subscribers.').optional(),
  limit: p.limit,
  cursor: p.cursor,
})
type Input = z.output<typeof input>

export const listChanges = defineOperation({
  name: 'list_changes',
  path: '/changes',
  summary: 'Edits and deletions across channels, by what they touched',
  description:
    'What authors changed after publication, by kind, and what they deleted. No 30-day limit.',
  input,
  output: z.array(changeView),
  meta: z.strictObject({ content_origin: contentOrigin, next_cursor: nextCursor }),
  errors: ['invalid_username', 'invalid_query', ...CURSOR_ERRORS],
  formats: ['json', 'md', 'rss', 'jsonfeed'],
  markdown({ data }) {
    const head = data.length === 0 ? '# No changes' : '# Changes'
    return [`${head}\n\n${ORIGIN}`, ...data.map(markdownChange)].join('\n\n')
  },
  items: (data) => mapInTurns(data, changeItem),
  compact: (data) => data.map(compactChange),
  policies: ['burst', 'daily'],
  examples: [
    { summary: 'Numbers that changed today', input: { kind: ['number'], since: 'today' } },
    { summary: 'What was deleted and widely seen', input: { kind: ['deleted'], sort: 'views' } },
  ],
  async run(ctx, given, { signal }) {
    const { limit = p.DEFAULT_LIMIT, cursor, ...query } = given
    const places = given.q === undefined ? null : readWords(given.q).flatMap(termsOf)
    const times = [given.since, given.until] as const
    const walk = readWalk(ctx, ['list_changes', query], { cursor, tz: given.tz, times })
    const [since, until] = walk.times
    const asked = [...(given.channel ?? []), ...(given.exclude_channel ?? [])]
    const names = await lookUpChannels(ctx, asked)
    const ids = (list: readonly string[]) =>
      list.flatMap((name) => names.get(nameKey(name))?.id ?? [])
    const page = await collect(ctx, given, {
      since,
      until,
      limit,
      channelIds: given.channel ? ids(given.channel) : null,
      isWanted: filterOf(given, places, new Set(ids(given.exclude_channel ?? []))),
      after: walk.after === null ? null : String(walk.after),
      signal,
    })
    const { warnings } = await checkChannels(ctx, names, {
      wanted: { channel: given.channel },
      unwanted: { exclude_channel: given.exclude_channel },
    })
    const langWarnings = await languageWarnings(ctx, { lang: given.lang })
    const empty = walk.after === null ? windowWarning(since, until, walk.now, 'since') : []
    return {
      data: page.items,
      meta: {
        content_origin: CONTENT_ORIGIN,
        next_cursor: walk.cursorOf(page.next),
      },
      warnings: [...warnings, ...langWarnings, ...empty],
    }
  },
})

/** How many edits are read for filters that need the post itself, before the page ends with a cursor. */
const MAX_READ = 1_000
/** How many characters of them are read: a tenth of a second of work. */
const MAX_READ_CHARS = 400_000
/** A step counts as this many edits even if it finds none. */
const READ_AT_LEAST = 20
/** How many edits are read in one step. */
const STEP = 25

interface Asked extends Pick<EditQuery, 'since' | 'until' | 'limit' | 'channelIds' | 'after'> {
  readonly isWanted: Filter
  readonly signal: AbortSignal
}

async function collect(
  ctx: Context,
  given: Input,
  { since, until, limit, channelIds, isWanted, after: begin, signal }: Asked,
): Promise<{ readonly items: ChangeView[]; readonly next: string | null }> {
  const found: Found[] = []
  let after = begin
  for (let read = 0, chars = 0; read < MAX_READ && chars < MAX_READ_CHARS;) {
    signal.throwIfAborted()
    const page = await ctx.store.edits.list({
      order: given.sort ?? 'newest',
      kinds: given.kind ?? [],
      channelIds,
      lang: given.lang ?? [],
      since,
      until,
      minViews: given.min_views ?? null,
      deleted: given.deleted ?? 'include',
      limit: Math.min(limit, STEP),
      after,
    })
    const viewed = await viewEdits(ctx, page.items, isWanted)
    found.push(...viewed.found)
    chars += viewed.chars
    read += Math.max(page.items.length, READ_AT_LEAST)
    after = page.next
    if (found.length > limit) after = found[limit - 1]!.next
    if (after === null || found.length >= limit) break
  }
  const asked = given.q === undefined ? null : parseQuery(given.q, { now: 0, hasFilters: true })
  const matcher = createMatcher(asked, 'stem')
  const items = await mapInTurns(found.slice(0, limit), ({ change, post }) =>
    coverChange(change, post, matcher),
  )
  return { items, next: after }
}

interface Found {
  readonly change: ChangeView
  readonly post: ArchivedPost
  readonly next: string
}

type Filter = (change: ChangeView, post: ArchivedPost) => boolean

function filterOf(
  given: Input,
  places: readonly (readonly string[])[] | null,
  except: ReadonlySet<number>,
): Filter {
  const { has = [], forwards = 'include', exclude_lang: notIn = [], min_subscribers: min } = given
  return (change, post) => {
    const { language, channel, before, after } = change
    return (
      !except.has(post.channelId) &&
      (language === null || !notIn.includes(language)) &&
      (min === undefined || (channel.subscribers?.value ?? -1) >= min) &&
      (forwards === 'include' || (forwards === 'only') === (post.forwardedFrom !== null)) &&
      has.every((value) => postHas(post).includes(value)) &&
      (places === null ||
        [before, after].some((text) => text !== null && holdsTerms(places, text, language)))
    )
  }
}

interface Viewed {
  readonly found: readonly Found[]
  readonly chars: number
}

/** Posts that have been removed meanwhile are left out. */
async function viewEdits(
  ctx: Context,
  edits: readonly ListedEdit[],
  isWanted: Filter,
): Promise<Viewed> {
  const [posts, texts, cards] = await Promise.all([
    ctx.store.archive.posts(edits),
    ctx.store.edits.texts(edits),
    ctx.cards.byId(edits.map(({ channelId }) => channelId)),
  ])
  let chars = 0
  const found = await mapInTurns(edits, (edit, i) => {
    const post = posts[i]
    const card = cards.get(edit.channelId)
    if (!post || !card) return []
    const change = viewChange(edit, post, texts[i]!, card)
    chars += (change.before?.length ?? 0) + (change.after?.length ?? 0)
    return isWanted(change, post) ? [{ change, post, next: edit.next }] : []
  })
  return { found: found.flat(), chars }
}

function compactChange({ channel, slug: _slug, ...change }: ChangeView): object {
  return compactObject({ ...change, quick: change.quick || null, channel: channel.username })
}
