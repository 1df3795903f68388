export const SECOND_MS = 1_000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

export const HOUR_S = HOUR_MS / SECOND_MS
export const DAY_S = DAY_MS / SECOND_MS

const TIME = /^(\d{4})-(\d\d)-(\d\d)T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?$/

/**
 * Reads an RFC 3339 time; without a zone it is UTC, whatever the host's zone. Undefined for anything else, also for a day that
 * its month does not have: `Date.parse` takes 30 February for 2 March.
 */
export function parseTime(text: string): number | undefined {
  const [, year, month, day, zone] = TIME.exec(text) ?? []
  if (day === undefined) return undefined
  const isDay =
    new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() === Number(day)
  const at = isDay ? Date.parse(zone === undefined ? `${text}Z` : text) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}
