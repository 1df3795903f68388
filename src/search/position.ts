import { AppError } from '../model/errors.ts'
import type { SearchPosition } from '../model/query.ts'
import type { PlaceInTime } from './prior.ts'

/** Where a page ended, for each order. Each position names the last post: the next page starts after it, not at a count. */

export function readTimePosition(after: SearchPosition | null): PlaceInTime | null {
  if (after === null) return null
  const [sec, channelId, number] = numbersOf(after, 3)
  return { sec: sec!, channelId: channelId!, number: number! }
}

export function writeTimePosition(place: PlaceInTime): SearchPosition {
  return [place.sec, place.channelId, place.number]
}

export interface ViewsPlace extends PlaceInTime {
  readonly views: number
}

export function readViewsPosition(after: SearchPosition | null): ViewsPlace | null {
  if (after === null) return null
  const [views, sec, channelId, number] = numbersOf(after, 4)
  return { views: views!, sec: sec!, channelId: channelId!, number: number! }
}

export function writeViewsPosition(place: ViewsPlace): SearchPosition {
  return [place.views, place.sec, place.channelId, place.number]
}

export interface PriorPlace extends PlaceInTime {
  readonly prior: number
}

export interface ScorePlace extends PlaceInTime {
  readonly score: number
}

/** The tier of posts that hold only some of the words. */
export const RELAXED_TIER = 9

/**
 * A walk by relevance carries the index state, the time and the inverse document frequencies of its first page, so that
 * scores stay the same on later pages.
 */
export interface RelevancePosition {
  readonly generation: number
  readonly seq: number
  readonly nowS: number
  readonly tier: number
  /** The last candidate of the previous tier, by prior. */
  readonly bound: PriorPlace | null
  readonly last: ScorePlace
  readonly idfs: readonly number[]
}

export function readRelevancePosition(after: SearchPosition | null): RelevancePosition | null {
  if (after === null) return null
  const n = numbersOf(after, 12)
  const bound = { prior: n[4]!, sec: n[5]!, channelId: n[6]!, number: n[7]! }
  return {
    generation: n[0]!,
    seq: n[1]!,
    nowS: n[2]!,
    tier: n[3]!,
    bound: bound.number === 0 ? null : bound,
    last: { score: n[8]!, sec: n[9]!, channelId: n[10]!, number: n[11]! },
    idfs: n.slice(12),
  }
}

export function writeRelevancePosition(position: RelevancePosition): SearchPosition {
  const { bound, last } = position
  return [
    position.generation,
    position.seq,
    position.nowS,
    position.tier,
    ...(bound ? [bound.prior, bound.sec, bound.channelId, bound.number] : [0, 0, 0, 0]),
    last.score,
    last.sec,
    last.channelId,
    last.number,
    ...position.idfs,
  ]
}

function numbersOf(after: SearchPosition, least: number): number[] {
  const numbers = after.filter((value) => typeof value === 'number')
  if (numbers.length !== after.length || numbers.length < least) {
    throw new AppError('invalid_cursor', 'the cursor belongs to another order')
  }
  return numbers
}
