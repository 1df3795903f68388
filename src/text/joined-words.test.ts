import assert from 'node:assert/strict'
import { test } from 'node:test'
import { joinedWords } from './joined-words.ts'
import { parseQuery } from './query/parse-query.ts'
import { partsOf } from '../model/query-tree.ts'

const joined = (q: string) => {
  const found = [...joinedWords(partsOf(parseQuery(q, { now: 0 }))).values()].flat()
  return [...new Set(found.map(({ head, tail }) => head + tail))]
}

for (const [q, ...expected] of [
  ['cease fire', 'ceasefire'],
  ['Tik Tok ban', 'TikTok', 'Tokban', 'TikTokban'],
  ['You Tube', 'YouTube'],
  ['log in', 'login'],
  ['iPhone 15', 'iPhone15'],
  ['20 km', '20km'],
  ['1 299', '1299'],
  ['1 500 000', '1500', '500000', '1500000'],
  ['هسته ای', 'هستهای'],
  ['می خواهم', 'میخواهم'],
  ['یاد آوری', 'یادآوری'],
  ['stand with ukraine', 'standwith', 'withukraine', 'standwithukraine'],
] as const) {
  test(`${q} is also searched as one word`, () =>
    assert.deepEqual(joined(q).sort(), [...expected].sort()))
}

for (const [q, why] of [
  ['in form', '"inform" says something else'],
  ['of the', 'both connect words'],
  ['cease -truce fire', 'something stands between them'],
  ['cease "the fire"', 'what is quoted is meant as it stands'],
  ['(cease | fire)', 'they are alternatives'],
  ['budget 2026', 'it is a year'],
  ['15 7', 'it is no number'],
  ['地震 大学', 'such scripts write no spaces'],
  ['one two three four five six seven', 'it is a sentence'],
  ['when will rates fall', 'it is a question'],
  ['cease', 'it is alone'],
] as const) {
  test(`${q} is never searched as one word, since ${why}`, () => assert.deepEqual(joined(q), []))
}
