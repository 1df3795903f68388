import { DAY_MS } from '../model/time.ts'
import { html, type Markup } from './markup.ts'
import { dayWords, number } from './words.ts'

interface Bar {
  /** Read out by screen readers and shown on hover: `2026-11-03: 12 posts`. */
  readonly label: string
  readonly value: number
  readonly href?: string
}

interface Chart {
  readonly name: string
  readonly bars: readonly Bar[]
  /** Written below the chart, evenly spaced from edge to edge. */
  readonly ticks: readonly string[]
  /** The visible caption; `name` is for screen readers. */
  readonly caption?: string | Markup
  readonly note?: string | Markup
}

const HEIGHT = 60
const STEP = 20
const GAP = 3

/**
 * A bar chart as SVG that fills its container: no script, no inline style, each bar a link if it leads somewhere. Lines
 * behind the bars mark the top and the middle of the scale.
 */
function barChart({ name, bars, ticks, caption, note }: Chart): Markup {
  const top = scaleTop(Math.max(1, ...bars.map((bar) => bar.value)))
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
  // Screen readers skip the children of an image, so a chart with links is a group instead.
  const role = bars.some((bar) => bar.href !== undefined) ? 'group' : 'img'
  return html`<figure class="chart">
    ${caption === undefined ? '' : html`<figcaption>${caption} ${note === undefined ? '' : html`<span>${note}</span>`}</figcaption>`}
    <div class="plot">
      <span class="most" aria-hidden="true">${number(top)}</span>
      ${top % 2 === 0 ? html`<span class="half" aria-hidden="true">${number(top / 2)}</span>` : ''}
      <svg
        class="bars"
        viewBox="0 0 ${width} ${HEIGHT}"
        preserveAspectRatio="none"
        role="${role}"
        aria-label="${name}"
      >
        ${columns}
      </svg>
    </div>
    <p class="ticks" aria-hidden="true">${ticks.map((tick) => html`<span>${tick}</span> `)}</p>
  </figure>`
}

/** The next round number: 1, 2, 4, 5, 10, 20, 40, … */
function scaleTop(most: number): number {
  const unit = 10 ** Math.floor(Math.log10(most))
  const step = [1, 2, 4, 5, 6, 8, 10].find((n) => n * unit >= most) ?? 10
  return step * unit
}

const DAY_TICKS = 5

/** UTC days, oldest first; a day without posts has no link. */
export function dayChart(
  name: string,
  days: readonly { readonly day: string; readonly count: number }[],
  options: Pick<Chart, 'caption' | 'note'> & { readonly hrefOf?: (day: string) => string } = {},
): Markup {
  const { hrefOf, ...rest } = options
  const bars = days.map(({ day, count }) => ({
    label: `${day}: ${count} ${count === 1 ? 'post' : 'posts'}`,
    value: count,
    ...(hrefOf && count > 0 ? { href: hrefOf(day) } : {}),
  }))
  const ticks = Array.from({ length: DAY_TICKS }, (_, i) => {
    const at = days[Math.round((i * (days.length - 1)) / (DAY_TICKS - 1))]
    return at === undefined ? '' : dayWords(at.day)
  })
  return barChart({ name, bars, ticks, ...rest })
}

export function hourChart(name: string, hours: readonly number[]): Markup {
  const bars = hours.map((count, hour) => ({
    label: `${String(hour).padStart(2, '0')}:00 UTC: ${count} ${count === 1 ? 'post' : 'posts'}`,
    value: count,
  }))
  return barChart({ name, bars, ticks: ['00:00', '12:00', '24:00'] })
}

const SHOWN_DAYS = 30

/** `YYYY-MM-DD` of the 30 days that end with `now`. */
export function lastDays(now: number): string[] {
  const first = Math.floor(now / DAY_MS) - SHOWN_DAYS + 1
  return Array.from({ length: SHOWN_DAYS }, (_, i) =>
    new Date((first + i) * DAY_MS).toISOString().slice(0, 10),
  )
}
