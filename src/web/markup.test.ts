import assert from 'node:assert/strict'
import { test } from 'node:test'
import { safeHref } from './address.ts'
import { html } from './markup.ts'
import { marked } from './post-card.ts'

test('a template loses its own indentation and leaves values unchanged', async () => {
  const value = 'a\n    b & <c>'
  const made = await html`<p>
    <b>${value}</b>
  </p>`
  assert.equal(String(made), '<p>\n<b>a\n    b &amp; &lt;c&gt;</b>\n</p>')
})

test('highlights are marked unless they overlap, and empty lines are collapsed', async () => {
  const made = await marked('one\n\n\ntwo <three>', [
    { start: 6, end: 9 },
    { start: 7, end: 9 },
    { start: 10, end: 17 },
  ])
  assert.equal(String(made), 'one\n<mark>two</mark> <mark>&lt;three&gt;</mark>')
})

test('only safe addresses become links', () => {
  assert.equal(safeHref('HTTPS://example.com/'), 'HTTPS://example.com/')
  for (const url of [
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'data:text/html,x',
    '//x',
    null,
  ])
    assert.equal(safeHref(url), undefined)
})
