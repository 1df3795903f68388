import type { z } from 'zod'
import { createFollower } from '../follow/follower.ts'
import type { Caller } from '../access/caller.ts'
import type { Context } from './context.ts'
import { inputError } from './input-error.ts'
import type { Described } from './operation.ts'
import * as p from './parameters.ts'
import { searchInput } from './search-input.ts'
import { readSearch, withOpenWindow } from './search-query.ts'
import { renderKeyOf } from './streams/shared-frames.ts'
import type { FollowedSearch, Sink } from './streams/streams.ts'
import type { Warning } from './warnings.ts'

/**
 * An operation that streams events as they happen. It has no reply, so it stands beside the catalogue of operations; every
 * document lists it.
 */
export interface StreamOperation extends Described {
  /** The kinds of events, each with its description. */
  readonly events: Readonly<Record<string, string>>
  /** Parses raw input; throws an AppError that names every problem. */
  prepare(input: unknown): PreparedStream
}

interface PreparedStream {
  readonly free: false
  /** The returned function starts the stream on a connection. */
  open(
    ctx: Context,
    options: { readonly caller: Caller; readonly lastEventId: string | undefined },
  ): Promise<(sink: Sink) => void>
}

const { since, arrived_since: arrivedSince, collapse, max_chars: maxChars } = searchInput.shape

const followInput = searchInput
  .omit({ sort: true, facets: true, cursor: true, explain: true, limit: true })
  .extend({
    // These are described for a reply of one page, which a stream does not have.
    since: since.describe('Published at or after.'),
    arrived_since: arrivedSince.describe('First captured at or after, in whole seconds.'),
    collapse: collapse.describe(
      '`duplicates`: of near-identical or forwarded posts, only the first that matches.',
    ),
    max_chars: maxChars.describe(
      'Budget for the text of each post. With `full`, Markdown and HTML are cut first.',
    ),
    since_id: p
      .text(
        'Continue after this event: the id of the last one read. `Last-Event-ID` means the same and takes precedence.',
        40,
      )
      .optional(),
    copies: p
      .flag('With `collapse=duplicates`: also send later copies of a story, as `copy` events.')
      .optional(),
    limit: p.integer('End after this many posts.', { min: 1, max: 1_000_000 }).optional(),
  })

/** Warnings about posts that are there already; a stream waits for others. */
const OF_THE_PAST: ReadonlySet<string> = new Set<Warning['code']>([
  'window_clipped',
  'archive_begins',
])

/** The parameters of a stream, as a caller writes them. */
export type FollowInput = z.input<typeof followInput>

export const streamPosts: StreamOperation = {
  name: 'stream_posts',
  path: '/stream',
  summary: 'A search that continues: posts as they become searchable, as server-sent events',
  description:
    'Takes the parameters of `/search` except order, pages and facets; every word is required. `min_views` and `min_reactions` are judged when a post arrives or is edited. Posts captured more than 48 hours after their publication are not sent. A comment line comes every 15 seconds; each event has an id with which a reader goes on after a break of up to 24 hours, without a gap or a double.',
  input: followInput,
  errors: ['missing_parameter', 'invalid_query', 'invalid_username'],
  policies: ['burst', 'daily'],
  examples: [{ summary: 'New posts about floods', input: { q: 'flood', lang: 'en' } }],
  events: {
    begin:
      'The stream is open: `since_id` is where it starts; `warnings` as in a search, if there are any.',
    post: 'A post became searchable, or was edited so that it satisfies the search: the hit as `/search` gives it, as the post now is.',
    edit: 'A post that was sent before was edited: the hit, and `matches`, which is false if the search no longer finds it.',
    deleted:
      'A post that was sent before was deleted by its author: `id`, `slug`, `url`, `deleted_at`.',
    copy: 'With `collapse=duplicates` and `copies=true`: a later copy of a post that was sent before.',
    lag: 'Something is missing or late. `reason`: `forgotten` or `unknown_id` (the id to go on from is too old or not known here), `unreadable` (an event is damaged and left out), `index` (the index is behind by `index_lag_s` seconds, or has caught up), `store` (it cannot be read, or, with `away: false`, again can).',
    end: 'The last event: `reason` (`slow_reader`, `shutdown`, `limit`, `revoked`, `failed`) and `since_id`, from which to continue.',
  },
  prepare(raw) {
    const parsed = followInput.safeParse(raw)
    if (!parsed.success)
      throw inputError(parsed.error, { name: 'stream_posts', input: followInput })
    const { since_id: sinceId, copies = false, limit, ...input } = parsed.data
    /** The parsed input: the query to follow, and how posts are to be shown. Ages such as `24h` are those of `now`. */
    async function follower(
      { store, cursors, clock }: Context,
      now: number,
    ): Promise<FollowedSearch> {
      const then = { store, cursors, clock: { ...clock, now: () => now } }
      const search = await readSearch(then, { ...input, sort: 'newest' })
      const query = withOpenWindow(search)
      const options = {
        search: { query, root: search.root },
        detail: input.detail ?? 'brief',
        maxChars: input.max_chars,
      }
      return {
        ...createFollower(query, copies, now),
        ...options,
        renderKey: renderKeyOf(options),
        unknown: search.unknown,
        warnings: search.warnings.filter(({ code }) => !OF_THE_PAST.has(code)),
      }
    }
    return {
      free: false,
      async open(ctx, { caller, lastEventId }) {
        const now = ctx.clock.now()
        const readAgain = () => follower(ctx, now)
        const request = { caller, sinceId: lastEventId ?? sinceId, limit, readAgain }
        return ctx.streams.prepare({ ...(await readAgain()), ...request })
      },
    }
  },
}

export const STREAMS: readonly StreamOperation[] = [streamPosts]
