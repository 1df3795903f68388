/** Draws the mean delay by policy as a bar chart, in plain SVG that is readable on light and dark pages. */

export interface Bar {
  readonly visitsPerDay: number
  readonly policy: string
  readonly meanMinutes: number
}

const WIDTH = 720
const LEFT = 130
const RIGHT = 70
const ROW = 22
const GROUP_GAP = 44

export function drawDelays(bars: readonly Bar[]): string {
  const groups = [...Map.groupBy(bars, (bar) => bar.visitsPerDay)]
  const parts: string[] = []
  let y = 52
  for (const [visitsPerDay, group] of groups) {
    parts.push(text(12, y, `${visitsPerDay} visits per channel and day`, 'class="head"'))
    y += 12
    const longest = Math.max(...group.map((bar) => bar.meanMinutes))
    for (const bar of group.toSorted((a, b) => a.meanMinutes - b.meanMinutes)) {
      const width = ((WIDTH - LEFT - RIGHT) * bar.meanMinutes) / longest
      const kind =
        bar.policy === 'telegrep' ? 'ours' : bar.policy.includes('oracle') ? 'oracle' : 'other'
      parts.push(
        text(LEFT - 8, y + 14, bar.policy, 'text-anchor="end"'),
        `<rect x="${LEFT}" y="${y + 2}" width="${width.toFixed(1)}" height="${ROW - 6}" rx="2" class="${kind}"/>`,
        text(LEFT + width + 6, y + 14, bar.meanMinutes.toFixed(1)),
      )
      y += ROW
    }
    y += GROUP_GAP
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y - 20}" role="img" aria-labelledby="t">
<title id="t">Mean delay until a post is found, in minutes, by crawl policy and request budget</title>
<style>
  text { font: 12px system-ui, sans-serif; fill: #444 }
  .head, .title { font-weight: 600 }
  .title { font-size: 14px }
  .ours { fill: #2a7de1 } .oracle { fill: #8a8f98 } .other { fill: #c9ced6 }
  @media (prefers-color-scheme: dark) { text { fill: #ccc } .other { fill: #4a4f57 } }
</style>
${text(12, 24, 'Mean delay until a post is found (minutes, less is better; oracles know the true rates)', 'class="title"')}
${parts.join('\n')}
</svg>
`
}

function text(x: number, y: number, words: string, attributes = ''): string {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${attributes}>${words}</text>`
}
