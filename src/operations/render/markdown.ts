import type { Rendering } from './rendering.ts'
import { line } from './markdown-words.ts'

/** For language models: short, nothing that is not text, every link with its full address. */
export function renderMarkdown({
  operation,
  reply,
  next,
}: Pick<Rendering, 'operation' | 'reply' | 'next'>): string {
  const parts = [operation.markdown(reply)]
  for (const warning of reply.warnings) parts.push(`Note: ${line(warning.detail)}`)
  if (next !== null) parts.push(`Next page: <${next}>`)
  return `${parts.join('\n\n')}\n`
}
