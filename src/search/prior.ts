import { HOUR_S } from '../model/time.ts'

/**
 * The static prior: publication time plus a bounded bonus for reach and substance, in seconds, fixed when a post is
 * indexed. It never has to be recomputed as time passes, and a scan from the newest post may stop once no older one can
 * reach the worst it keeps.
 */

/** The bonus is kept in steps of four seconds so that it fits 16 bits. */
export const BONUS_STEP_S = 4
export const MAX_BONUS_S = 45 * HOUR_S

const REACH_S = 30 * HOUR_S
const SUBSTANCE_S = MAX_BONUS_S - REACH_S

/** In steps of `BONUS_STEP_S`. A post of forty words in a channel of a million subscribers gets the whole bonus. */
export function bonusSteps(subscribers: number, words: number): number {
  const reach = Math.min(1, Math.log10(1 + Math.max(0, subscribers)) / 6)
  const substance = Math.min(1, words / 40)
  return Math.round((reach * REACH_S + substance * SUBSTANCE_S) / BONUS_STEP_S)
}

export const secondsOf = (instant: number) => Math.floor(instant / 1000)

/** Newest first, within a second by channel and the higher number first: the order of `newest`, and every other order's last resort. */
export interface PlaceInTime {
  readonly sec: number
  readonly channelId: number
  readonly number: number
}

export function compareNewest(a: PlaceInTime, b: PlaceInTime): number {
  return b.sec - a.sec || a.channelId - b.channelId || b.number - a.number
}
