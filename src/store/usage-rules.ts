import type { Ledger, Usage } from './ledger.ts'

type Asked = Omit<Parameters<Ledger['charge']>[0], 'caller' | 'policy'>

/**
 * A window that starts further in the future than its own length was started by a wrong clock: waiting for it could take
 * years. One that starts nearer counts as running: replacing it would grant the whole limit again each time a clock jitters.
 */
export function isRunning(startedAt: number, windowMs: number, now: number): boolean {
  return Math.abs(now - startedAt) < windowMs
}

/** Charges a fixed window: the running one, or a new one when that has run out. */
export function chargeWindow(
  row: Usage | undefined,
  request: Asked & { readonly now: number },
): Usage & { readonly granted: number } {
  const { now, windowMs } = request
  const startsAt = request.starts === 'clock' ? Math.floor(now / windowMs) * windowMs : null
  const isCurrent =
    row !== undefined &&
    isRunning(row.startedAt, windowMs, now) &&
    (startsAt === null || startsAt <= row.startedAt)
  const running = isCurrent ? row : { startedAt: startsAt ?? now, used: 0 }
  const granted = Math.max(0, Math.min(request.amount, request.limit - running.used))
  return { startedAt: running.startedAt, used: running.used + granted, granted }
}
