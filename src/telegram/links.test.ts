import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { albumMember, mediaUrl, parsePlatformLink, parsePostPath, safeUrl } from './links.ts'

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

  test('files are https only', () => {
    assert.equal(mediaUrl('http://example.org/a.jpg'), null)
    assert.equal(mediaUrl('tg://x'), null)
    assert.equal(mediaUrl('//example.org/a.jpg'), 'https://example.org/a.jpg')
  })
})

test('platform links name a channel and perhaps a post', () => {
  assert.deepEqual(parsePlatformLink('https://t.me/Durov'), { username: 'Durov', number: null })
  assert.deepEqual(parsePlatformLink('http://telegram.me/s/durov/12?single'), {
    username: 'durov',
    number: 12,
  })
  assert.deepEqual(parsePlatformLink('https://t.me/deckhands/12/345?single'), {
    username: 'deckhands',
    number: 345,
  })
  assert.deepEqual(parsePlatformLink('https://t.me/deckhands/12/latest'), {
    username: 'deckhands',
    number: 12,
  })
  for (const url of [
    'https://t.me/c/123/4',
    'https://t.me/+hash',
    'https://t.me/joinchat/x',
    'https://example.org/durov/1',
    'https://t.me.example.org/durov',
  ]) {
    assert.equal(parsePlatformLink(url), undefined)
  }
})

test('post paths and album members', () => {
  assert.deepEqual(parsePostPath('durov/12'), { username: 'durov', number: 12 })
  assert.equal(parsePostPath('durov/12/3'), undefined)
  assert.equal(parsePostPath('../12'), undefined)
  const member = { username: 'durov', number: 12 }
  assert.deepEqual(albumMember('https://t.me/durov/12?single'), member)
  assert.deepEqual(albumMember('https://t.me/durov/12?single&t=3'), member)
  assert.equal(albumMember('https://t.me/durov/12'), undefined)
  assert.equal(albumMember('https://t.me/durov?single'), undefined)
  assert.equal(albumMember('https://example.org/durov/12?single'), undefined)
})
