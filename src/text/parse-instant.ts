/** Times as callers write them: `since=`, `until=`, `after:` and `before:` all read the same three forms. */

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/
const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:[Zz]|([+-])(\d{2}):?(\d{2}))?$/
const AGE = /^(\d{1,6})([mhdw])$/i

const UNIT_MS: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}

/** What is accepted, for error messages. */
export const INSTANT_FORMS =
  'a date (2026-05-31), a date-time (2026-05-31T12:00:00Z) or an age (90m, 24h, 7d)'

/** Reads a date-time (UTC unless it names an offset), a date (its first moment) or an age before `now`. */
export function parseInstant(text: string, now: number): number | undefined {
  const age = AGE.exec(text)
  if (age) return now - Number(age[1]) * UNIT_MS[age[2]!.toLowerCase()]!
  const date = DATE.exec(text)
  if (date) return utc(date, 0, 0, 0)
  const time = DATE_TIME.exec(text)
  if (!time) return undefined
  const hours = Number(time[4])
  const minutes = Number(time[5])
  const seconds = Number(time[6] ?? 0)
  if (hours > 23 || minutes > 59 || seconds > 60) return undefined
  const offsetMs = (Number(time[9] ?? 0) * 60 + Number(time[10] ?? 0)) * 60_000
  if (offsetMs >= 86_400_000 || Number(time[10] ?? 0) > 59) return undefined
  const local = utc(time, hours, minutes, seconds)
  if (local === undefined) return undefined
  const millis = Number((time[7] ?? '').padEnd(3, '0').slice(0, 3))
  return local + millis - (time[8] === '-' ? -offsetMs : offsetMs)
}

function utc(date: RegExpExecArray, h: number, m: number, s: number): number | undefined {
  const [year, month, day] = [Number(date[1]), Number(date[2]), Number(date[3])]
  const at = Date.UTC(year, month - 1, day, h, m, s)
  const read = new Date(Date.UTC(year, month - 1, day))
  // Date.UTC rolls 31 February over into March; a caller meant something else.
  const exists = year >= 1000 && read.getUTCMonth() === month - 1 && read.getUTCDate() === day
  return exists ? at : undefined
}
