import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePage } from './parse-page.ts'

const AT = Date.UTC(2026, 8, 1)

test('a page of an unknown layout says so', () => {
  const page = parsePage('<!doctype html><html><body><p>hello</p></body></html>', { at: AT })
  assert.deepEqual(page.state, { kind: 'layout_unknown' })
  assert.deepEqual(page.posts, [])
})
