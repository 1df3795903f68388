import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { plainSearch } from '../src/search/contract/sample.ts'
import { createStillClock } from '../src/simulator/clocks.ts'
import { parseQuery } from '../src/text/query/parse-query.ts'
import { openPlainIndex } from './plain-index.ts'
import {
  derivedOf,
  documentOf,
  documentsOf,
  evaluate,
  JUDGED_NOW,
  readJudged,
} from './judged/evaluate.ts'

const judged = readJudged()

test('the judged set has enough posts, queries, languages and questions', () => {
  assert.ok(judged.posts.length >= 150)
  assert.ok(judged.queries.length >= 40)
  assert.ok(new Set(judged.queries.map((query) => query.language)).size >= 6)
  assert.ok(judged.queries.filter((query) => query.kind === 'question').length >= 10)
})

test('the ranker beats BM25 on the judged set, with stemming and without', async () => {
  const { ours, bm25, bm25Stems } = await evaluate(judged)
  assert.ok(ours.mean > bm25.mean + 0.05, `${ours.mean} against ${bm25.mean} without stems`)
  assert.ok(ours.mean > bm25Stems.mean, `${ours.mean} against ${bm25Stems.mean} with stems`)
})

test('docs/search-quality.md has the current figures', async () => {
  const text = readFileSync(new URL('../docs/search-quality.md', import.meta.url), 'utf8')
  const told = /^\| all +\| *(\d+) *\| *([\d.]+) *\| *([\d.]+) *\| *([\d.]+) *\|$/m.exec(text)
  assert.ok(told, 'the row for all queries')
  const { ours, bm25, bm25Stems } = await evaluate(judged)
  assert.equal(Number(told[1]), judged.queries.length)
  for (const [i, mean] of [ours.mean, bm25Stems.mean, bm25.mean].entries()) {
    const figure = Number(told[i + 2])
    assert.ok(Math.abs(figure - mean) < 0.01, `the document says ${figure}, it is ${mean}`)
  }
})

/** A question, the post that answers it, and others that share some of its words. */
const UNSPACED: Readonly<Record<string, readonly [question: string, ...posts: string[]]>> = {
  th: [
    'สนามบินดอนเมืองปิดกี่วันเพราะน้ำท่วม',
    'น้ำท่วมหนักทำให้ต้องปิดสนามบินดอนเมืองเป็นเวลาสามวัน',
    'สนามบินภูเก็ตเปิดให้บริการตามปกติ',
    'ราคาทองวันนี้ปรับขึ้นอีกสองร้อยบาท',
    'รถไฟสายเหนือหยุดเดินรถเพราะน้ำท่วม',
  ],
  ja: [
    '大雪で成田空港が閉鎖されたのは何日間で、運航が再開されるのはいつの予定になっているのでしょうか',
    '成田空港は大雪のため三日間閉鎖された。運航の再開は木曜日の予定。',
    '羽田空港の新しい駅は来年の春に開業する予定です。',
    '大雪で新幹線が止まっています。',
  ],
  zh: [
    '首都机场因为暴雪关闭了多少天并且预计要到什么时候才能够恢复航班呢',
    '受暴雪影响，首都机场关闭三天，预计周四恢复航班。',
    '首都图书馆周四起恢复开放。',
    '暴雪导致多条高速公路关闭。',
  ],
  ko: [
    '인천공항은 폭설로 며칠 동안 폐쇄되었나요?',
    '폭설 때문에 인천공항이 사흘간 폐쇄됐다.',
    '김포공항은 정상 운영 중이다.',
    '폭설로 고속도로 일부 구간이 통제됐다.',
  ],
}

for (const [language, [question, ...texts]] of Object.entries(UNSPACED)) {
  test(`a question written without spaces finds its answer: ${language}`, async () => {
    await using plain = await openPlainIndex(createStillClock(JUDGED_NOW))
    const { index, writer } = plain
    const publishedAt = JUDGED_NOW - 3_600_000
    const common = { channelId: 1, language, publishedAt, subscribers: 100 }
    await writer.apply({
      puts: texts.map((text, i) => documentOf({ ...common, number: i + 1, text })),
    })
    const root = parseQuery(question, { now: JUDGED_NOW })
    const [best] = (await index.search(plainSearch(JUDGED_NOW, { root, sort: 'relevance' }))).hits
    assert.deepEqual([best?.number, best?.matched], [1, 'some'])
    assert.ok(best!.missing.length > 0)
  })
}

test('in a small index a question also matches by words that many posts contain', async () => {
  await using plain = await openPlainIndex(createStillClock(JUDGED_NOW))
  const { index, writer } = plain
  const texts = [
    'the ferry to the island leaves at noon',
    'a zebra crossing was painted',
    ...Array.from({ length: 6 }, (_, i) => `ferry number ${i} was late`),
    ...Array.from({ length: 6 }, (_, i) => `island news, part ${i}`),
    ...Array.from({ length: 6 }, (_, i) => `one leaves, ${i} stay`),
  ]
  const common = { channelId: 1, publishedAt: JUDGED_NOW - 1, subscribers: 100, language: 'en' }
  await writer.apply({
    puts: texts.map((text, i) => documentOf({ ...common, number: i + 1, text })),
  })
  const root = parseQuery('ferry island leaves zebra', { now: JUDGED_NOW })
  const { hits } = await index.search(plainSearch(JUDGED_NOW, { root, sort: 'relevance' }))
  assert.equal(hits[0]?.number, 1)
})

test('a name is found in posts of every language, beside words that no post contains', async () => {
  await using plain = await openPlainIndex(createStillClock(JUDGED_NOW))
  const { index, writer } = plain
  const texts = {
    en: 'Mackinder spoke in London',
    es: 'Mackinder en Londres',
    de: 'Mackinder war in London',
  }
  await writer.apply({
    puts: Object.entries(texts).map(([language, text], i) => {
      const publishedAt = JUDGED_NOW - (i + 1) * 60_000
      return documentOf({
        channelId: 1,
        number: i + 1,
        publishedAt,
        subscribers: 9,
        language,
        text,
      })
    }),
  })
  const root = parseQuery('Mackinder birthplace', { now: JUDGED_NOW })
  const { hits } = await index.search(plainSearch(JUDGED_NOW, { root, sort: 'relevance' }))
  assert.deepEqual(new Set(hits.map(({ number }) => number)), new Set([1, 2, 3]))
})

test('a post with all words of an unspaced query, but apart, is found as a partial match', async () => {
  await using plain = await openPlainIndex(createStillClock(JUDGED_NOW))
  const { index, writer } = plain
  const common = { channelId: 1, publishedAt: JUDGED_NOW - 1, subscribers: 100 }
  const texts = ['รถไฟหยุดเพราะน้ำท่วม', 'รถไฟมาแล้ว', 'น้ำท่วมรถไฟ']
  await writer.apply({
    puts: texts.map((text, i) => documentOf({ ...common, number: i + 1, language: 'th', text })),
  })
  const root = parseQuery('น้ำท่วมรถไฟ', { now: JUDGED_NOW })
  const { hits } = await index.search(plainSearch(JUDGED_NOW, { root, sort: 'relevance' }))
  assert.deepEqual(
    hits.map(({ number, matched, missing }) => [number, matched, ...missing]),
    [
      [3, 'all'],
      [1, 'some', 'น้ำท่วมรถไฟ'],
      [2, 'some', 'น้ำ', 'ท่วม'],
    ],
  )
})

const EDITS: Readonly<Record<string, { least: number; edit(words: readonly string[]): string }>> = {
  'copied as it is': { least: 1, edit: (words) => words.join(' ') },
  'with a footer that links': {
    least: 0.95,
    edit: (words) => `${words.join(' ')}\n\nMore at @somewhere https://t.me/somewhere`,
  },
  'behind a word of alarm': { least: 0.85, edit: (words) => `BREAKING: ${words.join(' ')}` },
  'with one word changed': {
    least: 0.7,
    edit: (words) => words.with(Math.floor(words.length / 2), 'otherwise').join(' '),
  },
}

for (const [name, { least, edit }] of Object.entries(EDITS)) {
  test(`a post ${name} is grouped with its original`, async (t) => {
    await using plain = await openPlainIndex(createStillClock(JUDGED_NOW))
    const { index, writer } = plain
    const long = judged.posts.filter(({ document }) => document.toks.length >= 12)
    const posts = long.map((post) => post.derived)
    await writer.apply({ puts: await documentsOf(posts) })
    const copies = long.map((post) =>
      derivedOf({
        ...post.document,
        channelId: 900,
        language: post.language,
        text: edit(post.text.split(/\s+/)),
      }),
    )
    const alone = await Promise.all(long.map((post) => index.duplicates(post.document, 10)))
    // Two posts of the set repeat another one.
    assert.equal(alone.filter(Boolean).length, 4)
    await writer.apply({ puts: await documentsOf([...posts, ...copies]) })
    let found = 0
    for (const { document: copy } of copies) {
      const group = await index.duplicates(copy, 10)
      if (group?.members.some((each) => each.channelId !== 900 && each.number === copy.number))
        found++
    }
    const recall = found / copies.length
    t.diagnostic(`${found} of ${copies.length} found`)
    assert.ok(recall >= least, `recall ${recall}`)
  })
}
