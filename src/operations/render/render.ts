import type { Format } from '../operation.ts'
import { renderCsv } from './csv.ts'
import { renderJsonFeed } from './jsonfeed.ts'
import { renderMarkdown } from './markdown.ts'
import { renderNdjson } from './ndjson.ts'
import type { Rendering } from './rendering.ts'
import { renderRss } from './rss.ts'

const RENDERERS: Readonly<Record<Exclude<Format, 'json'>, (rendering: Rendering) => string>> = {
  md: renderMarkdown,
  ndjson: renderNdjson,
  csv: renderCsv,
  rss: renderRss,
  jsonfeed: renderJsonFeed,
}

export function render(format: Exclude<Format, 'json'>, rendering: Rendering): string {
  return RENDERERS[format](rendering)
}
