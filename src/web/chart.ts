import { html } from 'hono/html'
import type { Markup } from './layout.ts'

export interface Bar {
  /** Read out and shown on hover: `2026-11-03: 12 posts`. */
  readonly label: string
  /** Written below, for a few of them. */
  readonly tick?: string
  readonly value: number
  readonly href?: string
}

const HEIGHT = 60
const STEP = 20

/** A bar chart as SVG: no script, no inline style, each bar a link where it leads somewhere. */
export function barChart(name: string, bars: readonly Bar[]): Markup {
  const top = Math.max(1, ...bars.map((bar) => bar.value))
  const width = bars.length * STEP
  const columns = bars.map((bar, i) => {
    const height = bar.value === 0 ? 0 : Math.max(2, (bar.value / top) * HEIGHT)
    const shape = html`<rect
        class="ground"
        x="${i * STEP}"
        y="0"
        width="${STEP}"
        height="${HEIGHT}"
      />
      <rect
        class="column"
        x="${i * STEP + 2}"
        y="${(HEIGHT - height).toFixed(1)}"
        width="${STEP - 4}"
        height="${height.toFixed(1)}"
        rx="2"
        ><title>${bar.label}</title></rect
      >`
    const column =
      bar.href === undefined
        ? shape
        : html`<a href="${bar.href}" aria-label="${bar.label}">${shape}</a>`
    const tick =
      bar.tick === undefined
        ? ''
        : html`<text x="${i * STEP + STEP / 2}" y="${HEIGHT + 11}" text-anchor="middle"
            >${bar.tick}</text
          >`
    return html`${column}${tick}`
  })
  return html`<svg
    class="chart"
    viewBox="0 0 ${width} ${HEIGHT + 14}"
    role="img"
    aria-label="${name}"
  >
    <line class="axis" x1="0" y1="${HEIGHT + 0.5}" x2="${width}" y2="${HEIGHT + 0.5}" />
    ${columns}
  </svg>`
}

/** The last 30 UTC days with a tick each week, oldest first. */
export function dayBars(
  counts: readonly { readonly day: string; readonly count: number }[],
  hrefOf?: (day: string) => string,
): Bar[] {
  return counts.map(({ day, count }, i) => ({
    label: `${day}: ${count} ${count === 1 ? 'post' : 'posts'}`,
    value: count,
    ...(i % 7 === 1 ? { tick: day.slice(5) } : {}),
    ...(hrefOf ? { href: hrefOf(day) } : {}),
  }))
}

export function hourBars(hours: readonly number[]): Bar[] {
  return hours.map((count, hour) => ({
    label: `${String(hour).padStart(2, '0')}:00 UTC: ${count}`,
    value: count,
    ...(hour % 6 === 0 ? { tick: String(hour) } : {}),
  }))
}

/** `YYYY-MM-DD` of the 30 days that end with `now`. */
export function lastDays(now: number, days = 30): string[] {
  const today = Math.floor(now / 86_400_000)
  return Array.from({ length: days }, (_, i) =>
    new Date((today - days + 1 + i) * 86_400_000).toISOString().slice(0, 10),
  )
}
