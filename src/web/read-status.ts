import type { Context } from '../operations/context.ts'
import type { Status } from './info-pages.ts'
import type { Meta } from './views.ts'

/** What the status page shows beyond `/meta`. */
export async function readStatus(ctx: Context, meta: Meta): Promise<Status> {
  const now = ctx.clock.now()
  const [totals, frontier, budget] = await Promise.all([
    ctx.overview.totals(),
    ctx.store.frontier.overview(now),
    ctx.store.budget.state(now, 1),
  ])
  return {
    meta,
    channelsByStatus: totals.channelsByStatus as Record<string, number>,
    due: frontier.due,
    late: frontier.late,
    pendingChanges: totals.pendingChanges,
    requestsLastHour: budget.lastHour,
    pausedUntil: budget.pausedUntil === null ? null : new Date(budget.pausedUntil).toISOString(),
    now,
  }
}
