import { DAY_MS } from '../model/time.ts'
import { html, type Markup } from './markup.ts'
import type { ChannelProfile } from './views.ts'
import { dayWords, number } from './words.ts'

type DayValues = ChannelProfile['growth']['subscribers']

const WIDTH = 300
const HEIGHT = 60
/** Keeps the line from being clipped at its highest and lowest day. */
const MARGIN = 3
const COMPACT = { notation: 'compact', maximumSignificantDigits: 4 } as const

/** Empty until there are two days to compare. */
export function growthCharts({ subscribers, views }: ChannelProfile['growth']): Markup | '' {
  const charts = [lineChart('Subscribers', subscribers), lineChart('Views of new posts', views)]
  if (charts.every((chart) => chart === '')) return ''
  return html`<section>
    <h2>Growth</h2>
    ${charts}
  </section>`
}

/** Scaled from the lowest to the highest value, not from zero: a channel grows by a few in a thousand per day. */
function lineChart(name: string, days: DayValues): Markup | '' {
  const [first, last] = [days[0], days.at(-1)]
  if (days.length < 2 || !first || !last) return ''
  const values = days.map(({ value }) => value)
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const dayOf = (date: string) => Date.parse(date) / DAY_MS
  const span = dayOf(last.date) - dayOf(first.date)
  const points = days.map(({ date, value }) => {
    const x = ((dayOf(date) - dayOf(first.date)) / span) * WIDTH
    const share = most === least ? 0.5 : (value - least) / (most - least)
    const y = HEIGHT - MARGIN - share * (HEIGHT - 2 * MARGIN)
    return `${Math.round(x)} ${y.toFixed(1)}`
  })
  const change = `${number(first.value)} → ${number(last.value)}`
  const label = `${name} from ${first.date} to ${last.date}: ${change}, lowest ${number(least)}, highest ${number(most)}`
  return html`<figure class="chart">
    <figcaption>${name} <span>${change}</span></figcaption>
    <div class="plot">
      <span class="most" aria-hidden="true">${most.toLocaleString('en', COMPACT)}</span>
      ${most === least ? '' : html`<span class="least" aria-hidden="true">${least.toLocaleString('en', COMPACT)}</span>`}
      <svg
        viewBox="0 0 ${WIDTH} ${HEIGHT}"
        preserveAspectRatio="none"
        role="img"
        aria-label="${label}"
      >
        <path class="line" d="M${points.join('L')}" />
      </svg>
    </div>
    <p class="ticks" aria-hidden="true">
      <span>${dayWords(first.date)}</span> <span>${dayWords(last.date)}</span>
    </p>
  </figure>`
}
