import type { Usage } from './ledger.ts'

export interface ChargeRequest {
  readonly limit: number
  readonly windowMs: number
  readonly startsAt: number | null
  readonly amount: number
  readonly now: number
}

/** One step of a fixed window: the running one, or a new one where it has run out. */
export function chargeWindow(
  row: Usage | undefined,
  request: ChargeRequest,
): Usage & { readonly granted: number } {
  const { now, startsAt } = request
  const isOver =
    row !== undefined &&
    (now >= row.startedAt + request.windowMs || (startsAt !== null && startsAt > row.startedAt))
  const running = row && !isOver ? row : { startedAt: startsAt ?? now, used: 0 }
  const granted = Math.max(0, Math.min(request.amount, request.limit - running.used))
  return { startedAt: running.startedAt, used: running.used + granted, granted }
}
