import { readFileSync } from 'node:fs'
import { format } from 'prettier'

const options = JSON.parse(
  readFileSync(new URL('../../.prettierrc.json', import.meta.url), 'utf8'),
) as Record<string, unknown>

/** Text as `npm run format` leaves it. */
export function formatted(text: string, parser: 'markdown' | 'json' = 'markdown'): Promise<string> {
  return format(text, { ...options, parser })
}
