import type { Rendering } from './rendering.ts'
import { line } from './markdown-words.ts'

/** A post whose words were cut would pass for one that has none. */
const CUT = 'Note: `max_chars` was too few for all that these posts say'

/** For language models: short, nothing that is not text, every link with its full address. */
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
