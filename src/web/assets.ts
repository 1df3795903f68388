import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

interface Asset {
  /** Holds a hash of the content, so that browsers may keep it for good. */
  readonly path: string
  readonly type: string
  readonly body: string
}

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0b6e99"/><circle cx="14" cy="14" r="6.5" fill="none" stroke="#fff" stroke-width="3"/><path d="M19 19l7 7" stroke="#fff" stroke-width="3.4" stroke-linecap="round"/></svg>`

/** Read once at start. */
export const ASSETS = {
  style: asset('style.css', 'text/css; charset=utf-8', read('style.css')),
  script: asset('telegrep.js', 'text/javascript; charset=utf-8', read('telegrep.js')),
  icon: asset('icon.svg', 'image/svg+xml', ICON),
} as const

function read(name: string): string {
  return readFileSync(new URL(`assets/${name}`, import.meta.url), 'utf8')
}

function asset(name: string, type: string, body: string): Asset {
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 10)
  return { path: `/assets/${hash}/${name}`, type, body }
}
