import { errorOf } from '../../model/errors.ts'
import type { Format } from '../operation.ts'
import { renderCsv, renderExcel } from './csv.ts'
import { feedTitle, isExplanation, pageUrl, type FeedParts } from './items.ts'
import { jsonFeedOf } from './jsonfeed.ts'
import { line } from './markdown-words.ts'
import type { Rendering } from './rendering.ts'
import { rssOf } from './rss.ts'

/** Formats made from a reply's data; `json` and `zip` are the reply itself. */
export type TextFormat = Exclude<Format, 'json' | 'zip'>

const RENDERERS: Readonly<Record<TextFormat, (rendering: Rendering) => string | Promise<string>>> =
  {
    md: renderMarkdown,
    ndjson: renderNdjson,
    csv: renderCsv,
    excel: renderExcel,
    rss: async (rendering) => rssOf(await feedParts(rendering)),
    jsonfeed: async (rendering) => jsonFeedOf(await feedParts(rendering)),
  }

/** The formats for an explanation, which holds no posts. */
export const EXPLANATION_FORMATS: readonly Format[] = ['json', 'md']

/** Throws `invalid_parameter` for an explanation in a format that can only hold posts. */
export async function render(format: TextFormat, rendering: Rendering): Promise<string> {
  if (!EXPLANATION_FORMATS.includes(format) && isExplanation(rendering.reply.data)) {
    const detail = `expected json or md with explain, which finds no posts; found ${format}`
    throw errorOf({ parameter: 'format', code: 'invalid_parameter', detail, suggestion: 'json' })
  }
  return RENDERERS[format](rendering)
}

async function feedParts({ operation, reply, selfUrl, next }: Rendering): Promise<FeedParts> {
  const items = await operation.items(reply.data)
  return { title: feedTitle(items, selfUrl), homeUrl: pageUrl(selfUrl), selfUrl, next, items }
}

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

/** One post per line, as JSON. */
async function renderNdjson({ operation, reply }: Rendering): Promise<string> {
  let lines = ''
  for (const item of await operation.items(reply.data)) lines += `${JSON.stringify(item)}\n`
  return lines
}
