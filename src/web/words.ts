import { span } from '../model/duration.ts'
import { LANGUAGES } from '../model/language-names.ts'
import { DAY_MS } from '../model/time.ts'
import { html, type Markup } from './markup.ts'
import type { Count } from './views.ts'

/** How pages write numbers, times and languages. */

export function count(value: Count | null): string {
  if (value === null) return '–'
  return value.approx ? value.raw : number(value.value)
}

/** The API's messages begin in lower case, as its conventions ask; on a page they are sentences. */
export function capitalised(message: string): string {
  return message.charAt(0).toUpperCase() + message.slice(1)
}

/** `4.2K views`, `1 view`. */
export function counted(value: Count, one: string): string {
  return `${count(value)} ${value.value === 1 ? one : `${one}s`}`
}

// The first formatter of a process loads ICU's tables, so it is created only when needed.
let thousands: Intl.NumberFormat | undefined
let date: Intl.DateTimeFormat | undefined
let dayAndMonth: Intl.DateTimeFormat | undefined

export function number(value: number): string {
  thousands ??= new Intl.NumberFormat('en')
  return thousands.format(value)
}

export function plural(value: number, one: string, many = `${one}s`): string {
  return `${number(value)} ${value === 1 ? one : many}`
}

/** A small share is not shown as 0 %. */
export function percent(share: number): string {
  return share < 0.01 ? '< 1 %' : `${Math.round(share * 100)} %`
}

export function age(at: string, now: number): string {
  return `${span(Math.max(0, Math.round((now - Date.parse(at)) / 1000)))} ago`
}

/** The time, readable without a script; the script shows it in the reader's own zone. */
export function moment(at: string): Markup {
  return html`<time datetime="${at}">${at.slice(0, 10)} ${at.slice(11, 16)} UTC</time>`
}

/** How long ago, with the exact time on hover; anything older than a month is shown as a date. */
export function ago(at: string, now: number): Markup {
  const days = (now - Date.parse(at)) / DAY_MS
  const words = days > 30 ? dateWords(at) : age(at, now)
  return html`<time class="ago" datetime="${at}" title="${at.slice(0, 10)} ${at.slice(11, 16)} UTC"
    >${words}</time
  >`
}

/** `3 Nov 2026`. */
function dateWords(at: string): string {
  date ??= new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })
  return date.format(Date.parse(at))
}

/** `3 Nov` for `2026-11-03`. */
export function dayWords(day: string): string {
  const parts = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const
  dayAndMonth ??= new Intl.DateTimeFormat('en-GB', parts)
  return dayAndMonth.format(Date.parse(day))
}

/** `Persian` for `fa`. */
export function language(code: string): string {
  return LANGUAGES.get(code)?.name ?? code
}

/** Without empty lines, where there is little room. */
export function withoutEmptyLines(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, '\n')
}
