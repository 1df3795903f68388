import type { Context } from 'hono'
import { readFileSync } from 'node:fs'
import { page as frame } from '../../web/layout.ts'
import type { Markup } from '../../web/markup.ts'
import { pageHeaders } from '../../web/page-headers.ts'
import type { Env } from '../exchange.ts'
import { prepare, type Prepared } from '../compress.ts'
import { bodyResponse, type Headers } from '../respond.ts'

const PAGE_HEADERS = { ...pageHeaders(false), Vary: 'Accept-Encoding' }

export const SCRIPT = prepare(() =>
  readFileSync(new URL('./assets/docs.js', import.meta.url), 'utf8'),
)

/** A page, or another text with header fields of its own; compressed if the client accepts it. */
export function send(c: Context<Env>, body: Prepared, fields: Headers = {}): Promise<Response> {
  return bodyResponse(c, { ...PAGE_HEADERS, ...fields }, body)
}

/** A page in the common frame, under the navigation entry of the API; `markdown` is the address of its version for models. */
export function page(title: string, body: Markup, markdown?: string): string {
  const type = 'text/markdown'
  const alternates = markdown === undefined ? [] : [{ href: markdown, type, title }]
  const shown = frame({ title: `${title} – Telegrep`, here: '/docs', body, alternates })
  // The page shows no posts, so it need not say that a demo's posts are simulated.
  return String(shown({ isDemo: false }))
}
