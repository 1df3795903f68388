import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from '../../../test/fast-check.ts'
import { processorMs, yardstickMs } from '../../../test/processor-time.ts'
import { AppError } from '../../model/errors.ts'
import { explainQuery, printQuery } from './print-query.ts'
import { readQuery } from './read-query.ts'

const read = (q: string) => readQuery(q, { now: Date.UTC(2026, 4, 31, 12) })

describe('a query that cannot be repaired is read as its words', () => {
  for (const [q, printed] of [
    [`flood ${')'.repeat(60)}`, 'flood'],
    [`flood ${'OR '.repeat(60)}bridge`, 'flood bridge'],
    [`flood ${'||'.repeat(60)} bridge`, 'flood bridge'],
    [`flood ${'-(OR '.repeat(2000)}`, 'flood'],
  ] as const) {
    test(q.slice(0, 20), () => {
      const { root, repair } = read(q)
      assert.equal(printQuery(root), printed)
      assert.equal(repair?.read, printed)
    })
  }

  test('invalid operator values, and nothing but punctuation, stay errors', () => {
    for (const q of ['has:elephants', '()', '"" ||']) assert.throws(() => read(q), AppError, q)
  })
})

test('a quoted cell of a CSV table is read as its content', () => {
  const { root, repair } = read('"Comment recycler le ""non recyclable"" ?"')
  assert.equal(printQuery(root), 'Comment recycler le “non recyclable”')
  assert.equal(repair?.read, 'Comment recycler le "non recyclable" ?')
  const cells = {
    '""Three years"": he was asked to leave power': '“Three years” he was asked to leave power',
    'They name it d\'""Eco"" and keep the coin': 'They name it d “Eco” and keep the coin',
    'Sank Pay,"" a product of the land and cheaper""':
      'Sank Pay “a product of the land and cheaper”',
    '""one phrase""': '“one phrase”',
    'ADHD: women ""mask\' symptoms but more are coming':
      'ADHD women mask symptoms but more are coming',
    '""God alone can""the president of Brazil': '“God alone can” the president of Brazil',
    'Bomoi asepeli mpo ""urgence mondiale""': 'Bomoi asepeli mpo “urgence mondiale”',
  }
  for (const [cell, printed] of Object.entries(cells)) {
    assert.equal(printQuery(read(`"${cell}"`).root), printed)
  }
  for (const q of ['"one phrase"', '"one""two"', '"one" "two"', '"" "two"', '"one""two""three"']) {
    assert.doesNotMatch(read(q).repair?.problem ?? '', /table/, q)
  }
})

describe('running text is read as text', () => {
  const TEXTS: readonly (readonly [q: string, printed: string])[] = [
    ['Biden: "We will not walk away" from talks', 'Biden “We will not walk away” from talks'],
    ['Зеленский: "мы не уступим"', 'Зеленский “мы не уступим”'],
    ['ኣሲድ ሰላማዊት፡ "ሕዚ ምፍርራሓት ይበጽሐኒ"', 'ኣሲድ ሰላማዊት “ሕዚ ምፍርራሓት ይበጽሐኒ”'],
    ['"Мы готовы к диалогу" - Песков', '“Мы готовы к диалогу” Песков'],
    ['"Мы готовы к диалогу", заявил Песков', '“Мы готовы к диалогу” заявил Песков'],
    ['Comment recycler le "non recyclable" ?', 'Comment recycler le “non recyclable”'],
    ['Frost of -22°C in the north of the country', 'Frost of 22°C in the north of the country'],
    [
      'Drones hit the port, officials say | Harbour News',
      'Drones hit the port officials say Harbour News',
    ],
    [
      '"The states must help the people hit by the flood"',
      '“The states must help the people hit by the flood”',
    ],
    ['"Serving is an honour"- the new mayor', '“Serving is an honour” the new mayor'],
    ['इसमें धीरे -धीरे काम करें।', 'इसमें धीरे धीरे काम करें'],
    ['*Breaking* news from the front line today', 'Breaking news from the front line today'],
    ['From: Bob to Alice, a letter', 'From Bob to Alice a letter'],
    ['We are so happy about the new park :)', 'We are so happy about the new park'],
    [
      'They are NOT stopping, and they will NOT close the bridge',
      'They are not stopping and they will not close the bridge',
    ],
    [
      'It was a long day for the team -they lost again in the end',
      'It was a long day for the team they lost again in the end',
    ],
    [
      '中国国家主席说"我们不会放弃"并且表示将继续谈判',
      '中国国家主席说 “我们不会放弃” 并且表示将继续谈判',
    ],
  ]
  for (const [q, printed] of TEXTS) {
    test(q, () => {
      const { root, kind, repair } = read(q)
      assert.deepEqual([kind, repair, printQuery(root)], ['text', null, printed])
    })
  }

  test('its tags, mentions, addresses and emoji are optional', () => {
    const { root } = read('Read this about @durov and #bridges https://example.com/a 🔥')
    const { and } = explainQuery(root) as { and: readonly object[] }
    assert.deepEqual(
      and.filter((node) => 'wanted' in node),
      [
        { wanted: { mention: 'durov' } },
        { wanted: { hashtag: 'bridges' } },
        { wanted: { url: 'https://example.com/a' } },
        { wanted: { word: '🔥' } },
      ],
    )
  })
})

describe('an obvious mistake is corrected and reported', () => {
  for (const [q, printed] of [
    ['lang:ua snow', 'lang:uk snow'],
    ['has:videos', 'has:video'],
    ['has:image Iran', 'has:photo Iran'],
    ['is:forwarded Iran', 'is:forward Iran'],
    ['is:replies,forwards Iran', '(is:reply OR is:forward) Iran'],
    ['-15°C', '15°C'],
    ['−5', '5'],
    ['intitle:Iran', 'Iran'],
    ['Iran sort:newest', 'Iran'],
    ['Iran min_reactions:5k', 'Iran'],
    ['order:desc Iran snow', 'Iran snow'],
  ] as const) {
    test(q, () => {
      const { root, repair } = read(q)
      assert.equal(printQuery(root), printed)
      assert.ok(repair)
    })
  }

  test('sort:, min_reactions: and min_subscribers: are reported to be parameters', () => {
    assert.match(read('Iran sort:newest').repair!.problem, /parameter sort is/)
    assert.match(
      read('min-subscribers:1000 Iran').repair!.problem,
      /found "min-subscribers:", the parameter min_subscribers is given beside the query/,
    )
    assert.equal(printQuery(read('min_reactions:some').root), 'min_reactions:some')
  })

  test('values that are merely similar stay errors, and words stay words', () => {
    for (const q of ['has:elephants', 'lang:rusian x', '-snow']) assert.throws(() => read(q), q)
    assert.equal(printQuery(read('sort:of').root), 'sort:of')
  })
})

describe('a query with deliberate operators keeps its meaning', () => {
  for (const q of [
    '"supreme court" ruling',
    '"supreme court" ruling abortion texas',
    '"we will not walk away"',
    '"to be or not to be"',
    '#news kyiv',
    '@durov birthday',
    '🔥 sale',
    'apple -pie',
    '-Russia war in Ukraine',
    '-russia news of the war in ukraine',
    '-Bitcoin crypto news and prices for today',
    '-Fußball Nachrichten aus Berlin und Hamburg heute',
    '-Trump "white house" press briefing on Iran today',
    'bitcoin price today news -scam -ads',
    'what did the president say about sanctions in the north -rumour',
    'gas | oil price',
    '(gas | oil) price of today in the north',
    'kyiv OR kiev power outage in the city',
    '=meetings of the board',
    'crypto* market crash in the city',
    'what do they say about the "new law" from:durov',
    'https://example.com/a',
  ]) {
    test(q, () => assert.equal(read(q).kind, 'operators'))
  }

  test('mere words give the same query either way', () => {
    assert.equal(read('when will the power be back in quarry district?').kind, 'operators')
  })
})

describe('a malformed query is repaired', () => {
  for (const [q, expected] of [
    ['x "two words', 'x two words'],
    ['chess (queen', 'chess (queen)'],
    ['chess queen)', 'chess queen'],
    ['hello OR', 'hello'],
    ['ab*', 'ab'],
    ['#hea*', 'hea*'],
    ['form:durov x', 'from:durov x'],
    ['from: durov', 'from:durov'],
    [`(${'('.repeat(9)}a${')'.repeat(10)}`, 'a'],
    ['a '.repeat(70), 'a '.repeat(64).trim()],
    [`"${'a '.repeat(70)}"`, 'a '.repeat(64).trim()],
    ['😀'.repeat(100), '😀'.repeat(64)],
    [`${'word '.repeat(200)}`, 'word '.repeat(64).trim()],
    ['a'.repeat(600), 'a'.repeat(512)],
  ] as const) {
    test(`${q.slice(0, 20)} as ${expected.slice(0, 20)}`, () => {
      const { repair } = read(q)
      assert.equal(repair?.read, expected)
      assert.match(repair.problem, /^expected .+, found /)
    })
  }

  for (const q of [
    'has:elephants climate summit',
    'after:someday x',
    '-spam',
    '?!',
    'lang:xx1 a',
  ]) {
    test(`but not ${q}, whose meaning only the author knows`, () => {
      assert.throws(() => read(q), AppError)
    })
  }

  test('or rejected with an AppError, whatever is typed', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '"',
        '“',
        '«',
        '(',
        ')',
        '|',
        '-',
        '*',
        '=',
        '#',
        '@',
        ' ',
        ' ',
        ': ',
        'OR',
        'NOT',
      ),
      fc.constantFrom('the', 'Bob', 'в', 'http://a.b/', '😀', '字', 'from', '12'),
      fc.string({ unit: 'binary', maxLength: 4 }),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 300 }), (pieces) => {
        try {
          read(pieces.join(''))
        } catch (error) {
          assert.ok(error instanceof AppError, String(error))
        }
      }),
      { numRuns: 300 },
    )
  })
})

test('the time to read a repetitive query is bounded, whatever is repeated', () => {
  const SIGNS = ['a', '-', '"', ' ', '(', ')', '|', '*', '#', '@', ':', '=', '.', ',', '/', "'"]
  const sentence = 'The quick brown fox jumps over the lazy dog, and then '
  const queries = SIGNS.flatMap((first) =>
    SIGNS.flatMap((second) => ['', 'a', '"'].map((third) => (first + second + third).repeat(60))),
  ).flatMap((many) => [`${many} b`, `${sentence}${many} b`])
  const readAll = () => {
    for (const q of queries) {
      try {
        read(q)
      } catch (error) {
        assert.ok(error instanceof AppError, q)
      }
    }
  }
  // At most some milliseconds each; if a piece could match in two ways, one query would take longer than the universe is old.
  assert.ok(processorMs(readAll) < queries.length * 20 * Math.max(1, yardstickMs()))
})
