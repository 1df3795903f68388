/** Times as people and models write them: every parameter, operator and flag that takes a time reads the same forms. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../model/time.ts'
import { suggest } from './suggest.ts'
import { momentOf, wallTime } from './zone.ts'

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/
const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt]| {1,3})(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:([Zz])|([+-])(\d{2}):?(\d{2}))?$/
const AGE =
  /^(?:(?:the )?(?:last|past) )?(\d{1,6}|an?|one)? ?(m|mins?|minutes?|h|hrs?|hours?|d|days?|w|wks?|weeks?|months?|y|years?)( ago)?$/
const DAY = /^(?:(last) )?([a-z]+)(?: (?:at )?(\d{1,2}):(\d{2}))?$/
const SPAN = /^(this|last|past) (hour|day|week|month|year)$/

/** A longer age would lead to a year before 1000, which cannot be written, or to a date that no clock can hold. */
const LONGEST_AGE_DAYS = 366_000

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const SHORT_WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const MONTHS =
  'january february march april may june july august september october november december'.split(' ')
/** Words that a misspelt time is compared with to make a suggestion; `parseInstant` reads each of them. */
const WORDS = [
  'today',
  'yesterday',
  ...WEEKDAYS,
  'this week',
  'last week',
  'this month',
  'last month',
  'now',
]

/** What is accepted, for error messages. */
export const INSTANT_FORMS =
  'a date (2026-05-31), a date-time (2026-05-31T12:00:00Z), an age (90m, 24h, 7d, 2 days ago) or a day (today, yesterday, monday, this week)'

/**
 * Reads a date-time, a date (its first moment), an age before `now`, or a word for a day, week or month (its first
 * moment). Days begin at midnight in `zone`, and a date-time without an offset is local time there.
 */
export function parseInstant(text: string, now: number, zone = 'UTC'): number | undefined {
  const given = text.trim()
  const time = DATE_TIME.exec(given)
  if (time) return dateTime(time, zone)
  const date = DATE.exec(given)
  if (date) {
    const wall = civil(Number(date[1]), Number(date[2]), Number(date[3]))
    return wall === undefined ? undefined : momentOf(wall, zone)
  }
  const words = given.toLowerCase().replaceAll(/[\s_-]+/g, ' ')
  return span(words, now, zone) ?? age(words, now, zone) ?? day(words, now, zone)
}

/** A valid time that the caller may have meant by an invalid one. `now` is needed for days without a year. */
export function nearestInstant(text: string, now?: number): string | undefined {
  const given = text.trim().toLowerCase()
  const date = foreignDate(given, now)
  if (date !== undefined && parseInstant(date, 0) !== undefined) return date
  const units = /^(?:\D{0,12} )?(\d{1,3})\s*(mo|m|h|d|w|y)[a-z]*(?: ago)?$/.exec(given)
  if (units) return units[2] === 'mo' ? `${units[1]} months ago` : `${units[1]}${units[2]}`
  const seconds = /^1\d{9}(?:\d{3})?$/.test(given) ? Number(given.slice(0, 10)) * 1000 : undefined
  if (seconds !== undefined) return new Date(seconds).toISOString()
  return suggest(given, WORDS)
}

function dateTime(time: RegExpExecArray, zone: string): number | undefined {
  const [hours, minutes, seconds] = [Number(time[4]), Number(time[5]), Number(time[6] ?? 0)]
  if (hours > 23 || minutes > 59 || seconds > 60) return undefined
  const offsetMs = Number(time[10] ?? 0) * HOUR_MS + Number(time[11] ?? 0) * MINUTE_MS
  if (offsetMs >= DAY_MS || Number(time[11] ?? 0) > 59) return undefined
  const midnight = civil(Number(time[1]), Number(time[2]), Number(time[3]))
  if (midnight === undefined) return undefined
  const millis = Number((time[7] ?? '').padEnd(3, '0').slice(0, 3))
  const wall = midnight + hours * HOUR_MS + minutes * MINUTE_MS + seconds * 1000 + millis
  if (time[8] === undefined && time[9] === undefined) return momentOf(wall, zone)
  return wall - (time[9] === '-' ? -offsetMs : offsetMs)
}

/** Midnight of a date as if in UTC. Undefined for dates such as 31 February, which `Date.UTC` would roll over into March. */
function civil(year: number, month: number, date: number): number | undefined {
  const at = Date.UTC(year, month - 1, date)
  const read = new Date(at)
  const exists = year >= 1000 && read.getUTCMonth() === month - 1 && read.getUTCDate() === date
  return exists ? at : undefined
}

/** The start of `this week` or `last month`. `last hour` and `past day` are ages, as people mean them. */
function span(words: string, now: number, zone: string): number | undefined {
  const match = SPAN.exec(words)
  if (!match) return undefined
  const [, which, unit] = match
  const today = midnightOf(now, zone)
  const back = which === 'this' ? 0 : 1
  if (which === 'past' || (back === 1 && (unit === 'hour' || unit === 'day')))
    return before(now, 1, unit!, zone)
  switch (unit) {
    case 'hour':
      return now - (wallTime(now, zone) % HOUR_MS)
    case 'day':
      return momentOf(today, zone)
    case 'week':
      return momentOf(today - (((new Date(today).getUTCDay() + 6) % 7) + 7 * back) * DAY_MS, zone)
    default: {
      const shown = new Date(today)
      const month = unit === 'month' ? shown.getUTCMonth() - back : 0
      return momentOf(Date.UTC(shown.getUTCFullYear() - (unit === 'year' ? back : 0), month), zone)
    }
  }
}

function age(words: string, now: number, zone: string): number | undefined {
  const match = AGE.exec(words)
  if (!match) return undefined
  const [, given, unit] = match
  // `hour` alone is no age, and neither is `last days`.
  if (given === undefined) return undefined
  const count = /^\d/.test(given) ? Number(given) : 1
  if (count * daysOf(unit!) > LONGEST_AGE_DAYS) return undefined
  return before(now, count, unit!, zone)
}

function daysOf(unit: string): number {
  if (unit.startsWith('mo')) return 30
  return { m: MINUTE_MS / DAY_MS, h: HOUR_MS / DAY_MS, d: 1, w: 7, y: 365 }[unit[0]!]!
}

function before(now: number, count: number, unit: string, zone: string): number {
  if (unit.startsWith('mo')) return monthsBefore(now, count, zone)
  if (unit.startsWith('y')) return monthsBefore(now, 12 * count, zone)
  const unitMs = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS, w: 7 * DAY_MS }[unit[0]!]!
  return now - count * unitMs
}

/** The same day and time `count` months before, or the last day of that month if it has fewer days. */
function monthsBefore(now: number, count: number, zone: string): number {
  const wall = wallTime(now, zone)
  const shown = new Date(wall)
  const [year, month] = [shown.getUTCFullYear(), shown.getUTCMonth() - count]
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const date = Math.min(shown.getUTCDate(), lastDay)
  return momentOf(Date.UTC(year, month, date) + (((wall % DAY_MS) + DAY_MS) % DAY_MS), zone)
}

/** Reads `today`, `yesterday 18:00`, `monday`. A weekday is the latest one, which may be today; `last monday` is never today. */
function day(words: string, now: number, zone: string): number | undefined {
  if (words === 'now') return now
  const match = DAY.exec(words)
  if (!match) return undefined
  const [, last, name, hours, minutes] = match
  if (Number(hours ?? 0) > 23 || Number(minutes ?? 0) > 59) return undefined
  const back = daysBack(name!, last !== undefined, midnightOf(now, zone))
  if (back === undefined) return undefined
  const time = Number(hours ?? 0) * HOUR_MS + Number(minutes ?? 0) * MINUTE_MS
  return momentOf(midnightOf(now, zone) - back * DAY_MS + time, zone)
}

function daysBack(name: string, isBeforeToday: boolean, today: number): number | undefined {
  if (name === 'today' || name === 'yesterday') {
    if (isBeforeToday) return undefined
    return name === 'today' ? 0 : 1
  }
  const weekday = Math.max(WEEKDAYS.indexOf(name), SHORT_WEEKDAYS.indexOf(name))
  if (weekday < 0) return undefined
  const back = (new Date(today).getUTCDay() - weekday + 7) % 7
  return back === 0 && isBeforeToday ? 7 : back
}

function midnightOf(now: number, zone: string): number {
  return Math.floor(wallTime(now, zone) / DAY_MS) * DAY_MS
}

/** `31.05.2026`, `2026/5/31`, `31 May`, `May 31, 2026` as a date; without a year the last such day before `now`. */
function foreignDate(given: string, now: number | undefined): string | undefined {
  const yearFirst = /^(\d{4})[./-](\d{1,2})[./-](\d{1,2})$/.exec(given)
  if (yearFirst) return written(yearFirst[1]!, yearFirst[2]!, yearFirst[3]!)
  const dayFirst = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4})$/.exec(given)
  if (dayFirst) return written(dayFirst[3]!, dayFirst[2]!, dayFirst[1]!)
  const yearOrMonth = /^((?:19|20)\d{2})(?:[./-](\d{1,2}))?$/.exec(given)
  if (yearOrMonth) return written(yearOrMonth[1]!, yearOrMonth[2] ?? '1', '1')
  const named = /^(\d{1,2})? ?([a-z]{3,9})\.? ?(\d{1,2})?(?:,? (\d{4}))?$/.exec(given)
  // A month of a year means its first day.
  const date = named?.[1] ?? named?.[3] ?? (named?.[4] === undefined ? undefined : '1')
  const month = named ? MONTHS.findIndex((name) => name.startsWith(named[2]!)) + 1 : 0
  if (date === undefined || month === 0) return undefined
  if (named![4] !== undefined) return written(named![4], String(month), date)
  if (now === undefined) return undefined
  const year = new Date(now).getUTCFullYear()
  const here = written(String(year), String(month), date)
  return parseInstant(here, 0)! > now ? written(String(year - 1), String(month), date) : here
}

function written(year: string, month: string, date: string): string {
  return [year, month.padStart(2, '0'), date.padStart(2, '0')].join('-')
}
