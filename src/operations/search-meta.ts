import { z } from 'zod'
import { WHY_INCOMPLETE, INCOMPLETE_REASONS, type IncompleteReason } from '../model/incomplete.ts'
import { FACETS } from '../model/query.ts'
import type { Context } from './context.ts'
import { liveLink } from './find-channel.ts'
import { contentOrigin, nextCursor, timeView, valueCount, viewTimeOrNull } from './views/common.ts'

export const coverageView = z
  .strictObject({
    channels: z.int(),
    posts: z.int(),
    newest_post_at: timeView.nullable(),
    index_lag_s: z.number(),
    complete: z
      .boolean()
      .meta({ description: 'False when posts may be missing; `reason` says why.' }),
    reason: z
      .enum(INCOMPLETE_REASONS)
      .nullable()
      .meta({
        description: INCOMPLETE_REASONS.map((why) => `\`${why}\`: ${WHY_INCOMPLETE[why]}`).join(
          '. ',
        ),
      }),
    not_indexed: z.array(z.strictObject({ channel: z.string(), live: z.string() })),
  })
  .meta({ id: 'Coverage' })

const facetCount = valueCount
  .extend({ title: z.string().optional().meta({ description: 'Of a channel, where it has one.' }) })
  .meta({ id: 'FacetCount' })

export type FacetCount = z.output<typeof facetCount>

/** What a search returns besides its hits: how the query was read, where it looked, how many posts match. */
export const searchMeta = z.strictObject({
  content_origin: contentOrigin,
  next_cursor: nextCursor,
  total: z
    .strictObject({ value: z.int(), relation: z.enum(['eq', 'gte']) })
    .meta({ description: 'Posts that contain every word, copies included.' })
    .optional(),
  window: z.strictObject({ since: timeView, until: timeView }),
  query: z.strictObject({
    parsed: z
      .string()
      .nullable()
      .meta({ description: 'The query as it was read, in canonical form.' }),
    reading: z.enum(['operators', 'text']).meta({
      description: '`text`: as running text, in which signs are not operators.',
    }),
    detected_languages: z.array(z.string()).meta({
      description: 'What the words look like; a hint that does not affect matching.',
    }),
    relaxed: z.boolean(),
    let_go: z.array(z.string()).meta({
      description:
        'Quotes, tags, names, addresses and emoji that posts with `matched: some` need not have.',
    }),
  }),
  coverage: coverageView.optional(),
  facets: z.partialRecord(z.enum(FACETS), z.array(facetCount)).optional(),
  truncated: z.boolean().meta({ description: 'True when `max_chars` cut text.' }),
})

type Coverage = z.output<typeof coverageView>

/**
 * Freshly read posts wait this long at most, and are a few pages or a small part of the archive; an index is not behind
 * because of them.
 */
const SOON_S = 30
const FEW_POSTS = 100
const SMALL_PART = 0.1

/** What an answer searched, and whether that is complete. */
export async function coverageOf(
  { overview, settings }: Context,
  notIndexed: readonly string[] = [],
): Promise<Coverage> {
  const [state, pending, lagS] = await Promise.all([
    overview.index(),
    overview.pending(),
    overview.lagS(),
  ])
  const few = Math.max(FEW_POSTS, state.posts * SMALL_PART)
  // An index that was out of use for a time lacks what came meanwhile; one that could not be written or that nothing feeds, what
  // has waited since. One that started empty lacks what is pending. One that is only built beside an index of another version
  // has nothing pending, but lacks everything it has not reached yet.
  const isBegun = !state.complete && (state.isAwaited || pending.count > few)
  const isFilling = pending.isBehind || lagS > SOON_S || isBegun
  return {
    channels: state.channels,
    posts: state.posts,
    newest_post_at: viewTimeOrNull(state.newestPostAt),
    index_lag_s: lagS,
    complete: !isFilling,
    reason: isFilling ? 'filling' : null,
    not_indexed: notIndexed.map((channel) => ({
      channel,
      live: liveLink(settings.publicUrl, channel),
    })),
  }
}

/** `met`: the limit that the search itself reached. */
export function withBound(coverage: Coverage, met: IncompleteReason | null): Coverage {
  return met === null ? coverage : { ...coverage, complete: false, reason: met }
}
