import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { nearestInstant, parseInstant } from './parse-instant.ts'

/** A Sunday, noon in UTC: already Monday in Auckland (UTC+12), still morning in New York (UTC-4). */
const NOW = Date.UTC(2026, 4, 31, 12)

function read(text: string, zone?: string, now = NOW): string | undefined {
  const at = parseInstant(text, now, zone)
  return at === undefined ? undefined : new Date(at).toISOString().replace('.000Z', 'Z')
}

/** expression | zone | the moment meant */
const TABLE = `
2026-05-01                | UTC              | 2026-05-01T00:00:00Z
2026-05-01                | America/New_York | 2026-05-01T04:00:00Z
2026-05-01                | Asia/Kolkata     | 2026-04-30T18:30:00Z
2026-05-01                | +03:00           | 2026-04-30T21:00:00Z
2026-05-01T10:20:30Z      | Europe/Kyiv      | 2026-05-01T10:20:30Z
2026-05-01t10:20:30.1234z | UTC              | 2026-05-01T10:20:30.123Z
2026-05-01T10:20:30-02:30 | UTC              | 2026-05-01T12:50:30Z
2026-05-01T10:20          | UTC              | 2026-05-01T10:20:00Z
2026-05-01 10:20          | Europe/Kyiv      | 2026-05-01T07:20:00Z
2026-03-08 02:30          | America/New_York | 2026-03-08T07:30:00Z
2026-11-01 12:00          | America/New_York | 2026-11-01T17:00:00Z
90m                       | UTC              | 2026-05-31T10:30:00Z
90 minutes                | UTC              | 2026-05-31T10:30:00Z
3h                        | UTC              | 2026-05-31T09:00:00Z
3 hrs ago                 | UTC              | 2026-05-31T09:00:00Z
an hour ago               | UTC              | 2026-05-31T11:00:00Z
24H                       | UTC              | 2026-05-30T12:00:00Z
7d                        | UTC              | 2026-05-24T12:00:00Z
2 days ago                | UTC              | 2026-05-29T12:00:00Z
2 days ago                | Asia/Tokyo       | 2026-05-29T12:00:00Z
2-days-ago                | UTC              | 2026-05-29T12:00:00Z
last 7 days               | UTC              | 2026-05-24T12:00:00Z
the past 24 hours         | UTC              | 2026-05-30T12:00:00Z
2w                        | UTC              | 2026-05-17T12:00:00Z
a week ago                | UTC              | 2026-05-24T12:00:00Z
1 month ago               | UTC              | 2026-04-30T12:00:00Z
3 months ago              | UTC              | 2026-02-28T12:00:00Z
1 year ago                | UTC              | 2025-05-31T12:00:00Z
now                       | UTC              | 2026-05-31T12:00:00Z
today                     | UTC              | 2026-05-31T00:00:00Z
today                     | Pacific/Auckland | 2026-05-31T12:00:00Z
today                     | America/New_York | 2026-05-31T04:00:00Z
Today                     | Europe/Kyiv      | 2026-05-30T21:00:00Z
yesterday                 | UTC              | 2026-05-30T00:00:00Z
yesterday                 | Asia/Kolkata     | 2026-05-29T18:30:00Z
yesterday 18:00           | UTC              | 2026-05-30T18:00:00Z
yesterday at 9:30         | Europe/Kyiv      | 2026-05-30T06:30:00Z
monday                    | UTC              | 2026-05-25T00:00:00Z
monday                    | Pacific/Auckland | 2026-05-31T12:00:00Z
last monday               | Pacific/Auckland | 2026-05-24T12:00:00Z
sunday                    | UTC              | 2026-05-31T00:00:00Z
last sunday               | UTC              | 2026-05-24T00:00:00Z
saturday                  | UTC              | 2026-05-30T00:00:00Z
fri                       | UTC              | 2026-05-29T00:00:00Z
wednesday 08:15           | UTC              | 2026-05-27T08:15:00Z
this hour                 | Asia/Kolkata     | 2026-05-31T11:30:00Z
this week                 | UTC              | 2026-05-25T00:00:00Z
this week                 | Pacific/Auckland | 2026-05-31T12:00:00Z
this_week                 | UTC              | 2026-05-25T00:00:00Z
last week                 | UTC              | 2026-05-18T00:00:00Z
past week                 | UTC              | 2026-05-24T12:00:00Z
this month                | UTC              | 2026-05-01T00:00:00Z
this month                | Pacific/Auckland | 2026-05-31T12:00:00Z
last month                | UTC              | 2026-04-01T00:00:00Z
this year                 | UTC              | 2026-01-01T00:00:00Z
`

suite('a time in words', () => {
  for (const line of TABLE.trim().split('\n')) {
    const [text, zone, moment] = line.split('|').map((part) => part.trim())
    test(`${text} in ${zone} is ${moment}`, () => assert.equal(read(text!, zone), moment))
  }

  test('is computed across the ends of days, months and years', () => {
    const newYear = Date.UTC(2026, 0, 1, 0, 30)
    assert.equal(read('yesterday', 'UTC', newYear), '2025-12-31T00:00:00Z')
    assert.equal(read('last month', 'UTC', newYear), '2025-12-01T00:00:00Z')
    assert.equal(read('today', 'America/New_York', newYear), '2025-12-31T05:00:00Z')
    assert.equal(read('1 month ago', 'UTC', Date.UTC(2024, 2, 31)), '2024-02-29T00:00:00Z')
  })

  test('respects days on which the clocks change', () => {
    const day = Date.UTC(2026, 2, 29, 12)
    assert.equal(read('today', 'Europe/Kyiv', day), '2026-03-28T22:00:00Z')
    assert.equal(read('today', 'Europe/Kyiv', day + 86_400_000), '2026-03-29T21:00:00Z')
  })
})

test('text that is no time is rejected', () => {
  const refused = `|x|7|7y old|hour|last days|someday|mondays|last yesterday|today 25:00|yesterday 18|tomorrow|2026-13-01
    |2026-02-29|2026-05-01T25:00:00Z|2026-05-01T10:00:00+25:00|0001-01-01|9999999d|999999y|999999 months ago
    |300000 years ago|999999w`
  for (const text of refused.split('|'))
    for (const zone of ['UTC', 'Europe/Kyiv'])
      assert.equal(parseInstant(text.trim(), NOW, zone), undefined, text)
})

test('the most likely meaning is suggested for a time that cannot be parsed', () => {
  const meant: Readonly<Record<string, string>> = {
    '31.05.2026': '2026-05-31',
    '2026/5/3': '2026-05-03',
    '31 May': '2026-05-31',
    'June 1': '2025-06-01',
    'May 3, 2024': '2024-05-03',
    '2025': '2025-01-01',
    '2026-05': '2026-05-01',
    'Nov 2025': '2025-11-01',
    yesteday: 'yesterday',
    'thsi week': 'this week',
    '7 dayz': '7d',
    'last 3 mo': '3 months ago',
    '1780000000': '2026-05-28T20:26:40.000Z',
  }
  for (const [text, suggestion] of Object.entries(meant)) {
    assert.equal(read(text), undefined, text)
    assert.equal(nearestInstant(text, NOW), suggestion, text)
    assert.notEqual(read(suggestion), undefined, suggestion)
  }
  for (const text of ['when it snowed', '300000 years ago', '2000 yrs', 'tomorrow', '2026-13-01'])
    assert.equal(nearestInstant(text, NOW), undefined, text)
})
