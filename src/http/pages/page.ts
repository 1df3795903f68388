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

/** A page, or with fields of its own another text, compressed where the client takes it. */
export function send(c: Context<Env>, body: Prepared, fields: Headers = {}): Promise<Response> {
  return bodyResponse(c, 200, { ...PAGE_HEADERS, ...fields }, body)
}

/** A page in the frame of all others, below their entry for the API; `markdown` is where it stands for models. */
export function page(title: string, body: Markup, markdown?: string): string {
  const type = 'text/markdown'
  const alternates = markdown === undefined ? [] : [{ href: markdown, type, title }]
  const shown = frame({ title: `${title} · Telegrep`, here: '/docs', body, alternates })
  // No posts stand on it that a demo would have to excuse.
  return String(shown({ isDemo: false }))
}
