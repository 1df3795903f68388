import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const ROOT = new URL('../../', import.meta.url)
const PAGES = ['home', 'search', 'post', 'spread', 'changes', 'channel', 'dark', 'phone']

test('the README shows screenshots of the main pages, none larger than 80 kB (npm run screenshots)', () => {
  const folder = new URL('docs/screenshots/', ROOT)
  const names = readdirSync(folder)
  assert.deepEqual(names.toSorted(), PAGES.map((page) => `${page}.webp`).toSorted())
  const readme = readFileSync(new URL('README.md', ROOT), 'utf8')
  for (const name of names) {
    const bytes = readFileSync(new URL(name, folder))
    assert.equal(bytes.subarray(8, 12).toString(), 'WEBP', name)
    assert.ok(bytes.byteLength < 80_000, `${name}: ${bytes.byteLength}`)
    assert.ok(readme.includes(`](docs/screenshots/${name})`), name)
  }
})
