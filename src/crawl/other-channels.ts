/**
 * What the other channels show, by which a crawler tells whether one channel, or the platform as a whole, shows no posts or
 * something else than before.
 */
import type { Clock } from '../model/clock.ts'
import { HOUR_MS, MINUTE_MS } from '../model/time.ts'
import { ALL_CHANNELS, type Archive } from '../store/archive.ts'
import { SECOND_LOOK_ALONE_MS, SECOND_LOOK_MS } from './second-look.ts'

/** How long ago another channel may have been read for the platform to count as showing posts. */
const SHOWING_MS = HOUR_MS
/** How close to each other two channels have to look empty. */
const EMPTY_WITHIN_MS = 10 * MINUTE_MS

export interface OtherChannels {
  noteRead(channelId: number): void
  /**
   * Notes a channel that says it has no posts although it has some, as the platform does to slow readers down without saying
   * so. A single channel may be odd and must not stop the crawl: true if it is the second within minutes.
   */
  noteEmpty(channelId: number): boolean
  /**
   * After how long a second look may be believed that shows no posts any more, or another channel. Null: not while the
   * platform shows us no other channel as we know it.
   */
  secondLookMs(channelId: number): Promise<number | null>
}

export function createOtherChannels({
  archive,
  clock,
}: {
  readonly archive: Archive
  readonly clock: Clock
}): OtherChannels {
  const reads = createLastSeen(clock)
  const empties = createLastSeen(clock)
  return {
    noteRead: reads.note,
    noteEmpty(channelId) {
      empties.note(channelId)
      return empties.isOther(channelId, EMPTY_WITHIN_MS)
    },
    async secondLookMs(channelId) {
      if (reads.isOther(channelId, SHOWING_MS)) return SECOND_LOOK_MS
      const readable = { ...ALL_CHANNELS, status: ['active', 'dormant'] as const, limit: 2 }
      const { items } = await archive.channels(readable)
      return items.some(({ id }) => id !== channelId) ? null : SECOND_LOOK_ALONE_MS
    },
  }
}

/** Remembers when the last two channels were noted: one of them is another than any given one. */
function createLastSeen(clock: Clock) {
  const since = new Map<number, number>()
  return {
    note(channelId: number): void {
      since.delete(channelId)
      since.set(channelId, clock.elapsed())
      const [oldest] = since.keys()
      if (since.size > 2) since.delete(oldest!)
    },
    isOther: (channelId: number, withinMs: number): boolean =>
      since.entries().some(([id, at]) => id !== channelId && clock.elapsed() - at <= withinMs),
  }
}
