import { z } from 'zod'
import { indexProblemOf, type Overview } from './overview.ts'
import { defineOperation } from './operation.ts'
import { compact } from './render/compact.ts'
import { failureWords } from './render/failure-words.ts'
import { counted, rounded } from './render/markdown-words.ts'
import { timeView, viewTimeOrNull } from './views/common.ts'

const tally = z.record(z.string(), z.int())

const statusView = z
  .strictObject({
    archive: z.strictObject({
      channels: z.int(),
      channels_by_status: tally,
      posts: z.int(),
      oldest_post_at: timeView.nullable(),
      newest_post_at: timeView.nullable(),
    }),
    visits: z.strictObject({
      due: z.int(),
      late: z.int(),
      failures: tally.meta({
        description: 'Channels whose last visit failed, by cause.',
      }),
    }),
    index: z.strictObject({
      channels: z.int(),
      posts: z.int(),
      newest_post_at: timeView.nullable(),
      pending_changes: z.int().meta({ description: 'Changes the index has not received yet.' }),
      lag_s: z.number(),
      rebuilding: z.boolean(),
      problem: z
        .string()
        .nullable()
        .meta({ description: 'Why searches are refused at the moment.' }),
    }),
    requests: z
      .strictObject({
        rate_per_s: z.number(),
        last_hour: z.int(),
        last_hour_live: z.int(),
        paused_until: timeView.nullable(),
      })
      .meta({ description: 'To the platform, by all processes on this store.' }),
    clock_problem: z.string().nullable().meta({
      description:
        'Why nothing is written or erased: the clock of the process that answers is wrong.',
    }),
    version: z.string(),
  })
  .meta({ id: 'Status' })

export const getStatus = defineOperation({
  name: 'get_status',
  path: '/status',
  summary: 'How crawl and index are doing',
  description:
    'Channels by state; visits due, late and failing; changes waiting for the index; requests to the platform.',
  input: z.strictObject({}),
  output: statusView,
  meta: z.strictObject({}),
  errors: [],
  formats: ['json', 'md'],
  markdown({ data: { archive, visits, index, requests, clock_problem: clock, version } }) {
    const list = (counts: Readonly<Record<string, number>>) =>
      Object.entries(counts).map(([name, n]) => `${rounded(n)} ${name.replaceAll('_', ' ')}`)
    const failures = Object.entries(visits.failures).map(
      ([outcome, n]) => `${failureWords(outcome)} (${rounded(n)})`,
    )
    const span =
      archive.newest_post_at === null
        ? ''
        : `, published ${archive.oldest_post_at} to ${archive.newest_post_at}`
    const paused = requests.paused_until === null ? '' : `, paused until ${requests.paused_until}`
    return [
      '# Status\n',
      `- Archive: ${counted(archive.posts, 'post')} of ${counted(archive.channels, 'channel')} (${list(archive.channels_by_status).join(', ')})${span}`,
      `- Visits: ${rounded(visits.due)} due, ${rounded(visits.late)} late${failures.length === 0 ? '' : `; failing: ${failures.join(', ')}`}`,
      `- Index: ${counted(index.posts, 'post')}, ${counted(index.pending_changes, 'change')} waiting, ${Math.round(index.lag_s)} s behind${index.rebuilding ? ', being rebuilt' : ''}`,
      ...(index.problem === null ? [] : [`- Searches are refused: ${index.problem}`]),
      `- Requests to the platform: ${rounded(requests.last_hour)} in the last hour, ${rounded(requests.last_hour_live)} of them live${paused}`,
      ...(clock === null ? [] : [`- Clock: ${clock}`]),
      `- Telegrep ${version}`,
    ].join('\n')
  },
  compact: ({ archive, visits, index, requests, clock_problem }) =>
    compact({
      archive: { channels_by_status: archive.channels_by_status, posts: archive.posts },
      visits,
      index: {
        posts: index.posts,
        pending_changes: index.pending_changes,
        lag_s: index.lag_s,
        problem: index.problem,
      },
      requests: { last_hour: requests.last_hour, paused_until: requests.paused_until },
      clock_problem,
    }),
  policies: ['burst', 'daily'],
  examples: [{ summary: 'Current state', input: {} }],
  run: async ({ overview, settings: { version }, clockCheck }) => ({
    data: await statusOf(overview, { version, clock_problem: clockCheck.problem() }),
    meta: {},
    warnings: [],
  }),
})

/** What anybody may know. */
export async function statusOf(
  overview: Overview,
  rest: Pick<z.infer<typeof statusView>, 'version' | 'clock_problem'>,
): Promise<z.infer<typeof statusView>> {
  const [totals, index, pending, lagS, frontier, budget] = await Promise.all([
    overview.totals(),
    overview.index(),
    overview.pending(),
    overview.lagS(),
    overview.frontier(),
    overview.budget(),
  ])
  return {
    archive: {
      channels: totals.channels,
      channels_by_status: Object.fromEntries(
        Object.entries(totals.channelsByStatus).filter(([, count]) => count > 0),
      ),
      posts: totals.posts,
      oldest_post_at: viewTimeOrNull(totals.oldestPostAt),
      newest_post_at: viewTimeOrNull(totals.newestPostAt),
    },
    visits: { due: frontier.due, late: frontier.late, failures: { ...frontier.failures } },
    index: {
      channels: index.channels,
      posts: index.posts,
      newest_post_at: viewTimeOrNull(index.newestPostAt),
      pending_changes: pending.count,
      lag_s: lagS,
      rebuilding: index.rebuilding,
      problem: indexProblemOf(index, totals.posts, pending.count),
    },
    requests: {
      rate_per_s: budget.ratePerS,
      last_hour: budget.lastHour,
      last_hour_live: budget.lastHourLive,
      paused_until: viewTimeOrNull(budget.pausedUntil),
    },
    ...rest,
  }
}
