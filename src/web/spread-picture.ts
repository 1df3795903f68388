import { cutText } from '../model/cut-text.ts'
import { DAY_S, HOUR_S } from '../model/time.ts'
import { html, type Markup } from './markup.ts'
import type { Spread } from './views.ts'

type Member = Spread['members'][number]

const ROW = 20
const WIDTH = 420
const LEFT = 12
/** Room for names on the right. */
const RIGHT = 130
const SHOWN = 20
const TICKS = [
  [60, '1 min'],
  [HOUR_S, '1 h'],
  [DAY_S, '1 day'],
  [7 * DAY_S, '1 week'],
] as const

/**
 * Each post is a dot on its own row. Its horizontal position is its delay, on a logarithmic scale, since minutes matter at
 * the start and days at the end; its size is its number of views. Lines lead from source to copy, dashed where the source is
 * a guess.
 */
export function spreadPicture(
  members: readonly Member[],
  edges: Spread['edges'],
  asked: string,
): Markup {
  const shown = members.slice(0, SHOWN)
  const height = shown.length * ROW + 24
  const longest = Math.max(60, ...shown.map(({ delay_s: delay }) => delay))
  const xOf = (delay: number) =>
    LEFT + Math.round((Math.log1p(delay) / Math.log1p(longest)) * (WIDTH - LEFT - RIGHT))
  const rows = new Map(shown.map(({ id, delay_s: delay }, i) => [id, { x: xOf(delay), y: yOf(i) }]))
  const most = Math.max(1, ...shown.map(({ views }) => views?.value ?? 0))
  const label = `Timeline: ${shown.map(({ id, came, delay_s: delay }) => `${id} ${came} after ${delay} s`).join(', ')}`
  return html`<svg
    class="spread-picture"
    viewBox="0 0 ${WIDTH} ${height}"
    role="img"
    aria-label="${label}"
  >
    ${TICKS.filter(([at]) => at < longest).map(
      ([at, words]) =>
        html`<line x1="${xOf(at)}" y1="4" x2="${xOf(at)}" y2="${height - 16}" /><text
            class="tick"
            x="${xOf(at)}"
            y="${height - 4}"
            text-anchor="middle"
            >${words}</text
          >`,
    )}
    ${edges.flatMap(({ from, to, told }) => {
      const [a, b] = [rows.get(from), rows.get(to)]
      if (!a || !b) return []
      const bend = `M${a.x} ${a.y}C${a.x} ${b.y} ${a.x} ${b.y} ${b.x} ${b.y}`
      return [html`<path class="${told ? 'told' : 'guess'}" d="${bend}" />`]
    })}
    ${shown.map(({ id, came, views, channel }) => {
      const { x, y } = rows.get(id)!
      const radius = (3 + 5 * Math.sqrt((views?.value ?? 0) / most)).toFixed(1)
      return html`<circle class="${came}" cx="${x}" cy="${y}" r="${radius}"
          ><title>${id}</title></circle
        ><text class="${id === asked ? 'asked' : 'name'}" x="${x + 11}" y="${y + 4}"
          >${cutText(channel.username, 18)}</text
        >`
    })}
  </svg>`
}

function yOf(row: number): number {
  return row * ROW + 12
}
