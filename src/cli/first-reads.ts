import { SECOND_MS } from '../model/time.ts'
import type { ArchiveTotals } from '../store/archive.ts'
import { formatCount, formatDuration } from './format.ts'
import { bar } from './progress.ts'

/** A page shows about this many posts, and a first visit reads at most this many pages. */
const POSTS_OF_PAGE = 20
const MAX_PAGES = 26
/** A guess for as long as no channel has been read. */
const USUAL_PAGES = 8
/** The share of the rate that visits get; live reads may take the rest. */
const SHARE = 0.8

/** How far the first reading of all channels has got. */
interface FirstReads {
  readonly waiting: number
  readonly read: number
  /** How long the rest takes at this rate; 0 when none is waiting. */
  readonly leftMs: number
}

/** The channels read so far tell how many pages one takes. */
export function firstReads(totals: ArchiveTotals, ratePerS: number): FirstReads {
  const { queued: waiting = 0, active = 0, dormant = 0 } = totals.channelsByStatus
  const read = active + dormant
  const usual = read === 0 ? USUAL_PAGES : 1 + totals.posts / read / POSTS_OF_PAGE
  const pages = Math.min(MAX_PAGES, usual)
  const leftMs = ((waiting * pages) / (ratePerS * SHARE)) * SECOND_MS
  // Something is left, and "about 0 s" would say otherwise.
  return { waiting, read, leftMs: waiting === 0 ? 0 : Math.max(SECOND_MS, leftMs) }
}

/** `█████░░░ 120 of 400 channels read, about 6 min left`. No time is shown while the platform does not answer. */
export function firstReadsLine({ waiting, read, leftMs }: FirstReads, isAway = false): string {
  const all = waiting + read
  return `${bar(read, all)} ${formatCount(read)} of ${formatCount(all)} channels read, ${isAway ? 'the platform does not answer' : `about ${formatDuration(leftMs)} left`}`
}
