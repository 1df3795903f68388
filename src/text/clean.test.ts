/* oxlint-disable no-misleading-character-class, no-control-regex -- the classes name code points, not what they look like */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from '../../test/fast-check.ts'
import type { Entity } from '../model/post.ts'
import { cleanText } from './clean.ts'
import { assertGrowsByLength } from '../../test/processor-time.ts'

const shown = (text: string) => cleanText(text, []).text

describe('served text', () => {
  test('loses control, zero-width and bidi characters', () => {
    assert.equal(shown('a\u0000b\u0007c\u200bd\u2060e\ufefff\u00adg\u0085h'), 'abcdefgh')
    assert.equal(shown('\u202eevil\u202c \u2066x\u2069 \u200fy\u200e \u061cz'), 'evil x y z')
  })

  test('keeps lines, turns tabs into spaces and foreign line ends into newlines', () => {
    assert.equal(shown('a\tb\r\nc\rd\u2028e\u2029f'), 'a b\nc\nd\ne\nf')
  })

  test('keeps joiners between letters or emoji only', () => {
    assert.equal(shown('می\u200cخواهم क्\u200dष'), 'می\u200cخواهم क्\u200dष')
    assert.equal(
      shown('👨\u200d👩\u200d👧 ❤\ufe0f\u200d🔥 👩🏽\u200d🚀'),
      '👨\u200d👩\u200d👧 ❤\ufe0f\u200d🔥 👩🏽\u200d🚀',
    )
    assert.equal(shown('\u200ca\u200d b \u200c\u200cc d\u200c\u200ce'), 'a b c d\u200ce')
  })

  test('keeps the tags of a flag, but no hidden message of tags or selectors', () => {
    const england = '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}'
    assert.equal(shown(`${england}!`), `${england}!`)
    assert.equal(shown('hi\u{e0068}\u{e0069}\u{e0101}'), 'hi')
    assert.equal(shown('☀\ufe0f\ufe0f\ufe01x'), '☀\ufe0fx')
  })

  test('is cleaned of tags in time linear in its length', () => {
    assertGrowsByLength((tags) => assert.equal(shown('\u{e0041}'.repeat(tags)), ''), 100_000)
  })

  test('says whether anything hidden was removed', () => {
    assert.equal(cleanText('plain text 👍\ufe0f', []).hidden, false)
    assert.equal(cleanText('a\tb', []).hidden, false)
    assert.equal(cleanText('a\u200bb', []).hidden, true)
  })

  test('replaces lone surrogates', () => {
    assert.equal(shown('a\ud800b\udc00'), 'a\ufffdb\ufffd')
  })

  test('drops an entity that covers nothing visible', () => {
    const entities: Entity[] = [
      { type: 'text_link', offset: 1, length: 2, url: 'https://example.com/' },
      { type: 'bold', offset: 0, length: 4 },
    ]
    assert.deepEqual(cleanText('a\u200b\u200bb', entities), {
      text: 'ab',
      entities: [{ type: 'bold', offset: 0, length: 2 }],
      hidden: true,
    })
  })

  const units = fc.constantFrom(
    'a',
    'ж',
    ' ',
    '\n',
    '\t',
    '\r',
    '\u200b',
    '\u200c',
    '\u200d',
    '\u202e',
    '\ufe0f',
    '🔥',
    'م',
    '\u{e0061}',
    '\u0301',
    '\ud83d',
  )
  const texts = fc.array(units, { maxLength: 40 }).map((parts) => parts.join(''))

  test('keeps its entities on the same visible characters', () => {
    fc.assert(
      fc.property(texts, fc.nat(40), fc.nat(40), (raw, a, b) => {
        const [offset, end] = [Math.min(a, b, raw.length), Math.min(Math.max(a, b), raw.length)]
        // The platform's entities never cut a character in two.
        fc.pre(isBoundary(raw, offset) && isBoundary(raw, end))
        const cleaned = cleanText(raw, [{ type: 'bold', offset, length: end - offset }])
        const covered = cleaned.entities[0]
          ? cleaned.text.slice(
              cleaned.entities[0].offset,
              cleaned.entities[0].offset + cleaned.entities[0].length,
            )
          : ''
        assert.equal(visible(covered), visible(raw.slice(offset, end)))
        assert.equal(visible(cleaned.text), visible(raw))
      }),
      { numRuns: 2000 },
    )
  })

  test('does not change when it is cleaned twice', () => {
    fc.assert(
      fc.property(texts, (raw) => {
        const once = shown(raw)
        assert.equal(shown(once), once)
        assert.ok(once.isWellFormed())
      }),
      { numRuns: 2000 },
    )
  })
})

/** What a reader sees of the text, in order. */
function visible(text: string): string {
  return text.toWellFormed().replace(/[\s\u200b-\u200d\u202e\ufe0f\u{e0061}]/gu, '')
}

function isBoundary(text: string, index: number): boolean {
  const [before, after] = [text.charCodeAt(index - 1), text.charCodeAt(index)]
  return !(before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000)
}
