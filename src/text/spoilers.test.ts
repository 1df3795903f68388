import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMatcher, snippet } from './highlight.ts'
import { parseQuery } from './query/parse-query.ts'
import { maskSpoilers } from './spoilers.ts'

const TEXT = 'The winner is the red\nteam.'
const spoiler = (offset: number, length: number) => ({ type: 'spoiler' as const, offset, length })

test('what the author hid becomes blocks of the same length, spaces excepted', () => {
  assert.equal(maskSpoilers(TEXT, [spoiler(18, 8)]), 'The winner is the ███\n████.')
  assert.equal(maskSpoilers(TEXT, [{ ...spoiler(4, 6), type: 'bold' }]), TEXT)
})

test('spoilers may overlap, stand in any order and reach beyond the end', () => {
  const hidden = [spoiler(22, 9_999), spoiler(14, 7), spoiler(14, 3), spoiler(900, 5)]
  assert.equal(maskSpoilers(TEXT, hidden), 'The winner is ███ ███\n█████')
})

test('a snippet hides a spoiler, except the words that were searched for', () => {
  const shown = (q: string, text = TEXT, max = 240) => {
    const matcher = createMatcher(parseQuery(q, { now: 0 }), 'stem')
    return snippet(text, 'en', matcher, max, [spoiler(text.indexOf('red'), 8)])
  }
  assert.deepEqual(shown('winner'), {
    text: 'The winner is the ███\n████.',
    highlights: [{ start: 4, end: 10 }],
  })
  assert.deepEqual(shown('team'), {
    text: 'The winner is the ███\nteam.',
    highlights: [{ start: 22, end: 26 }],
  })
  const long = `${'Before the final whistle nobody knew. '.repeat(20)}${TEXT}`
  assert.match(shown('winner', long, 60).text, /^….*The winner is the ███\n████\.$/su)
})
