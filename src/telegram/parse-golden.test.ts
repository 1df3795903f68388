import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseEmbed } from './parse-embed.ts'
import { parseProfilePage } from './parse-landing.ts'
import { parsePage } from './parse-page.ts'
import { parsePostPage } from './parse-post-page.ts'

/** Each page in `test/fixtures/telegram` and what is read from it. After a change: `--test-update-snapshots`, then review. */

const FOLDER = join(import.meta.dirname, '../../test/fixtures/telegram')
const at = Date.UTC(2026, 8, 1, 10)

const PARSERS: Record<string, (html: string) => unknown> = {
  page: (html) => parsePage(html, { at }),
  landing: (html) => parseProfilePage(html, { at }),
  embed: (html) => parseEmbed(html, { at }),
  post: (html) => parsePostPage(html),
}

for (const name of readdirSync(FOLDER).filter((file) => file.endsWith('.html'))) {
  test(name, (t) => {
    const parse = PARSERS[name.split('-')[0]!]!
    const read = parse(readFileSync(join(FOLDER, name), 'utf8'))
    t.assert.fileSnapshot(read, join(FOLDER, name.replace('.html', '.json')), {
      serializers: [(value: unknown) => `${JSON.stringify(value, brief, 1)}\n`],
    })
  })
}

/** Leaves out what a post does not have, so that a fixture shows only what it is about. */
function brief(key: string, value: unknown): unknown {
  const isNothing =
    value === null || value === false || (Array.isArray(value) && value.length === 0)
  return key !== '' && (isNothing || key === 'asOf') ? undefined : value
}
