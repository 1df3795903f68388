import { DAY_MS, HOUR_MS } from '../model/time.ts'
import { formatCount, plural, sparkline } from './format.ts'

interface Bucket {
  /** A day, `2026-05-31`, or an hour, `2026-05-31T12:00:00Z`. */
  readonly value: string
  readonly count: number
}

/** How many bars fit on a terminal's line beside their dates. */
const MAX_BARS = 48

const STEPS = { day: DAY_MS, hour: HOUR_MS } as const

const STEP_NAMES = { day: 'a day', hour: 'an hour' } as const

/**
 * Counts over time as one row of bars, including the empty times in between: without those a burst would look like a steady
 * stream. If there are too many, neighbours share a bar.
 */
export function timeline(buckets: readonly Bucket[], unit: keyof typeof STEPS): string {
  const [first, last] = [buckets[0], buckets.at(-1)]
  if (!first || !last) return 'none'
  const start = Date.parse(first.value)
  const times = Math.round((Date.parse(last.value) - start) / STEPS[unit]) + 1
  const shared = Math.ceil(times / MAX_BARS)
  const bars = Array.from({ length: Math.ceil(times / shared) }, () => 0)
  for (const { value, count } of buckets) {
    const i = Math.floor((Date.parse(value) - start) / STEPS[unit] / shared)
    bars[i] = (bars[i] ?? 0) + count
  }
  const span = times === 1 ? shown(first) : `${shown(first)} to ${shown(last)}`
  const most = formatCount(Math.max(...bars))
  const step = shared === 1 ? `${most} ${STEP_NAMES[unit]}` : `${most} in ${plural(shared, unit)}`
  return `${sparkline(bars)}  ${span}, at most ${step}`
}

function shown({ value }: Bucket): string {
  return value.replace(/:00:00Z$/, 'h').replace('T', ' ')
}
