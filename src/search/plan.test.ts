import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseQuery } from '../text/query/parse-query.ts'
import { planSearch } from './plan.ts'
import { plainSearch } from './contract/sample.ts'
import { wordHash } from './terms.ts'

const NOW = Date.UTC(2026, 4, 1)

test('the units of a query keep their order however frequent the words become', () => {
  // A cursor carries the inverse document frequency that each unit had on the first page.
  for (const q of [
    '受暴雪影响首都机场关闭三天预计周四恢复航班请旅客提前查询航班信息并留意广播通知以免耽误行程谢谢配合',
    'สนามบินดอนเมืองปิดกี่วันเพราะน้ำท่วม',
    'where is the ferry to the island',
    'who wrote «The Ferry to the Island» and “渡轮到岛上去”?',
  ]) {
    const unitsAt = (seed: number) => {
      const stats = {
        posts: 1_000,
        df: (term: string) => 1 + (wordHash(`${seed}${term}`) % 500),
        expand: () => ({ toks: [], complete: true }),
      }
      const query = plainSearch(NOW, { root: parseQuery(q, { now: NOW }), sort: 'relevance' })
      return planSearch(query, NOW, stats).units.map((unit) => unit.text)
    }
    assert.ok(unitsAt(1).length > 5, q)
    assert.deepEqual(unitsAt(1), unitsAt(2), q)
  }
})

/** The weight of a word of a query where all words are equally frequent. */
function idfOf(text: string, q: string): number {
  const root = parseQuery(q, { now: NOW })
  const stats = { posts: 1_000, df: () => 1, expand: () => ({ toks: [], complete: true }) }
  const { units } = planSearch(plainSearch(NOW, { root, sort: 'relevance' }), NOW, stats)
  return units.find((unit) => unit.text === text)!.idf
}

test('the parts of a compound weigh less where they only form a question', () => {
  assert.ok(idfOf('est', 'est-ce que Lyon') < idfOf('est', 'Sud-est Lyon') / 2)
  assert.ok(idfOf('que', 'est-ce que Lyon') < idfOf('que', 'que Lyon') / 2)
})

test('in a sentence, names weigh more and function words less', () => {
  const sentence = 'the harbour of Odesa was closed for repairs'
  assert.ok(idfOf('the', sentence) < idfOf('harbour', sentence) / 2)
  assert.ok(idfOf('Odesa', sentence) > 1.1 * idfOf('harbour', sentence))
  // In a title every word is capitalised, and a few words are no sentence.
  assert.equal(
    idfOf('Odesa', 'Harbour In Odesa Closed'),
    idfOf('Harbour', 'Harbour In Odesa Closed'),
  )
  assert.equal(idfOf('Odesa', 'harbour Odesa'), idfOf('harbour', 'harbour Odesa'))
  assert.equal(idfOf('the', 'the bank of england'), idfOf('bank', 'the bank of england'))
})

test('a function word weighs little in each of its spellings', () => {
  const q = 'The man who sold the world to THE press'
  for (const word of ['The', 'the', 'THE']) assert.ok(idfOf(word, q) < idfOf('man', q) / 2, word)
})

test('numbers that differ by a comma are different words', () => {
  const root = parseQuery('12 -1,2', { now: NOW })
  const stats = { posts: 1_000, df: () => 1, expand: () => ({ toks: [], complete: true }) }
  const { expr } = planSearch(plainSearch(NOW, { root }), NOW, stats)
  assert.ok(expr?.kind === 'and')
  const [wanted, excluded] = expr.parts
  assert.notDeepEqual(excluded, { kind: 'not', part: wanted })
})

test('the frequency of a word covers each way it is written', () => {
  const root = parseQuery('F16 repaired', { now: NOW })
  const held = new Map([
    ['f16', 30],
    ['~f16', 30],
    ['f', 20],
    ['16', 50],
  ])
  const stats = {
    posts: 1_000,
    df: (term: string) => held.get(term) ?? 0,
    expand: () => ({ toks: [], complete: true }),
  }
  const plan = planSearch(plainSearch(NOW, { root, sort: 'relevance' }), NOW, stats)
  assert.equal(plan.relaxable[0]!.df, 50)
})
