import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DetectedLanguage, LanguageDetector } from '../text/language.ts'
import { firstLanguage, languageOfPost, languageOfText } from './post-language.ts'

const TEXT = 'whatever it says'
const NOTHING: DetectedLanguage = { code: null, score: 0, letters: 0 }

function told(found: {
  readonly plain?: { readonly code: string; readonly letters: number }
  readonly vote?: DetectedLanguage
}): { readonly detector: LanguageDetector; readonly votes: () => number } {
  let votes = 0
  const detect = () => {
    votes++
    return found.vote ?? NOTHING
  }
  return { detector: { detectObvious: () => found.plain, detect }, votes: () => votes }
}

function languageIn(home: string | null, found: Parameters<typeof told>[0]) {
  const { detector, votes } = told(found)
  const textLanguage = languageOfText(TEXT, detector)
  return [languageOfPost({ text: TEXT, textLanguage }, home, detector), votes()]
}

test('a long text with a certain vote keeps its own language, any other takes its channel’s', () => {
  const sure = { code: 'pt', score: 0.95, letters: 60 }
  assert.deepEqual(languageIn('es', { vote: sure }), ['pt', 1])
  assert.deepEqual(languageIn(null, { vote: sure }), ['pt', 1])
  for (const less of [{ score: 0.89 }, { letters: 39 }]) {
    assert.deepEqual(languageIn('es', { vote: { ...sure, ...less } }), ['es', 1])
    assert.deepEqual(languageIn(null, { vote: { ...sure, ...less } }), [null, 1], 'no guess')
  }
  assert.deepEqual(languageIn('es', { vote: NOTHING }), ['es', 1])
})

test('a plain text needs a vote only if it differs from its channel’s language', () => {
  const plain = { code: 'ms', letters: 60 }
  assert.deepEqual(languageIn('ms', { plain }), ['ms', 0])
  const neighbour = { code: 'id', score: 0.6, letters: 60 }
  assert.deepEqual(languageIn('id', { plain, vote: neighbour }), ['id', 1])
  const sure = { code: 'ms', score: 0.97, letters: 60 }
  assert.deepEqual(languageIn('id', { plain, vote: sure }), ['ms', 1])
})

test('the weight of a text is its number of letters if it is certain, up to a limit', () => {
  const weightOf = (found: Parameters<typeof told>[0]) =>
    languageOfText(TEXT, told(found).detector).weight
  assert.equal(weightOf({ plain: { code: 'en', letters: 60 } }), 60)
  assert.equal(weightOf({ vote: { code: 'en', score: 0.5, letters: 400 } }), 100)
  assert.equal(weightOf({ vote: { code: null, score: 0.5, letters: 400 } }), 0)
})

test('a channel starts with the language that has the most weight in its posts', () => {
  const textLanguage = (code: string | null, weight: number) => ({ code, weight, vote: null })
  assert.equal(
    firstLanguage([textLanguage('et', 4), textLanguage('en', 30), textLanguage('ru', 40)]),
    'ru',
  )
  assert.equal(
    firstLanguage([textLanguage('en', 30), textLanguage('ru', 40), textLanguage('en', 30)]),
    'en',
  )
  assert.equal(
    firstLanguage([textLanguage('ru', 5), textLanguage('en', 5)]),
    'en',
    'whatever comes first',
  )
  assert.equal(firstLanguage([textLanguage(null, 0)]), null)
  assert.equal(firstLanguage([]), null)
})
