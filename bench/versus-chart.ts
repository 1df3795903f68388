/** Draws medians by engine as a bar chart, in plain SVG that is readable on light and dark pages. */

export interface Figure {
  readonly engine: string
  readonly order: 'newest' | 'relevance'
  readonly pass: 'first' | 'again'
  /** Milliseconds. */
  readonly p50: number
  readonly p95: number
}

const WIDTH = 720
const LEFT = 160
const RIGHT = 110
const ROW = 22
const GROUP_GAP = 40

export function drawVersus(corpus: string, figures: readonly Figure[]): string {
  const parts: string[] = []
  let y = 52
  const groups = [...Map.groupBy(figures, ({ order, pass }) => `${order}, ${PASSES[pass]}`)]
  for (const [head, group] of groups) {
    parts.push(text(12, y, head, 'class="head"'))
    y += 12
    const longest = Math.max(...group.map(({ p50 }) => p50))
    for (const { engine, p50, p95 } of group.toSorted((a, b) => a.p50 - b.p50)) {
      const width = Math.max(1, ((WIDTH - LEFT - RIGHT) * p50) / longest)
      const kind = engine === 'telegrep' ? 'ours' : 'other'
      parts.push(
        text(LEFT - 8, y + 14, engine, 'text-anchor="end"'),
        `<rect x="${LEFT}" y="${y + 2}" width="${width.toFixed(1)}" height="${ROW - 6}" rx="2" class="${kind}"/>`,
        text(LEFT + width + 6, y + 14, `${p50.toFixed(1)} (p95 ${p95.toFixed(1)})`),
      )
      y += ROW
    }
    y += GROUP_GAP
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y - 20}" role="img" aria-labelledby="t">
<title id="t">How long a search takes, by engine, order, and whether it was asked before</title>
<style>
  text { font: 12px system-ui, sans-serif; fill: #444 }
  .head, .title { font-weight: 600 }
  .title { font-size: 14px }
  .ours { fill: #2a7de1 } .other { fill: #c9ced6 }
  @media (prefers-color-scheme: dark) { text { fill: #ccc } .other { fill: #4a4f57 } }
</style>
${text(12, 24, `Milliseconds a search takes, median (${corpus}; less is better)`, 'class="title"')}
${parts.join('\n')}
</svg>
`
}

const PASSES = { first: 'asked for the first time', again: 'asked again' } as const

function text(x: number, y: number, words: string, attributes = ''): string {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${attributes}>${words}</text>`
}
