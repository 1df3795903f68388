import type { ClockCheck } from './clock-check.ts'
import { DAY_MS } from './time.ts'

/** Whether the archive contradicts the clock: posts carry the platform's time, not ours. Pure. */

/** An archive that is being crawled has a post younger than this. One that is not says nothing about the time. */
const SILENT_DAYS = 30

interface Span {
  readonly oldestPostAt: number | null
  readonly newestPostAt: number | null
}

/** Why the clock may be wrong; undefined when nothing contradicts it. */
export function clockDoubt(now: number, { newestPostAt }: Span): string | undefined {
  if (newestPostAt === null) return undefined
  const days = Math.round((now - newestPostAt) / DAY_MS)
  if (newestPostAt - now > DAY_MS) return `the newest post is of ${-days} days later`
  return days > SILENT_DAYS ? `the newest post is of ${days} days ago` : undefined
}

/**
 * Why posts published before `since` must not be erased now; undefined when they may be. Once the platform has told the same
 * time as ours, the operator's retention is applied, however much it erases. A database may be as wrong as we are: it often
 * shares our clock.
 */
export function whyNotPrune(
  archive: Span,
  { now, since }: { readonly now: number; readonly since: number },
  check: Pick<ClockCheck, 'aheadOf' | 'isRight' | 'problem'>,
): string | undefined {
  if (!check.isRight()) return check.problem() ?? 'nobody has told the time yet'
  const { oldestPostAt, newestPostAt } = archive
  const isSure = check.aheadOf('platform') !== null
  if (isSure || oldestPostAt === null || newestPostAt === null) return undefined
  const doubt = clockDoubt(now, archive)
  if (doubt !== undefined) return `is the clock wrong? ${doubt}`
  const isMost = since - oldestPostAt > (newestPostAt - oldestPostAt) / 2
  return isMost
    ? 'it would erase most of the archive, and the platform has not told the time'
    : undefined
}
