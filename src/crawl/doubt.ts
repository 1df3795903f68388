/**
 * What cannot be undone is not done after one answer: a page may be stray, or served to mislead. The first sight of it
 * is kept with the schedule, and only a second read some minutes later is believed. A wish to be left out is believed at
 * once on the channel's own page. Pure.
 */
import { nameKey } from '../model/channel-name.ts'
import type { Channel, ChannelProfile } from '../model/channel.ts'
import { HOUR_MS, MINUTE_MS } from '../model/time.ts'
import type { Schedule } from '../store/frontier.ts'

/** Between the first sight and the read that confirms it. */
const DOUBT_MS = 5 * MINUTE_MS
/** Dates that are wrong all at once are a fault of the platform's, which may last; asked again all the same. */
const REDATED_MS = HOUR_MS

export const OPT_OUT_TAG = /#telegrep_optout\b/i

/**
 * `other_channel`: the name now shows another channel. `renamed`: the channel shows another name, which may be somebody
 * else's. `opt_out`: its description asks not to be indexed. `opt_out_of_unknown`: so it does, but the page does not
 * tell whose it is, and never will be acted on. `redated`: most of its posts have other dates than they are known by.
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

/** The page has the name and the number that we know, or the channel is new and nothing of it is there to be lost. */
export function isOwnPage(known: Channel, shown: ChannelProfile): boolean {
  if (shown.platformId === null || nameKey(shown.username) !== nameKey(known.username)) return false
  return known.platformId === null ? known.posts === 0 : known.platformId === shown.platformId
}

/** The schedule with the doubt in it, and whether the same was seen long enough before. */
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
