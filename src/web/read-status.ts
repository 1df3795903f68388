import type { Context } from '../operations/context.ts'
import type { Status } from './status-page.ts'
import type { Meta } from './views.ts'

const REMEMBERED_MS = 2_000

/** What the status page shows beyond `/meta`, counted at most every two seconds: it is looked at most when all is slow. */
export function createStatusReader(
  ctx: Context,
  crawlRatePerS: number | null,
): (meta: Meta) => Promise<Status> {
  let held: Promise<Omit<Status, 'meta' | 'now'>> | undefined
  let heldAt = -Infinity
  return async (meta) => {
    const now = ctx.clock.now()
    if (!held || now - heldAt >= REMEMBERED_MS) {
      held = count(ctx, crawlRatePerS, now)
      heldAt = now
      held.catch(() => (held = undefined))
    }
    return { ...(await held), meta, now }
  }
}

async function count(
  ctx: Context,
  crawlRatePerS: number | null,
  now: number,
): Promise<Omit<Status, 'meta' | 'now'>> {
  const [totals, pending, frontier, budget] = await Promise.all([
    ctx.overview.totals(),
    ctx.overview.pending(),
    ctx.store.frontier.overview(now),
    ctx.store.budget.state(crawlRatePerS ?? 1),
  ])
  const { lastHour, lastHourLive, pausedUntil } = budget
  return {
    channelsByStatus: totals.channelsByStatus as Record<string, number>,
    due: frontier.due,
    late: frontier.late,
    failures: frontier.failures,
    pendingChanges: pending.count,
    budget: {
      ratePerS: crawlRatePerS === null ? null : budget.ratePerS,
      lastHour,
      lastHourLive,
      pausedUntil: pausedUntil === null ? null : new Date(pausedUntil).toISOString(),
    },
  }
}
