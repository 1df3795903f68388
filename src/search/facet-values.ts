import type { FacetValue } from '../model/query.ts'
import { DAY_S, HOUR_S } from '../model/time.ts'

/** Orders by falling frequency, ties by the code points of the value. */
export function finishFacets(values: readonly FacetValue[], most: number): FacetValue[] {
  return [...values]
    .sort((a, b) => b.count - a.count || compareCodePoints(a.value, b.value))
    .slice(0, most)
}

/** Engines order text by code points. In UTF-16, characters beyond U+FFFF start with a surrogate, which is below U+E000. */
function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)]
    if (x !== y) return Number(isSurrogate(x)) - Number(isSurrogate(y)) || x - y
  }
  return a.length - b.length
}

const isSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdfff

/** The length of one value of the time facets. */
export const LENGTH_S = { day: DAY_S, hour: HOUR_S }

/** All values in time order, written as `2026-03-01` or `2026-03-01T08:00:00Z`. */
export function timeFacet(name: 'day' | 'hour', counts: ReadonlyMap<number, number>): FacetValue[] {
  return [...counts]
    .sort(([a], [b]) => a - b)
    .map(([value, count]) => {
      const text = new Date(value * LENGTH_S[name] * 1000).toISOString()
      return { value: name === 'day' ? text.slice(0, 10) : `${text.slice(0, 19)}Z`, count }
    })
}
