import assert from 'node:assert/strict'
import { test } from 'node:test'
import { albumMember, mediaUrl, parsePlatformLink, parsePostPath } from './links.ts'

test('addresses of files must be https', () => {
  assert.equal(mediaUrl('http://example.org/a.jpg'), null)
  assert.equal(mediaUrl('tg://x'), null)
  assert.equal(mediaUrl('//example.org/a.jpg'), 'https://example.org/a.jpg')
})

test('a platform link is parsed into a channel and possibly a post', () => {
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

test('post paths and links to album members are parsed', () => {
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
