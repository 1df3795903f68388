import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SearchQuery } from '../model/query.ts'
import { analyzeQueryWord } from '../text/analyze-query.ts'
import { parseQuery } from '../text/query/parse-query.ts'
import type { Expr } from './expr.ts'
import { correct, mayHaveTypos } from './correct.ts'
import { plainSearch } from './contract/sample.ts'
import { planSearch } from './plan.ts'
import { stemTerm } from './terms.ts'

const HELD = new Map(
  Object.entries({
    telegram: 90,
    channel: 40,
    flood: 12,
    plane: 2,
    // Held only by deleted posts, or by posts of a channel that was not asked for.
    plana: 9,
    slant: 30,
    299: 20,
    wi: 9,
    fi: 9,
    wiki: 3,
    anti: 20,
    war: 30,
    انطور: 1,
    روشن: 9,
    کار: 9,
    rivet: 2,
    привет: 51,
    ktap: 1,
    blood: 30,
    flamingo: 1,
    наводнение: 8,
    куртка: 3,
    سیلاب: 4,
    سلام: 5,
    καλημερα: 2,
    al: 30,
    qaeda: 12,
    hezbollah: 40,
    harbour: 7,
    harbor: 5,
    القرار: 30,
    قران: 3,
  }),
)
for (const stem of analyzeQueryWord('flood').alternatives[0]![0]!.stems) HELD.set(stemTerm(stem), 1)
const firstMatched = (hasMatch: (expr: Expr) => boolean) => ({
  firstMatched: (exprs: readonly Expr[]) => exprs.findIndex(hasMatch),
})
const held = {
  df: (term: string) => HELD.get(term) ?? 0,
  ...firstMatched((expr) => !(expr.kind === 'any' && expr.terms.includes('plana'))),
}
/** Sorted by time, where no word may be missing. A search by relevance uses the same plan for corrections. */
function correctionsOf(q: string, other: Partial<Parameters<typeof correct>[2]> = {}) {
  const query = plainSearch(0, { root: parseQuery(q, { now: 0 }) })
  const stats = { posts: 100, df: held.df, expand: () => ({ toks: [], complete: true }) }
  return correct(query, planSearch(query, 0, stats), { ...held, ...other })
}
const told = (q: string) => correctionsOf(q).map(({ word, nearest }) => `${word} → ${nearest}`)

for (const [q, expected] of [
  ['telegrm', 'telegrm → telegram'],
  ['al-Qaida', 'al-Qaida → al-qaeda'],
  ['Hizballah', 'Hizballah → hezbollah'],
  ['harbuor', 'harbuor → harbour'],
  ['القرآن', 'القرآن → قران'],
  ['telegraam', 'telegraam → telegram'],
  ['tleegram', 'tleegram → telegram'],
  ['Telehram channel', 'Telehram → telegram'],
  ['наводнеие', 'наводнеие → наводнение'],
  ['سیلب', 'سیلب → سیلاب'],
  // A word that one post holds is better than none.
  ['flaming', 'flaming → flamingo'],
  // Typed with another keyboard layout, or transliterated.
  ['rehnrf', 'rehnrf → куртка'],
  ['kurtka', 'kurtka → куртка'],
  ['salam', 'salam → سلام'],
  ['kalimera', 'kalimera → καλημερα'],
  ['salaam channel', 'salaam → سلام'],
  // Short words are nearly always near to something.
  ['privet', 'privet → привет'],
  // Two words typed as one.
  ['wifi', 'wifi → wi-fi'],
  ['antiwar', 'antiwar → anti-war'],
  ['روشنکار', 'روشنکار → روشن\u200cکار'],
  // The first letter is seldom the wrong one.
  ['plant', 'plant → plane'],
  // Among alternatives, and in groups.
  ['telegrm OR xylophone', 'telegrm → telegram'],
  ['xylophone OR (channel telegrm)', 'telegrm → telegram'],
  ['flood (telegrm OR #news) -channel', 'telegrm → telegram'],
] as const) {
  test(`${q}: ${expected}`, () => assert.deepEqual(told(q), [expected]))
}

for (const [q, why] of [
  ['telegram channel', 'posts hold both'],
  ['floods', 'its stem is held'],
  ['-telegrm channel', 'it is not wanted'],
  ['=telegrm', 'it is meant as it stands'],
  ['telegrm*', 'a prefix stands for many words'],
  ['"telegrm channel"', 'a phrase is meant as it stands'],
  ['xylophone', 'no word is near'],
  ['telegrm channel flood blood plane slant channel', 'it is a whole question'],
  ['tlg', 'short words are near to too many'],
  ['quis custodiet telegrm ipsos', 'most words are unknown'],
  ['#telegrm', 'a tag is no word'],
  ['🔥 2024', 'no letters to get wrong'],
  ['kitap', 'what one post holds is a slip itself as likely'],
  ['1299', 'another price is another price'],
  ['telegram1', 'it is the name of something'],
] as const) {
  test(`${q}: no correction, since ${why}`, () => assert.deepEqual(told(q), []))
}

test('two typos in a long word are corrected if the index can list words by prefix', () => {
  const expandPrefix = (prefix: string) =>
    [...HELD.keys()].filter((word) => word.startsWith(prefix))
  const found = correctionsOf('телеграмм наводенеие', { expandPrefix })
  assert.deepEqual(
    found.map(({ nearest }) => nearest),
    ['наводнение'],
  )
})

test('of several near words, the one that occurs with the other words is suggested', () => {
  const besides = (wanted: string) =>
    correctionsOf('flood slan', {
      df: (term) => (term === 'plan' ? 7 : held.df(term)),
      ...firstMatched((expr) => JSON.stringify(expr).includes(`"${wanted}"`)),
    }).map(({ nearest }) => nearest)
  assert.deepEqual(besides('slant'), ['slant'])
  assert.deepEqual(besides('plan'), ['plan'])
})

test('each of several words that no post holds is corrected', () => {
  assert.deepEqual(told('telegrm channell flood blood'), [
    'telegrm → telegram',
    'channell → channel',
  ])
})

test('a word in one alternative is checked only together with the words of that alternative', () => {
  const asked: string[] = []
  const hasMatch = (expr: Expr) => (asked.push(JSON.stringify(expr)), false)
  correctionsOf('(telegrm flood) OR (channel slant)', firstMatched(hasMatch))
  assert.ok(asked.length > 0)
  for (const expr of asked) {
    assert.match(expr, /"telegram"/)
    assert.doesNotMatch(expr, /channel|slant/)
  }
  assert.ok(asked.some((expr) => expr.includes('flood')))
})

test('two mistyped alternatives are both corrected, but not if a third one is unknown too', () => {
  assert.deepEqual(told('telegrm OR channell'), ['telegrm → telegram', 'channell → channel'])
  assert.deepEqual(told('telegrm OR channell OR xylophone'), [])
})

test('a correction that never occurs with the other words is still suggested', () => {
  const hasMatch = (expr: Expr) => expr.kind === 'any'
  assert.deepEqual(
    correctionsOf('flood telegrm', firstMatched(hasMatch)).map(({ nearest }) => nearest),
    ['telegram'],
  )
})

test('corrections are looked for on the first page if nothing matches or there are alternatives', () => {
  const isLookedFor = (text: string, matches: number, asked: Partial<SearchQuery> = {}) =>
    mayHaveTypos(plainSearch(0, { root: parseQuery(text, { now: 0 }), ...asked }), matches)
  assert.ok(isLookedFor('telegrm', 0))
  assert.ok(isLookedFor('telegrm', 0, { strict: true }))
  assert.ok(!isLookedFor('telegrm', 0, { after: [1] }))
  assert.ok(!isLookedFor('flood', 1))
  assert.ok(isLookedFor('flood OR telegrm', 1))
  assert.ok(!isLookedFor('flood OR telegrm', 1, { strict: true }))
  assert.ok(!isLookedFor('flood OR telegrm', 1, { match: 'exact' }))
  assert.ok(isLookedFor('flood (war OR telegrm)', 1))
  assert.ok(!isLookedFor('flood -(war OR telegrm)', 1))
})

test('the nearest words are cached', () => {
  let looks = 0
  const nearest = new Map<string, readonly string[]>()
  const counted = { ...held, nearest, df: (term: string) => (looks++, held.df(term)) }
  const ask = () => correctionsOf('telegrm', counted)[0]?.nearest
  assert.equal(ask(), 'telegram')
  const first = looks
  assert.equal(ask(), 'telegram')
  assert.ok(looks - first < first / 5, `${looks - first} looks after ${first}`)
})

test('typed words are looked up with df, candidate corrections with dfOfRare', () => {
  const words: string[] = []
  const slips: string[] = []
  const apart = {
    df: (term: string) => (words.push(term), held.df(term)),
    dfOfRare: (term: string) => (slips.push(term), held.df(term)),
  }
  assert.equal(correctionsOf('telegrm flood', apart)[0]?.nearest, 'telegram')
  assert.ok(words.includes('telegrm') && !words.includes('telegram'))
  assert.ok(slips.includes('telegram') && !slips.includes('telegrm'))
})

test('the shorter part of a possible compound is looked up only if the longer part is held', () => {
  const asked: string[] = []
  const df = (term: string) => (asked.push(term), held.df(term))
  correctionsOf('alqaeda', { df })
  assert.ok(asked.includes('al'))
  asked.length = 0
  correctionsOf('alqaedzz', { df })
  assert.ok(asked.includes('qaedzz') && !asked.includes('al'))
})
