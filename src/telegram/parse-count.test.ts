import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseCount, parseDuration, parseSize } from './parse-count.ts'

const AT = Date.UTC(2026, 8, 1)

describe('parseCount', () => {
  const cases: [string, number, boolean, string][] = [
    ['0', 0, false, '0'],
    ['999', 999, false, '999'],
    ['2.49K', 2_490, true, '2.49K'],
    ['15K', 15_000, true, '15K'],
    ['436,6K', 436_600, true, '436,6K'],
    ['8.67M', 8_670_000, true, '8.67M'],
    ['1.2B', 1_200_000_000, true, '1.2B'],
    ['11 286 994 subscribers', 11_286_994, false, '11 286 994'],
    ['97\u00a0957 members, 4\u00a0138 online', 97_957, false, '97\u00a0957'],
    ['11.3M subscribers', 11_300_000, true, '11.3M'],
    ['1,234', 1_234, false, '1,234'],
    ['12,34,567', 1_234_567, false, '12,34,567'],
    ['5 Members', 5, false, '5 Members'],
    ['no subscribers', 0, false, 'no'],
  ]
  for (const [raw, value, approx, kept] of cases) {
    test(`reads ${JSON.stringify(raw)}`, () => {
      assert.deepEqual(parseCount(raw, AT), { value, approx, raw: kept, asOf: AT })
    })
  }

  for (const raw of [
    '',
    'K',
    'many',
    '-5',
    '9'.repeat(30),
    '1001B',
    '1.2.3K',
    '99999999999999999B',
    '1.2k',
    '1.2T',
    '1.2К',
    '1.2',
    '12.3万',
    '12 тыс.',
    '12 mln',
    '1e6',
    '1٬234',
    '1’234',
  ]) {
    test(`finds no count in ${JSON.stringify(raw)}`, () => {
      assert.equal(parseCount(raw, AT), undefined)
    })
  }
})

test('parseSize reads the size of a document and is not confused by a performer’s name', () => {
  assert.deepEqual(parseSize('1.5 MB', AT), {
    value: 1_572_864,
    approx: true,
    raw: '1.5 MB',
    asOf: AT,
  })
  assert.equal(parseSize('812 B', AT)?.value, 812)
  assert.equal(parseSize('812 B', AT)?.approx, false)
  assert.equal(parseSize('The B 52 Band', AT), undefined)
  assert.equal(parseSize('999999999 TB', AT), undefined)
})

test('parseDuration reads minutes and hours', () => {
  assert.equal(parseDuration('0:27'), 27)
  assert.equal(parseDuration(' 1:02:05\n'), 3725)
  assert.equal(parseDuration('live'), null)
})
