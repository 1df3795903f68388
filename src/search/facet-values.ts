import type { FacetValue } from '../model/query.ts'

/** The most frequent values, then by value. */
export function finishFacets(values: readonly FacetValue[], most: number): FacetValue[] {
  return [...values]
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, most)
}

const LENGTH_S = { day: 86_400, hour: 3_600 }

/** All of them in the order of time: `2026-03-01` or `2026-03-01T08:00:00Z`. */
export function timeFacet(name: 'day' | 'hour', counts: ReadonlyMap<number, number>): FacetValue[] {
  return [...counts]
    .sort(([a], [b]) => a - b)
    .map(([value, count]) => {
      const text = new Date(value * LENGTH_S[name] * 1000).toISOString()
      return { value: name === 'day' ? text.slice(0, 10) : `${text.slice(0, 19)}Z`, count }
    })
}
