import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { FORMS } from './forms.cases.ts'
import type { LanguageForms } from './forms.cases.ts'
import { createMatcher } from './matcher.ts'

/** True when a post of that language with only this text answers the query, which names no language. */
function finds(query: string, post: string, language: string | null): boolean {
  const node = { kind: 'word', text: query, start: 0, end: query.length } as const
  return createMatcher(node, 'stem').find(post, language).length > 0
}

function missing({ code, together }: LanguageForms): string[] {
  const lost: string[] = []
  for (const words of together) {
    for (const query of words) {
      for (const post of words) if (!finds(query, post, code)) lost.push(`${query} → ${post}`)
    }
  }
  return lost
}

function wrong({ code, apart }: LanguageForms): string[] {
  const met: string[] = []
  for (const [a = '', b = ''] of apart) {
    if (finds(a, b, code)) met.push(`${a} → ${b}`)
    if (finds(b, a, code)) met.push(`${b} → ${a}`)
  }
  return met
}

describe('word forms and spellings', () => {
  test('at least 25 languages are covered', () => {
    assert.ok(new Set(FORMS.map((forms) => forms.code)).size >= 25)
  })

  for (const forms of FORMS) {
    test(`${forms.name}: forms of a word find each other`, () => {
      assert.deepEqual(missing(forms), [])
    })
    test(`${forms.name}: near words stay apart`, () => {
      assert.ok(forms.apart.length > 0)
      assert.deepEqual(wrong(forms), [])
    })
  }

  test('a word is found in a post of any language, whatever its own', () => {
    const words = ['Paris', 'running', 'Müller', 'новости', 'война', 'کتاب', 'शहर', 'ኢትዮጵያ', '2024']
    const lost: string[] = []
    for (const word of words) {
      for (const { code } of [...FORMS, { code: null }, { code: 'vi' }, { code: 'xx' }]) {
        if (!finds(word, word, code)) lost.push(`${word} in ${code}`)
      }
    }
    assert.deepEqual(lost, [])
  })

  test('a query in one language does not meet another language’s words through a foreign stemmer', () => {
    // Norwegian stems "theme" to "the", Turkish "debe" to "de", Italian "format" to "form".
    assert.equal(finds('theme', 'the', 'en'), false)
    assert.equal(finds('debe', 'de', 'es'), false)
    assert.equal(finds('format', 'form', 'en'), false)
    assert.equal(finds('poet', 'pot', 'en'), false)
  })
})
