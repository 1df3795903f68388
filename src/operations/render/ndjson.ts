import type { Rendering } from './rendering.ts'

/** One post a line, as in JSON. */
export function renderNdjson({ operation, reply }: Rendering): string {
  let lines = ''
  for (const item of operation.items(reply.data)) lines += `${JSON.stringify(item)}\n`
  return lines
}
