import type { Settings } from '../context.ts'
import type { Format, Operation, Reply } from '../operation.ts'
import { renderCsv } from './csv.ts'
import { renderJsonFeed } from './jsonfeed.ts'
import { renderMarkdown } from './markdown.ts'
import { renderNdjson } from './ndjson.ts'
import { renderRss } from './rss.ts'

/** A reply and where it stands, for the forms that are not JSON. */
export interface Rendering {
  readonly operation: Operation
  readonly reply: Reply
  readonly settings: Settings
  /** The request's own address. */
  readonly selfUrl: string
  /** The next page's, null at the end. */
  readonly next: string | null
}

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
