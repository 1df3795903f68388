import { DAY_MS, MINUTE_MS } from '../model/time.ts'
import type { QuietHours, WatchOptions } from '../model/watch.ts'
import { momentOf, wallTime } from '../text/zone.ts'

/** When something found now is to be sent, and whether it is sent together with everything else due then. */
export function deliveryTime(
  { digestMinutes, quiet }: Pick<WatchOptions, 'digestMinutes' | 'quiet'>,
  now: number,
): { readonly dueAt: number; readonly together: boolean } {
  const period = (digestMinutes ?? 0) * MINUTE_MS
  const digestAt = period === 0 ? now : (Math.floor(now / period) + 1) * period
  const dueAt = quiet === null ? digestAt : afterQuiet(quiet, digestAt)
  return { dueAt, together: dueAt > now }
}

/** The end of the quiet hours that a time falls in; the time itself when it falls in none. */
function afterQuiet({ from, to, zone }: QuietHours, at: number): number {
  const wall = wallTime(at, zone)
  const midnight = Math.floor(wall / DAY_MS) * DAY_MS
  const minute = (wall - midnight) / MINUTE_MS
  const isQuiet = from <= to ? minute >= from && minute < to : minute >= from || minute < to
  if (!isQuiet) return at
  const isTomorrow = minute >= to
  return momentOf(midnight + (isTomorrow ? DAY_MS : 0) + to * MINUTE_MS, zone)
}
