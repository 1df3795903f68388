import type { Count } from '../model/count.ts'

/** How the pages of 2026 shorten a number: whole below 1000, then three significant digits with K, M or B. */
export function abbreviate(value: number): string {
  if (value < 1000) return String(value)
  const [unit, letter] =
    value < 999_500 ? [1e3, 'K'] : value < 999_500_000 ? [1e6, 'M'] : [1e9, 'B']
  const scaled = value / unit
  const decimals = scaled < 9.995 ? 2 : scaled < 99.95 ? 1 : 0
  return String(Number(scaled.toFixed(decimals))) + letter
}

const UNITS: Readonly<Record<string, number>> = { K: 1e3, M: 1e6, B: 1e9 }

/** What a reader can know from the abbreviated number. */
export function shownCount(value: number, asOf: number): Count {
  const raw = abbreviate(value)
  const unit = UNITS[raw.at(-1) ?? '']
  if (unit === undefined) return { value, approx: false, raw, asOf }
  return { value: Math.round(Number(raw.slice(0, -1)) * unit), approx: true, raw, asOf }
}

/** As profile pages write it: exact, with a plain space between thousands. */
export function spaced(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ' ')
}

/** A size as documents show it. */
export function shownSize(bytes: number, asOf: number): Count {
  const power = bytes < 1024 ? 0 : bytes < 1024 ** 2 ? 1 : bytes < 1024 ** 3 ? 2 : 3
  const unit = ['B', 'KB', 'MB', 'GB'][power] as string
  const shown = power === 0 ? String(bytes) : String(Number((bytes / 1024 ** power).toFixed(1)))
  return {
    value: Math.round(Number(shown) * 1024 ** power),
    approx: power > 0,
    raw: `${shown} ${unit}`,
    asOf,
  }
}

export function clockTime(seconds: number): string {
  const s = String(seconds % 60).padStart(2, '0')
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes}:${s}`
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:${s}`
}
