import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { ICON } from './logo.ts'

interface Asset {
  /** Contains a hash of the content, so that browsers may cache it for ever. */
  readonly path: string
  readonly type: string
  readonly body: string
}

/** Read once at start. */
export const ASSETS = {
  style: asset('style.css', 'text/css; charset=utf-8', read('style').join('\n')),
  script: asset('telegrep.js', 'text/javascript; charset=utf-8', script(read('script'))),
  icon: asset('icon.svg', 'image/svg+xml', ICON),
} as const

/** The files of a folder, in the order of their names. */
function read(folder: string): string[] {
  const place = new URL(`assets/${folder}/`, import.meta.url)
  return readdirSync(place)
    .toSorted()
    .map((name) => readFileSync(new URL(name, place), 'utf8'))
}

/** Each file in a block, so that its names do not clash with those of another. */
function script(files: readonly string[]): string {
  return `'use strict'\n${files.map((file) => `{\n${file}}\n`).join('')}`
}

function asset(name: string, type: string, body: string): Asset {
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 10)
  return { path: `/assets/${hash}/${name}`, type, body }
}
