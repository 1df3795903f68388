import assert from 'node:assert/strict'
import { test } from 'node:test'
import { headlineEnd } from './headline.ts'

test('a headline is the first line or sentence, if it is short and contains words', () => {
  for (const [text, headline] of [
    ['Harbour closed for repairs\nShips wait outside.', 'Harbour closed for repairs'],
    ['One line alone is a headline', 'One line alone is a headline'],
    [
      `The harbour is closed. ${'Ships wait outside and nobody knows how long. '.repeat(4)}`,
      'The harbour is closed.',
    ],
    [
      `وصلت السفينة الكبيرة إلى الميناء؟ ${'ثم غادرت في المساء إلى البحر '.repeat(6)}`,
      'وصلت السفينة الكبيرة إلى الميناء؟',
    ],
    [`No sentence ends here ${'and so it goes on '.repeat(12)}`, ''],
    [`Lakeside, 7.1. — The harbour ${'is closed until the ice melts '.repeat(6)}`, ''],
    [
      `The mayor and Rep. Ann B. Cole met in the U.S. Embassy. ${'Nobody knows what they said. '.repeat(4)}`,
      'The mayor and Rep. Ann B. Cole met in the U.S. Embassy.',
    ],
    ['🚢🚢\nShips wait outside.', ''],
    ['…the rest of a sentence. Then another.', ''],
    ['', ''],
  ] as const) {
    assert.equal(text.slice(0, headlineEnd(text)), headline)
  }
})
