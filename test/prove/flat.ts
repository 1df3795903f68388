interface Flatness {
  readonly isFlat: boolean
  /** Means of the middle and of the last third. */
  readonly middle: number
  readonly last: number
  /** What the second half grows by a minute, by least squares through its lows. */
  readonly perMinute: number
}

const MAX_THIRDS = 1.1
const MAX_GROWTH = 0.03
const SLACK_MB = 2
const LOWS = 6

/**
 * Whether memory, in MB and sampled every so often, stays where it is. The thirds tell of a large step; a steady leak is too
 * slow for them. So the line through the second half may rise by 3 % and 2 MB only, from end to end: 4 MB a minute on 375 MB
 * are more than that in five minutes, the swing of ±5 MB that allocator and collector make is less, also where it falls
 * low first and high last. That swing does not grow with time, so a longer soak finds a smaller leak by the same bound. Lows,
 * because what lies above them is garbage that waits for its collection.
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
    // Written so that a sample that is not a number is never flat.
    isFlat: last <= middle * MAX_THIRDS && grown <= mean(lows) * MAX_GROWTH + SLACK_MB,
    middle,
    last,
    perMinute: (slope * 60) / (stretch * sampleS),
  }
}

/** Of the line through values at 0, 1, 2 … with the least squares. */
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
