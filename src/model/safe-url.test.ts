import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { safeUrl } from './safe-url.ts'

describe('safeUrl', () => {
  for (const [raw, kept] of [
    ['https://example.org/a?b=1', 'https://example.org/a?b=1'],
    [' HTTP://Example.org ', 'HTTP://Example.org'],
    ['//example.org/x', 'https://example.org/x'],
    ['tg://resolve?domain=x', 'tg://resolve?domain=x'],
    ['mailto:a@b.example', 'mailto:a@b.example'],
    ['https://example.org/a b"<c>', 'https://example.org/a%20b%22%3Cc%3E'],
    ['https://example.org/\u202egnp', 'https://example.org/%E2%80%AEgnp'],
    ['https://example.org/путь', 'https://example.org/путь'],
  ] as const) {
    test(`keeps ${JSON.stringify(raw)}`, () => assert.equal(safeUrl(raw), kept))
  }

  for (const raw of [
    undefined,
    '',
    '?q=%23tag',
    '/path',
    'example.org',
    'javascript:alert(1)',
    'java\nscript:alert(1)',
    '\u0001javascript:alert(1)',
    'data:text/html,x',
    'ftp://example.org',
    'https:example.org',
    `https://example.org/${'x'.repeat(2048)}`,
  ]) {
    test(`drops ${JSON.stringify(raw)?.slice(0, 40)}`, () => assert.equal(safeUrl(raw), null))
  }
})
