import type { Rendering } from './rendering.ts'
import { line } from './markdown-words.ts'

/** Without this note, a post whose text was cut off entirely would pass for one without text. */
const CUT = 'Note: `max_chars` was too few for all that these posts say'

/** For language models: short, text only, every link with its full address. */
export function renderMarkdown({
  operation,
  reply,
  next,
}: Pick<Rendering, 'operation' | 'reply' | 'next'>): string {
  const parts = [operation.markdown(reply)]
  if ('truncated' in reply.meta && reply.meta.truncated === true) parts.push(CUT)
  for (const warning of reply.warnings) parts.push(`Note: ${line(warning.detail)}`)
  if (next !== null) parts.push(`Next page: <${next}>`)
  return `${parts.join('\n\n')}\n`
}
