import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatAge, formatBytes, formatDuration, sparkline } from './format.ts'
import { displayWidth } from './print.ts'
import { cut, tableLines } from './table.ts'

test('a table that fits is not cut', () => {
  const lines = tableLines(
    [{ title: 'name' }, { title: 'posts', align: 'right' }],
    [
      ['durov', '12'],
      ['telegram', '3'],
    ],
    80,
  )
  assert.deepEqual(lines, ['name      posts', 'durov        12', 'telegram      3'])
})

test('a shrinking column is cut to fit the terminal', () => {
  const lines = tableLines(
    [{ title: 'name' }, { title: 'title', shrinks: 1 }],
    [['abcd', 'word '.repeat(40)]],
    40,
  )
  assert.ok(lines.every((line) => displayWidth(line) <= 40))
  assert.ok(lines[1]?.endsWith('…'))
})

test('columns shrink in their order, and no further than necessary', () => {
  const columns = [
    { title: 'channel', shrinks: 2 },
    { title: 'title', shrinks: 1 },
    { title: 'last post' },
  ]
  const row = ['a_long_channel_name', 'A long title of it', '2026-11-15']
  assert.deepEqual(tableLines(columns, [row], 40)[1], 'a_long_channel_name  A long…  2026-11-15')
  assert.deepEqual(tableLines(columns, [row], 32)[1], 'a_long_cha…  A long…  2026-11-15')
})

test('an optional column is dropped before a line becomes wider than the terminal', () => {
  const columns = [
    { title: 'channel' },
    { title: 'title', shrinks: 1, mayGo: 1 },
    { title: 'last post' },
  ]
  const row = ['a_long_channel_name', 'A long title of it', '2026-11-15']
  assert.deepEqual(tableLines(columns, [row], 40)[1], 'a_long_channel_name  A long…  2026-11-15')
  assert.deepEqual(tableLines(columns, [row], 32), [
    'channel              last post',
    'a_long_channel_name  2026-11-15',
  ])
})

test('columns are dropped in their order, an empty one first', () => {
  const columns = [
    { title: 'channel' },
    { title: 'subscribers', mayGo: 3 },
    { title: 'posts', mayGo: 2 },
    { title: 'lang', mayGo: 1 },
  ]
  assert.deepEqual(tableLines(columns, [['a_name', '', '12', 'en']], 24), [
    'channel  posts  lang',
    'a_name   12     en',
  ])
  assert.deepEqual(tableLines(columns, [['a_name', '900', '12', 'en']], 24), [
    'channel  subscribers',
    'a_name   900',
  ])
})

test('a table may have more rows than a function takes arguments', () => {
  const rows = Array.from({ length: 200_000 }, (_, i) => [`channel_${i}`])
  assert.equal(tableLines([{ title: 'name' }], rows, 80).length, 200_001)
})

test('a column without title and cells costs no gap, and a table narrower than its names stays whole', () => {
  const columns = [{ title: 'key' }, { title: 'made', mayGo: 1 }, { title: '', mayGo: 2 }]
  assert.deepEqual(tableLines(columns, [['tgr_12345678', '2 d ago', '']], 21), [
    'key           made',
    'tgr_12345678  2 d ago',
  ])
  assert.deepEqual(tableLines(columns, [['tgr_12345678', '', '']], 8), ['key', 'tgr_12345678'])
})

test('the width of wide characters and combining marks is measured as a terminal shows them', () => {
  assert.equal(displayWidth('日本'), 4)
  assert.equal(displayWidth('e\u0301'), 1)
  assert.equal(displayWidth('का'), 2, 'a spacing mark takes a column')
  assert.equal(displayWidth('\u001b[1mbold\u001b[0m'), 4)
  assert.equal(cut('日本語テキスト', 7), '日本語…')
})

test('durations, ages, sizes and sparklines are formatted for people', () => {
  assert.equal(formatDuration(90_000), '2 min')
  assert.equal(formatDuration(3_000), '3 s')
  assert.equal(formatAge(null, 5), 'never')
  assert.equal(formatAge(0, 7_200_000), '2 h ago')
  assert.equal(formatBytes(1_234_567), '1.2 MB')
  assert.equal(sparkline([0, 1, 8]), '▁▂█')
})
