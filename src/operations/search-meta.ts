import { z } from 'zod'
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
    complete: z.boolean().meta({ description: 'False when a bound ended the search early.' }),
    reason: z.string().nullable(),
    not_indexed: z.array(z.strictObject({ channel: z.string(), live: z.string() })),
  })
  .meta({ id: 'Coverage' })

const facetCount = valueCount
  .extend({ title: z.string().optional().meta({ description: 'Of a channel, where it has one.' }) })
  .meta({ id: 'FacetCount' })

export type FacetCount = z.output<typeof facetCount>

/** What a search tells beside its hits: how it was read, where it looked, how much there is. */
export const searchMeta = z.strictObject({
  content_origin: contentOrigin,
  next_cursor: nextCursor,
  total: z
    .strictObject({ value: z.int(), relation: z.enum(['eq', 'gte']) })
    .meta({ description: 'Posts that hold every word, copies included.' })
    .optional(),
  window: z.strictObject({ since: timeView, until: timeView }),
  query: z.strictObject({
    parsed: z
      .string()
      .nullable()
      .meta({ description: 'The query as it was read, in canonical form.' }),
    reading: z.enum(['operators', 'text']).meta({
      description: '`text`: as running text, whose signs are no operators.',
    }),
    detected_languages: z.array(z.string()).meta({
      description: 'What the words look like: a hint, with no part in matching.',
    }),
    relaxed: z.boolean(),
    let_go: z.array(z.string()).meta({
      description:
        'Quotes, tags, names, addresses and emoji that posts with `matched: some` need not hold.',
    }),
  }),
  coverage: coverageView.optional(),
  facets: z.partialRecord(z.enum(FACETS), z.array(facetCount)).optional(),
  truncated: z.boolean().meta({ description: 'True when `max_chars` cut text.' }),
})

/** Where an answer looked; what of it was looked through is the search's to tell. */
export async function coverageOf(ctx: Context, notIndexed: readonly string[]) {
  const [state, lagS] = await Promise.all([ctx.overview.index(), ctx.overview.lagS()])
  return {
    channels: state.channels,
    posts: state.posts,
    newest_post_at: viewTimeOrNull(state.newestPostAt),
    index_lag_s: lagS,
    not_indexed: notIndexed.map((channel) => ({
      channel,
      live: liveLink(ctx.settings.publicUrl, channel),
    })),
  }
}
