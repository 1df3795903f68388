import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linkWords } from './link-words.ts'

test('an address yields words that are joined like a headline in its path', () => {
  const said = {
    'https://example.org/2026/11/strait-closed-again.html?from=mail-shot#in-short':
      'strait closed again',
    'https://example.org/wiki/%D0%9E%D1%80%D0%BC%D1%83%D0%B7%D1%81%D0%BA%D0%B8%D0%B9_%D0%BF%D1%80%D0%BE%D0%BB%D0%B8%D0%B2':
      'Ормузский пролив',
    'https://example.org/world/Storm_Hits_the_Coast/amp': 'Storm Hits the Coast',
    'https://example.org/a-b/dQw4-w9Xg_cQrZ/3f2a-11ed-bd5b/politics': '',
    'https://strait-closed.example.org': '',
    'https://example.org/%E0%A4%A/broken-by-half': 'broken by half',
    'not an address': '',
  }
  for (const [link, words] of Object.entries(said)) assert.equal(linkWords([link]), words, link)
})

test('many addresses yield a limited number of words, each headline once', () => {
  const links = Array.from({ length: 500 }, (_, i) => `https://example.org/same-old-story/${i}`)
  assert.equal(linkWords(links), 'same old story')
  const letters = 'abcdefghijklmnopqrstuvwxyz'
  const others = [...letters].map((at) => `https://example.org/word${at}word-other${at}`)
  assert.equal(linkWords(others.map((link) => link.replace('word', 'x'))).split(/\s/).length, 24)
  const long = `https://example.org/${'very-'.repeat(100_000)}`
  assert.equal(linkWords([long]).split(' ').length, 24)
})
