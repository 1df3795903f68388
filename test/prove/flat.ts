interface Flatness {
  readonly isFlat: boolean
  /** Means of the middle and the last third. */
  readonly middle: number
  readonly last: number
  /** Growth per minute of the second half, by least squares through its lows. */
  readonly perMinute: number
}

const MAX_THIRDS = 1.1
const MAX_GROWTH = 0.03
const SLACK_MB = 2
const LOWS = 6

/**
 * Whether memory, in MB and sampled at a fixed interval, stays flat. Comparing thirds shows a large step, but a steady leak
 * is too slow for that. So the line through the second half may rise by at most 3 % and 2 MB from end to end: a leak of 4 MB
 * a minute on 375 MB exceeds that in five minutes, while the swing of ±5 MB from allocator and collector stays below it,
 * even if it is low first and high last. That swing does not grow with time, so a longer soak finds a smaller leak with the
 * same bound. Lows, because what lies above them is garbage waiting for its collection.
 */
export function judgeFlatness(values: readonly number[], sampleS: number): Flatness {
  const third = Math.floor(values.length / 3)
  const [middle, last] = [mean(values.slice(third, 2 * third)), mean(values.slice(-third))]
  const half = values.slice(Math.floor(values.length / 2))
  const stretch = Math.max(1, Math.ceil(half.length / LOWS))
  const lows: number[] = []
  for (let i = 0; i + stretch <= half.length; i += stretch)
    lows.push(Math.min(...half.slice(i, i + stretch)))
  const slope = slopeOf(lows)
  const grown = slope * (lows.length - 1)
  return {
    // Written so that a sample that is NaN is never flat.
    isFlat: last <= middle * MAX_THIRDS && grown <= mean(lows) * MAX_GROWTH + SLACK_MB,
    middle,
    last,
    perMinute: (slope * 60) / (stretch * sampleS),
  }
}

/** The slope of the least-squares line through values at 0, 1, 2 … */
function slopeOf(values: readonly number[]): number {
  const centre = (values.length - 1) / 2
  const level = mean(values)
  let up = 0
  let along = 0
  for (const [i, value] of values.entries()) {
    up += (i - centre) * (value - level)
    along += (i - centre) ** 2
  }
  return up / along
}

export function mean(list: readonly number[]): number {
  return list.reduce((sum, each) => sum + each, 0) / list.length
}
