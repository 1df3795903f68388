import { html } from './markup.ts'
import type { Markup } from './markup.ts'

export interface Bar {
  /** Read out and shown on hover: `2026-11-03: 12 posts`. */
  readonly label: string
  readonly value: number
  readonly href?: string
}

export interface Chart {
  readonly name: string
  readonly bars: readonly Bar[]
  /** Written below at even distances, from edge to edge. */
  readonly ticks: readonly string[]
}

const HEIGHT = 60
const STEP = 20
const GAP = 3

/** A bar chart as SVG that fills its place: no script, no inline style, each bar a link where it leads somewhere. */
function barChart({ name, bars, ticks }: Chart): Markup {
  const top = Math.max(1, ...bars.map((bar) => bar.value))
  const width = bars.length * STEP
  const columns = bars.map((bar, i) => {
    const height = bar.value === 0 ? 0 : Math.max(2, Math.round((bar.value / top) * HEIGHT))
    const x = i * STEP
    const shape = html`<title>${bar.label}</title
      ><path class="ground" d="M${x} 0h${STEP}v${HEIGHT}h-${STEP}z" /><path
        d="M${x + GAP / 2} ${HEIGHT}v-${height}h${STEP - GAP}v${height}z"
      />`
    return bar.href === undefined
      ? html`<g>${shape}</g>`
      : html`<a href="${bar.href}" aria-label="${bar.label}">${shape}</a>`
  })
  // An image's children are not read out, so a chart of links is a group instead.
  const role = bars.some((bar) => bar.href !== undefined) ? 'group' : 'img'
  return html`<svg
      class="chart"
      width="${width}"
      height="${HEIGHT}"
      viewBox="0 0 ${width} ${HEIGHT}"
      preserveAspectRatio="none"
      role="${role}"
      aria-label="${name}"
    >
      ${columns}
    </svg>
    <p class="ticks" aria-hidden="true">${ticks.map((tick) => html`<span>${tick}</span> `)}</p>`
}

/** UTC days, oldest first; a day without posts leads nowhere. */
export function dayChart(
  name: string,
  days: readonly { readonly day: string; readonly count: number }[],
  hrefOf?: (day: string) => string,
): Markup {
  const bars = days.map(({ day, count }) => ({
    label: `${day}: ${count} ${count === 1 ? 'post' : 'posts'}`,
    value: count,
    ...(hrefOf && count > 0 ? { href: hrefOf(day) } : {}),
  }))
  const marks = [days.at(0), days.at(Math.floor(days.length / 2)), days.at(-1)]
  return barChart({ name, bars, ticks: marks.map((mark) => mark?.day.slice(5) ?? '') })
}

export function hourChart(name: string, hours: readonly number[]): Markup {
  const bars = hours.map((count, hour) => ({
    label: `${String(hour).padStart(2, '0')}:00 UTC: ${count} ${count === 1 ? 'post' : 'posts'}`,
    value: count,
  }))
  return barChart({ name, bars, ticks: ['00:00', '12:00', '24:00'] })
}

/** `YYYY-MM-DD` of the 30 days that end with `now`. */
export function lastDays(now: number, days = 30): string[] {
  const today = Math.floor(now / 86_400_000)
  return Array.from({ length: days }, (_, i) =>
    new Date((today - days + 1 + i) * 86_400_000).toISOString().slice(0, 10),
  )
}
