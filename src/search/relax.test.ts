import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createStillClock } from '../simulator/clocks.ts'
import { analyze } from '../text/analyze.ts'
import { parseQuery } from '../text/query/parse-query.ts'
import { openEmbedded } from './contract/open-embedded.ts'
import { createRandom, plainSearch, sampleDocument } from './contract/sample.ts'
import { shareIndex } from './contract/stage.ts'
import type { IndexDocument } from './search-index.ts'

const NOW = Date.UTC(2026, 5, 1)

function documentOf(text: string, number: number): IndexDocument {
  const { tokens } = analyze(text, 'en')
  return {
    ...sampleDocument(createRandom(3), NOW, []),
    channelId: 1,
    number,
    publishedAt: NOW - number * 3_600_000,
    language: 'en',
    toks: tokens.map((token) => token.tok),
    stems: tokens.map((token) => token.stem),
    accented: [],
  }
}

const shared = shareIndex(openEmbedded)
after(() => shared.close())

/** The texts that are found, in order; those that hold everything have a `+` in front. */
async function found(q: string, texts: readonly string[]): Promise<string[]> {
  await using opened = await shared.open(createStillClock(NOW))
  await opened.writer.apply({ puts: texts.map((text, i) => documentOf(text, i + 1)) })
  const root = parseQuery(q, { now: NOW })
  const { hits, total } = await opened.index.search(plainSearch(NOW, { root, sort: 'relevance' }))
  assert.equal(total.value, hits.filter((hit) => hit.matched === 'all').length)
  return hits.map((hit) => (hit.matched === 'all' ? '+' : '') + texts[hit.number - 1]!)
}

test('a typographic quote is searched as a phrase first, then by its words in any form', async () => {
  const texts = ['courts of the supreme ruler', 'a supreme court judge', 'the court', 'a judge']
  assert.deepEqual(await found('“supreme court”', texts), [
    '+a supreme court judge',
    'courts of the supreme ruler',
    'the court',
  ])
  assert.deepEqual(await found('"supreme court"', texts), ['+a supreme court judge'])
  assert.deepEqual(await found('ruler “supreme court” -judge', texts), [
    'courts of the supreme ruler',
    'the court',
  ])
  assert.deepEqual(await found('judge "supreme court" «a ruler»', texts), ['a supreme court judge'])
})

test('a typographic quote in a group or a negation is a phrase', async () => {
  const texts = ['courts of the supreme ruler', 'a supreme court judge', 'a judge']
  assert.deepEqual(await found('judge -«supreme court»', texts), ['+a judge'])
  assert.deepEqual(await found('«supreme court» OR ruled', texts), ['+a supreme court judge'])
})

test('a post that holds a quote is shown once, however its words are split', async () => {
  // In an address only the host yields words; on its own, what follows the comma is a word too.
  const texts = ['see t.me/x,7 now', 'do see it']
  assert.deepEqual(await found('“see t.me/x,7”', texts), ['+see t.me/x,7 now', 'do see it'])
})

test('the parts of a compound may stand apart, and in other forms', async () => {
  const texts = ['the rocket of a scud', 'scud-rockets fell', 'rocket science', 'year 19', 'a year']
  assert.deepEqual(await found('scud-rockets', texts), [
    '+scud-rockets fell',
    'the rocket of a scud',
    'rocket science',
  ])
  // One letter or two digits say nothing without the rest; a year does.
  assert.deepEqual(await found('covid-19', texts), [])
  assert.deepEqual(await found('1918-1922', ['in 1922', 'in 1920']), ['in 1922'])
  assert.deepEqual(await found('9/11', ['from 9 to 11', 'on 9/11']), ['+on 9/11'])
})

test('a question does not find posts that hold only its function words', async () => {
  const texts = ['what do you do?', 'snow again', 'tell me about it', 'new channels of the city']
  assert.deepEqual(await found('what do channels write about snow', texts), [
    'snow again',
    'new channels of the city',
  ])
  assert.deepEqual(await found('what do you know about volcanoes', texts), [])
  // If the query consists of such words only, they are what is meant.
  assert.deepEqual(await found('what do you', texts), ['+what do you do?'])
})

test('a post that holds only connectives of a query is not found', async () => {
  const common = Array.from({ length: 30 }, (_, i) => `noticias del dia ${i}`)
  const texts = ['el precio sube', 'white van seen', ...common]
  assert.deepEqual(await found('precio del petróleo', texts), ['el precio sube'])
  assert.deepEqual(await found('uranio del petróleo', texts), [])
  // A connective of one language is an ordinary word of another.
  assert.deepEqual(await found('black van', texts), ['white van seen'])
})

test('the last sentence of a long query is not required to match', async () => {
  const ask = (text: string) => found(text, ['首都机场关闭三天', '谢谢大家'])
  const long =
    '受暴雪影响预计周四恢复航班请旅客提前查询信息并留意广播通知以免耽误行程因为天气原因列车也停运了'
  assert.deepEqual(await ask(`${long}，${long}啊，首都机场关闭了多少天`), ['首都机场关闭三天'])
})
