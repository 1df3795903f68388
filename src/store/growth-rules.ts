import type { ChannelDay } from '../model/channel.ts'
import { DAY_MS } from '../model/time.ts'
import type { Reading } from './archive.ts'
import { medianOf } from './channel-rules.ts'

/** What is kept about a channel's growth: one row a day. */

/** How many days an answer holds at most, today included. */
const GROWTH_DAYS = 90
/** Days older than this are thinned to the last one of each week. */
const DAILY_DAYS = 400
const VIEWED_MS = 7 * DAY_MS

export function firstGrowthDay(now: number): number {
  return Math.floor(now / DAY_MS) - GROWTH_DAYS + 1
}

/** Undefined when a reading tells neither subscribers nor recent views, as with old pages or an imported file. */
export function dayOfReading({ profile, posts, at }: Reading): ChannelDay | undefined {
  if (profile === null) return undefined
  const views = posts.flatMap(({ kind, publishedAt, views: seen }) => {
    const isRecent = publishedAt > at - VIEWED_MS && publishedAt <= at
    return kind === 'post' && isRecent && seen ? [seen.value] : []
  })
  const day = {
    day: Math.floor(at / DAY_MS),
    subscribers: profile.subscribers?.value ?? null,
    views: medianOf(views),
  }
  return day.subscribers === null && day.views === null ? undefined : day
}

/** For adapters: when a day is written, the channel's days up to and including this one are thinned. */
export function lastThinnedDay(day: number): number {
  return day - DAILY_DAYS
}
