import { readFileSync } from 'node:fs'
import { format } from 'prettier'

const options = JSON.parse(
  readFileSync(new URL('../../.prettierrc.json', import.meta.url), 'utf8'),
) as Record<string, unknown>

/** Markdown as `npm run format` leaves it. */
export function formatted(markdown: string): Promise<string> {
  return format(markdown, { ...options, parser: 'markdown' })
}
