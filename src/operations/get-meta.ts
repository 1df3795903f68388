import { z } from 'zod'
import { POLICIES } from '../access/tiers.ts'
import { WINDOW_DAYS } from '../search/search-index.ts'
import { MAX_QUERY_CHARS } from '../text/query/parse-query.ts'
import { defineOperation } from './operation.ts'
import { MAX_LIMIT } from './parameters.ts'
import { compact } from './render/compact.ts'
import { counted, rounded } from './render/markdown-words.ts'
import { timeView, viewTime, viewTimeOrNull } from './views/common.ts'

const metaView = z
  .strictObject({
    tier: z.string(),
    key: z
      .strictObject({ prefix: z.string(), name: z.string().nullable(), created_at: timeView })
      .nullable(),
    policies: z.array(
      z.strictObject({
        name: z.enum(POLICIES),
        limit: z.int(),
        remaining: z.int(),
        window_s: z.int(),
        resets_at: timeView,
      }),
    ),
    streams: z
      .strictObject({ open: z.int(), limit: z.int().nullable() })
      .meta({ description: 'The caller’s, on the process that answers.' }),
    limits: z.strictObject({
      max_limit: z.int(),
      max_query_chars: z.int(),
      search_window_days: z.int(),
    }),
    features: z.array(z.string()),
    index: z.strictObject({
      channels: z.int(),
      posts: z.int(),
      searchable_posts: z.int(),
      oldest: timeView.nullable(),
      newest: timeView.nullable(),
      lag_s: z.number(),
    }),
    version: z.string(),
    openapi: z.string(),
    contact: z.string().nullable(),
    removal_policy: z.string().nullable(),
  })
  .meta({ id: 'Meta' })

const FEATURES = ['search', 'live', 'archive', 'mcp', 'feeds', 'evidence', 'stream']

export const getMeta = defineOperation({
  name: 'get_meta',
  path: '/meta',
  summary: 'The caller’s quota and tier',
  description:
    'What the caller may still spend, what the index holds, and whom to contact. Costs no quota.',
  input: z.strictObject({}),
  output: metaView,
  meta: z.strictObject({}),
  errors: [],
  formats: ['json'],
  markdown({ data: { tier, policies, index, version } }) {
    const left = policies.map(
      ({ name, remaining, limit, resets_at: resets }) =>
        `- ${name}: ${remaining} of ${limit} left until ${resets}`,
    )
    const span = index.newest === null ? '' : `, published ${index.oldest} to ${index.newest}`
    const held = `${counted(index.searchable_posts, 'post')} searchable, ${rounded(index.posts)} archived of ${counted(index.channels, 'channel')}${span}. The index is ${Math.round(index.lag_s)} s behind. Telegrep ${version}.`
    return [`# Tier ${tier}`, left.join('\n'), held].filter((part) => part !== '').join('\n\n')
  },
  compact: ({ tier, policies, index, version, contact, removal_policy }) =>
    compact({ tier, policies, index, version, contact, removal_policy }),
  policies: [],
  examples: [{ summary: 'Quota and tier', input: {} }],
  async run({ access, overview, settings, streams }, _input, { caller }) {
    const [states, index, totals, lagS] = await Promise.all([
      access.policyStates(caller),
      overview.index(),
      overview.totals(),
      overview.lagS(),
    ])
    return {
      data: {
        tier: caller.tier.name,
        key: caller.key && {
          prefix: caller.key.prefix,
          name: caller.key.name,
          created_at: viewTime(caller.key.createdAt),
        },
        policies: states.map((state) => ({
          name: state.name,
          limit: state.limit,
          remaining: state.remaining,
          window_s: state.windowS,
          resets_at: viewTime(state.resetsAt),
        })),
        streams: { open: streams.openBy(caller), limit: caller.tier.streams ?? null },
        limits: {
          max_limit: MAX_LIMIT,
          max_query_chars: MAX_QUERY_CHARS,
          search_window_days: WINDOW_DAYS,
        },
        features: [...FEATURES],
        index: {
          channels: totals.channels,
          posts: totals.posts,
          searchable_posts: index.posts,
          oldest: viewTimeOrNull(totals.oldestPostAt),
          newest: viewTimeOrNull(totals.newestPostAt),
          lag_s: lagS,
        },
        version: settings.version,
        openapi: `${settings.publicUrl}/v1/openapi.json`,
        contact: settings.contact,
        removal_policy: settings.removalUrl,
      },
      meta: {},
      warnings: [],
    }
  },
})
