import { html, raw } from 'hono/html'
import { readFileSync } from 'node:fs'

/** What these pages may load: their own style and script, and the API. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'public, max-age=300',
}

export const STYLE = asset('docs.css')
export const SCRIPT = asset('docs.js')

function asset(name: string): string {
  return readFileSync(new URL(`./assets/${name}`, import.meta.url), 'utf8')
}

export type Html = ReturnType<typeof html>

export function page(title: string, body: Html): string {
  return String(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>${title} · Telegrep</title>
          <link rel="stylesheet" href="/docs/docs.css" />
        </head>
        <body>
          <header>
            <a href="/">Telegrep</a>
            <nav aria-label="Documentation">
              <a href="/docs">API</a> <a href="/errors">Errors</a>
              <a href="/v1/openapi.json">OpenAPI</a>
            </nav>
          </header>
          <main>${body}</main>
        </body>
      </html>`,
  )
}

/** `code` in backticks, as descriptions are written; everything else escaped. */
export function prose(text: string): Html {
  const parts = text.split('`')
  return html`${parts.map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part))}`
}

export { html, raw }
