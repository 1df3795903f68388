/**
 * Nothing irreversible is done after a single answer: a page may be wrong by accident, or served to mislead. The first
 * observation is stored in the schedule, and believed only when a second read some minutes later confirms it. A request to opt
 * out is believed at once on the channel's own page. Pure.
 */
import { nameKey } from '../model/channel-name.ts'
import type { Channel, ChannelProfile } from '../model/channel.ts'
import { HOUR_MS, MINUTE_MS } from '../model/time.ts'
import type { Schedule } from '../store/frontier.ts'

/** The time between the first observation and the read that confirms it. */
const DOUBT_MS = 5 * MINUTE_MS
/** Dates that are all wrong at once are a fault of the platform, which may last longer. The page is still read in between. */
const REDATED_MS = HOUR_MS

export const OPT_OUT_TAG = /#telegrep_optout\b/i

/**
 * `other_channel`: the name now shows another channel. `renamed`: the channel shows another name, which may belong to another
 * channel, or a new name shows the numeric id of a known channel but none of its posts. `opt_out`: its description asks not to
 * be indexed. `opt_out_of_unknown`: the same, but the page does not tell the numeric id, so it is never acted on. `redated`:
 * most of its posts have other dates than in the archive.
 */
export type Surprise = 'other_channel' | 'renamed' | 'opt_out' | 'opt_out_of_unknown' | 'redated'

export function surpriseOf(known: Channel, shown: ChannelProfile): Surprise | undefined {
  const isIdKnown = known.platformId !== null
  if (isIdKnown && shown.platformId !== null && shown.platformId !== known.platformId) {
    return 'other_channel'
  }
  const isUnknown = isIdKnown && shown.platformId === null
  if (OPT_OUT_TAG.test(shown.description)) return isUnknown ? 'opt_out_of_unknown' : 'opt_out'
  return nameKey(shown.username) === nameKey(known.username) ? undefined : 'renamed'
}

/** Whether the page has the name and the numeric id that we know, or the channel is new and has no posts to lose. */
export function isOwnPage(known: Channel, shown: ChannelProfile): boolean {
  if (shown.platformId === null || nameKey(shown.username) !== nameKey(known.username)) return false
  return known.platformId === null ? known.posts === 0 : known.platformId === shown.platformId
}

/** The schedule with the doubt recorded, and whether the same was first observed long enough ago. */
export function weighDoubt(
  schedule: Schedule,
  surprise: Surprise,
  { shown, at }: { readonly shown: ChannelProfile; readonly at: number },
): { readonly isSure: boolean; readonly schedule: Schedule } {
  const doubt = `${surprise} ${shown.platformId ?? '?'} ${nameKey(shown.username)}`
  const isSame = schedule.doubt === doubt && (schedule.doubtedAt ?? at) <= at
  const doubtedAt = (isSame ? schedule.doubtedAt : null) ?? at
  const sureAt = doubtedAt + (surprise === 'redated' ? REDATED_MS : DOUBT_MS)
  const next = Math.min(sureAt, at + DOUBT_MS)
  return {
    isSure: sureAt <= at,
    schedule: { ...schedule, doubt, doubtedAt, nextVisitAt: next, earliestVisitAt: next },
  }
}
