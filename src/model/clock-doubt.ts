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
 * Why posts published before `since` must not be erased now; undefined when they may be. Without this check, somebody who
 * sets the clock a year ahead would erase the whole archive. Once the platform has confirmed the time, the operator's
 * retention is applied, however much it erases.
 */
export function whyNotPrune(
  archive: Span,
  { now, since }: { readonly now: number; readonly since: number },
  time: { readonly isConfirmed: boolean; readonly isContradicted: boolean },
): string | undefined {
  if (time.isContradicted) return 'the platform tells another time than this clock'
  const { oldestPostAt, newestPostAt } = archive
  if (time.isConfirmed || oldestPostAt === null || newestPostAt === null) return undefined
  const doubt = clockDoubt(now, archive)
  if (doubt !== undefined) return `is the clock wrong? ${doubt}`
  const isMost = since - oldestPostAt > (newestPostAt - oldestPostAt) / 2
  return isMost
    ? 'it would erase most of the archive, and the platform has not told the time'
    : undefined
}
