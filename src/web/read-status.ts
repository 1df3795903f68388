import type { Context } from '../operations/context.ts'
import type { Status } from './status-page.ts'
import type { Meta } from './views.ts'

/** What the status page shows beyond `/meta`. */
export async function readStatus(
  ctx: Context,
  meta: Meta,
  crawlRatePerS: number | null,
): Promise<Status> {
  const now = ctx.clock.now()
  const [totals, frontier, budget] = await Promise.all([
    ctx.overview.totals(),
    ctx.store.frontier.overview(now),
    ctx.store.budget.state(now, crawlRatePerS ?? 1),
  ])
  const { lastHour, lastHourLive, pausedUntil } = budget
  return {
    meta,
    channelsByStatus: totals.channelsByStatus as Record<string, number>,
    due: frontier.due,
    late: frontier.late,
    pendingChanges: totals.pendingChanges,
    budget: {
      ratePerS: crawlRatePerS === null ? null : budget.ratePerS,
      lastHour,
      lastHourLive,
      pausedUntil: pausedUntil === null ? null : new Date(pausedUntil).toISOString(),
    },
    now,
  }
}
