import assert from 'node:assert/strict'
import { test } from 'node:test'
import { analyzeQueryWord } from '../text/analyze-query.ts'
import { parseQuery } from '../text/query/parse-query.ts'
import type { Expr } from './expr.ts'
import { correct } from './correct.ts'
import { plainSearch } from './contract/sample.ts'
import { planSearch } from './plan.ts'
import { stemTerm } from './terms.ts'

const HELD = new Map(
  Object.entries({
    telegram: 90,
    channel: 40,
    flood: 12,
    plane: 2,
    // Deleted, or of another channel than the one asked for.
    plana: 9,
    slant: 30,
    blood: 30,
    flamingo: 1,
    наводнение: 8,
    куртка: 3,
    سیلاب: 4,
    سلام: 5,
    καλημερα: 2,
  }),
)
for (const stem of analyzeQueryWord('flood').alternatives[0]![0]!.stems) HELD.set(stemTerm(stem), 1)
const held = {
  df: (term: string) => HELD.get(term) ?? 0,
  hasMatch: (expr: Expr) => !(expr.kind === 'any' && expr.terms.includes('plana')),
}
const PLAN = { required: null, relaxable: [], units: [] }
const told = (q: string) =>
  correct({ root: parseQuery(q, { now: 0 }), after: null }, PLAN, held).map(
    ({ word, nearest }) => `${word} → ${nearest}`,
  )

for (const [q, expected] of [
  ['telegrm', 'telegrm → telegram'],
  ['telegraam', 'telegraam → telegram'],
  ['tleegram', 'tleegram → telegram'],
  ['Telehram channel', 'Telehram → telegram'],
  ['наводнеие', 'наводнеие → наводнение'],
  ['سیلب', 'سیلب → سیلاب'],
  // One post is better than none.
  ['flaming', 'flaming → flamingo'],
  // On another keyboard, or spelled out.
  ['rehnrf', 'rehnrf → куртка'],
  ['kurtka', 'kurtka → куртка'],
  ['salam', 'salam → سلام'],
  ['kalimera', 'kalimera → καλημερα'],
  ['salaam channel', 'salaam → سلام'],
  // The first letter is seldom the wrong one.
  ['plant', 'plant → plane'],
] as const) {
  test(`${q}: ${expected}`, () => assert.deepEqual(told(q), [expected]))
}

for (const [q, why] of [
  ['telegram channel', 'posts hold both'],
  ['floods', 'its stem is held'],
  ['-telegrm channel', 'it is not wanted'],
  ['=telegrm', 'it is meant as it stands'],
  ['telegrm OR channel', 'the other one may do'],
  ['telegrm*', 'a prefix stands for many words'],
  ['"telegrm channel"', 'a phrase is meant as it stands'],
  ['xylophone', 'no word is near'],
  ['telegrm channel flood blood plane slant channel', 'it is a whole question'],
  ['tlg', 'short words are near to too many'],
  ['quis custodiet telegrm ipsos', 'most words are unknown'],
  ['#telegrm', 'a tag is no word'],
  ['🔥 2024', 'no letters to get wrong'],
] as const) {
  test(`${q}: no correction, since ${why}`, () => assert.deepEqual(told(q), []))
}

test('two slips in a long word are found where the index tells words by their beginning', () => {
  const beginning = (prefix: string) => [...HELD.keys()].filter((word) => word.startsWith(prefix))
  const root = parseQuery('телеграмм наводенеие', { now: 0 })
  const found = correct({ root, after: null }, PLAN, { ...held, beginning })
  assert.deepEqual(
    found.map(({ nearest }) => nearest),
    ['наводнение'],
  )
})

test('of several near words the one is told that stands beside the other words', () => {
  const plan = planSearch(
    plainSearch(0, { root: parseQuery('flood blod', { now: 0 }), sort: 'relevance' }),
    0,
    { posts: 100, df: held.df, expand: () => ({ toks: [], complete: true }) },
  )
  const root = parseQuery('flood slan', { now: 0 })
  const besides = (wanted: string) =>
    correct({ root, after: null }, plan, {
      df: (term) => (term === 'plan' ? 7 : held.df(term)),
      hasMatch: (expr) => JSON.stringify(expr).includes(`"${wanted}"`),
    }).map(({ nearest }) => nearest)
  assert.deepEqual(besides('slant'), ['slant'])
  assert.deepEqual(besides('plan'), ['plan'])
})

test('of several words that no post holds each is corrected', () => {
  assert.deepEqual(told('telegrm channell flood blood'), [
    'telegrm → telegram',
    'channell → channel',
  ])
})

test('the next page says nothing of it again', () => {
  assert.deepEqual(correct({ root: parseQuery('telegrm', { now: 0 }), after: [1] }, PLAN, held), [])
})

test('the nearest words are looked for once, while the index stays as it is', () => {
  let looks = 0
  const nearest = new Map<string, readonly string[]>()
  const counted = { ...held, nearest, df: (term: string) => (looks++, held.df(term)) }
  const ask = () =>
    correct({ root: parseQuery('telegrm', { now: 0 }), after: null }, PLAN, counted)[0]?.nearest
  assert.equal(ask(), 'telegram')
  const first = looks
  assert.equal(ask(), 'telegram')
  assert.ok(looks - first < first / 5, `${looks - first} looks after ${first}`)
})
