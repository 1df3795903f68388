import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../model/time.ts'

/** Short forms for people; programs use `--json`. */

const UNITS: readonly [number, string][] = [
  [DAY_MS, 'd'],
  [HOUR_MS, 'h'],
  [MINUTE_MS, 'min'],
  [SECOND_MS, 's'],
]

export function formatDuration(ms: number): string {
  for (const [size, name] of UNITS) {
    if (ms >= size * 1.5 || size === SECOND_MS) return `${Math.round(ms / size)} ${name}`
  }
  return `${ms} ms`
}

/** `3 min ago`, `in 2 h`, `never`. */
export function formatAge(at: number | null, now: number): string {
  if (at === null) return 'never'
  return at <= now ? `${formatDuration(now - at)} ago` : `in ${formatDuration(at - now)}`
}

export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  let value = bytes
  let unit = 0
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000
    unit += 1
  }
  return `${value >= 10 || unit === 0 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`
}

export function formatCount(value: number): string {
  return value.toLocaleString('en')
}

/** A count of the platform: `218,000`, or `1.2K` where it tells no more. */
export function formatTold(
  count: { readonly approx: boolean; readonly raw: string; readonly value: number } | null,
  unknown = '?',
): string {
  if (count === null) return unknown
  return count.approx ? count.raw : formatCount(count.value)
}

/** `1 post`, `1,200 posts`. */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${formatCount(value)} ${value === 1 ? one : many}`
}

export function formatInstant(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, 'Z')
}

const BLOCKS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█']

/** A small bar chart in one line. */
export function sparkline(values: readonly number[]): string {
  const top = Math.max(...values, 1)
  return values
    .map((v) => BLOCKS[v === 0 ? 0 : Math.ceil((v / top) * (BLOCKS.length - 1))])
    .join('')
}

/** Quoted as one word of a command line. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** The same, without quotes when none are needed. */
export function shellWord(text: string): string {
  return /^[\w./:-]+$/.test(text) ? text : shellQuoted(text)
}
