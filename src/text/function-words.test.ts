import assert from 'node:assert/strict'
import { test } from 'node:test'
import { functionWords, weakWords } from './function-words.ts'

/** A query, and its function words. */
const QUESTIONS: readonly (readonly [string, string])[] = [
  ['Mikä on Suomen suurin saari', 'Mikä on'],
  ['Melyik város a legnagyobb', 'Melyik a'],
  ['Kada je osnovan grad', 'Kada je'],
  ['Коя е най-дългата река', 'Коя е'],
  ['Gdzie jest najwyższa góra', 'Gdzie jest'],
  ['Thủ đô của Lào là gì', 'của là gì'],
  ['Mji mkuu wa Kenya ni upi', 'wa ni upi'],
  ['Астана қай жылы астана болды', 'қай болды'],
  // One word is enough if no other language has it.
  ['Milloin Tukholma perustettiin', 'Milloin'],
  ['Каспий қайда', 'қайда'],
  ['భారత రాజధాని ఏమిటి', 'ఏమిటి'],
  ['কবে স্বাধীনতা দিবস', 'কবে'],
  ['מתי נבנה הגשר', 'מתי'],
  ['Πότε χτίστηκε η γέφυρα', 'Πότε η'],
]

/** Ordinary queries in which words of one language mean something in another. */
const NAMES = [
  'missa do galo',
  'kde plasma',
  'first aid kit',
  'care home',
  'wat pho bangkok',
  'kik messenger',
  'ano novo',
  'ai chips',
  'nani wild card',
  'volt a',
  'unde',
  'kuka robotics',
  'Hany Abu Assad',
  'Mika Häkkinen',
  'Patryk Jaki',
  'aka na',
]

test('function words of questions are recognised in many languages', () => {
  for (const [query, asking] of QUESTIONS) {
    const found = [...functionWords(query.split(' '))].join(' ')
    assert.equal(found, asking, query)
  }
})

test('function words are recognised in every spelling that a query has of them', () => {
  const words = 'De qué color y de qué marca QUE era'.split(' ')
  assert.deepEqual(functionWords(words), new Set(['De', 'de', 'qué', 'QUE', 'y', 'era']))
  const sentence = 'The man sold the world TO me'.split(' ')
  assert.deepEqual(weakWords(sentence), new Set(['The', 'the', 'TO', 'me']))
})

test('a name that is a function word elsewhere keeps its weight', () => {
  for (const query of NAMES) assert.deepEqual([...functionWords(query.split(' '))], [], query)
})
