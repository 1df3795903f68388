import assert from 'node:assert/strict'
import { test } from 'node:test'
import { analyze } from '../text/analyze.ts'
import { lengthInWords } from './post-length.ts'

test('the length of a post in words is comparable across scripts', () => {
  const TEXTS: [string, number][] = [
    ['The airport was closed for three days', 7],
    ['首都机场因为暴雪关闭了三天', 5],
    ['成田空港は大雪のため三日間閉鎖された', 6],
    ['인천공항이 폭설로 사흘 동안 폐쇄됐다', 6],
    ['สนามบินดอนเมืองปิด', 4],
    ['2026年 budget', 3],
    ['', 0],
  ]
  for (const [text, words] of TEXTS) {
    assert.equal(lengthInWords(analyze(text, null).tokens.map(({ tok }) => tok)), words, text)
  }
})
