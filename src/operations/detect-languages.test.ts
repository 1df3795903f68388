import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseQuery } from '../text/query/parse-query.ts'
import { detectLanguages } from './detect-languages.ts'

for (const [q, ...codes] of [
  ['اخبار ایران امروز', 'fa'],
  ['أخبار سوريا اليوم', 'ar'],
  ['привіт як справи', 'uk'],
  ['привет как дела', 'ru'],
  ['Қазақстан жаңалықтары', 'kk'],
  ['Ўзбекистон Қарши', 'uz'],
  ['Тоҷикистон', 'tg'],
  ['東京 ニュース', 'ja'],
  ['比特币', 'zh'],
  ['война 比特币 bitcoin', 'ru', 'zh'],
  ['bitcoin'],
] as const) {
  test(`the query ${q} is detected as ${codes.join(' and ') || 'nothing'}`, () => {
    assert.deepEqual(detectLanguages(parseQuery(q, { now: 0 })), codes)
  })
}
