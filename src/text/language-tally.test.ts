import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  addToTally,
  effectiveLanguage,
  EMPTY_TALLY,
  isSettled,
  languageShares,
  majorityLanguage,
  secondLanguage,
  type PostLanguage,
} from './language-tally.ts'

function tallyOf(...posts: readonly PostLanguage[]) {
  return posts.reduce(addToTally, EMPTY_TALLY)
}
const post = (code: string | null, letters = 100, score = 1): PostLanguage => ({
  code,
  score,
  letters,
})

describe('a channel’s tally', () => {
  test('weighs posts by score and length, up to 200 letters', () => {
    const tally = tallyOf(post('ru', 1000, 0.5), post('en', 50), post(null, 0, 0))
    assert.deepEqual(tally, { posts: 3, weights: { ru: 100, en: 50 } })
    assert.deepEqual(languageShares(tally), [
      { code: 'ru', share: 2 / 3 },
      { code: 'en', share: 1 / 3 },
    ])
    assert.equal(secondLanguage(tally), 'en')
  })

  test('comes out the same in any order', () => {
    const posts = [post('ru', 30), post('uk', 90, 0.75), post('ru', 200), post(null, 0, 0)]
    assert.deepEqual(tallyOf(...posts).weights, tallyOf(...posts.toReversed()).weights)
  })

  test('names no majority until enough was read', () => {
    assert.equal(majorityLanguage(EMPTY_TALLY), null)
    assert.equal(majorityLanguage(tallyOf(post('ru', 60))), null)
    assert.deepEqual(majorityLanguage(tallyOf(post('ru', 60), post('ru', 60))), {
      code: 'ru',
      share: 1,
    })
  })

  test('is settled by ten posts of one language', () => {
    const nine = tallyOf(...Array.from({ length: 9 }, () => post('fa')))
    assert.ok(!isSettled(nine))
    assert.ok(isSettled(addToTally(nine, post('fa', 10))))
    assert.ok(
      !isSettled(tallyOf(...Array.from({ length: 20 }, (_, i) => post(i % 4 ? 'ru' : 'uk')))),
    )
  })
})

describe('the language a post is filed under', () => {
  const russian = { code: 'ru', share: 0.97 }
  const mixed = { code: 'ru', share: 0.6 }
  const CASES: [string, PostLanguage, typeof russian | null, string | null][] = [
    ['its own while the channel is unknown', post('uk', 10, 0.3), null, 'uk'],
    ['none when nobody knows', post(null, 0, 0), null, null],
    ['the channel’s when it has no letters', post(null, 0, 0), russian, 'ru'],
    ['the channel’s when it is short', post('uk', 19, 1), russian, 'ru'],
    ['the channel’s when it is short, in a mixed channel too', post('uk', 19, 1), mixed, 'ru'],
    ['the channel’s when it is unsure', post('uk', 300, 0.69), russian, 'ru'],
    ['the channel’s below 40 letters', post('uk', 39, 0.99), russian, 'ru'],
    ['its own when long and sure', post('uk', 40, 0.7), russian, 'uk'],
    [
      'its own below 40 letters when very sure, in a mixed channel',
      post('uk', 30, 0.9),
      mixed,
      'uk',
    ],
  ]
  for (const [name, own, channel, expected] of CASES) {
    test(name, () => assert.equal(effectiveLanguage(own, channel), expected))
  }
})
