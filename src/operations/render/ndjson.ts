import { itemsOf } from './items.ts'
import type { Rendering } from './rendering.ts'

/** One post a line, as in JSON. */
export function renderNdjson({ reply }: Rendering): string {
  let lines = ''
  for (const item of itemsOf(reply)) lines += `${JSON.stringify(item)}\n`
  return lines
}
