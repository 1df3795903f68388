import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const ROOT = new URL('../../', import.meta.url)

test('the README shows pictures of the main pages, none heavier than 150 kB (npm run screenshots)', () => {
  const folder = new URL('docs/screenshots/', ROOT)
  const names = readdirSync(folder)
  for (const name of names) {
    const bytes = readFileSync(new URL(name, folder))
    assert.equal(bytes.subarray(1, 4).toString(), 'PNG', name)
    assert.ok(bytes.byteLength < 150_000, `${name}: ${bytes.byteLength}`)
  }
  const readme = readFileSync(new URL('README.md', ROOT), 'utf8')
  for (const page of ['home', 'search', 'post', 'channel']) {
    assert.ok(names.includes(`${page}.png`))
    assert.ok(readme.includes(`](docs/screenshots/${page}.png)`), page)
  }
})
