import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from '../../../test/fast-check.ts'
import { AppError } from '../../model/errors.ts'
import { HAS_VALUES, IS_VALUES, type QueryNode } from '../../model/query.ts'
import { parseQuery, type ParseQueryOptions } from './parse-query.ts'
import { explainQuery, printQuery } from './print-query.ts'
import { QUERY_OPERATORS } from './query-operators.ts'

const NOW = Date.UTC(2026, 4, 31, 12)
const DAY = 86_400_000

function explain(q: string, options: Partial<ParseQueryOptions> = {}) {
  return explainQuery(parseQuery(q, { now: NOW, ...options }))
}

function problem(q: string, options: Partial<ParseQueryOptions> = {}) {
  try {
    parseQuery(q, { now: NOW, ...options })
  } catch (error) {
    assert.ok(error instanceof AppError, String(error))
    assert.equal(error.code, 'invalid_query')
    const item = error.errors[0]!
    if (item.suggestion !== undefined) parseQuery(item.suggestion, { now: NOW, ...options })
    return { position: item.position, suggestion: item.suggestion, detail: item.detail }
  }
  return assert.fail(`${q} was read`)
}

const w = (word: string) => ({ word })

test('days in a query start in the requested time zone', () => {
  assert.deepEqual(explain('after:today', { zone: 'Europe/Kyiv' }), {
    after: '2026-05-30T21:00:00.000Z',
  })
})

describe('query language', () => {
  const READS: [string, unknown][] = [
    ['climate summit', { and: [w('climate'), w('summit')] }],
    ['a b OR c', { or: [{ and: [w('a'), w('b')] }, w('c')] }],
    ['a|b || c', { or: [w('a'), w('b'), w('c')] }],
    ['a (b OR c)', { and: [w('a'), { or: [w('b'), w('c')] }] }],
    ['a AND b', { and: [w('a'), w('b')] }],
    ['rise or fall not war', { and: ['rise', 'or', 'fall', 'not', 'war'].map(w) }],
    ['a -b NOT c', { and: [w('a'), { not: w('b') }, { not: w('c') }] }],
    ['a -(b c)', { and: [w('a'), { not: { and: [w('b'), w('c')] } }] }],
    ['NOT -a', w('a')],
    ['(((a)) ()) b', { and: [w('a'), w('b')] }],
    [
      '"supreme  court" =Meetings crypt*',
      { and: [{ phrase: 'supreme court' }, { exact: 'Meetings' }, { prefix: 'crypt' }] },
    ],
    [
      '#Новости @Durov $ton',
      { and: [{ hashtag: 'новости' }, { mention: 'durov' }, { cashtag: 'ton' }] },
    ],
    // Posts give no term to a ticker of one letter: as one it would find nothing.
    ['$F earnings', { and: [w('F'), w('earnings')] }],
    ['from:@Durov', { channel: 'durov' }],
    ['channel:t.me/s/durov', { channel: 'durov' }],
    ['FROM:durov -lang:pt-BR', { and: [{ channel: 'durov' }, { not: { lang: 'pt' } }] }],
    ['lang:ru,uk', { or: [{ lang: 'ru' }, { lang: 'uk' }] }],
    ['lang:English,українська', { or: [{ lang: 'en' }, { lang: 'uk' }] }],
    ['has:photo,link', { and: [{ has: 'photo' }, { has: 'link' }] }],
    [
      'is:forward domain:https://www.BBC.com/x',
      { and: [{ is: 'forward' }, { domain: 'bbc.com' }] },
    ],
    [
      'domain:пример.рф url:WWW.example.com/a/?utm_source=x#top',
      { and: [{ domain: 'xn--e1afmkfd.xn--p1ai' }, { url: 'https://example.com/a' }] },
    ],
    ['after:24h', { after: new Date(NOW - DAY).toISOString() }],
    ['before:2026-05-01', { before: '2026-05-01T00:00:00.000Z' }],
    ['after:2026-05-01T03:00:00+03:00', { after: '2026-05-01T00:00:00.000Z' }],
    ['after:yesterday', { after: '2026-05-30T00:00:00.000Z' }],
    ['since:"2 days ago"', { after: '2026-05-29T12:00:00.000Z' }],
    ['snow after:2 days ago', { and: [w('snow'), { after: '2026-05-29T12:00:00.000Z' }] }],
    ['after:last 7 days, snow', { and: [{ after: '2026-05-24T12:00:00.000Z' }, w('snow')] }],
    ['after:monday market', { and: [{ after: '2026-05-25T00:00:00.000Z' }, w('market')] }],
    ['after:today at last', { and: [{ after: '2026-05-31T00:00:00.000Z' }, w('at'), w('last')] }],
    ['after:yesterday 18:00', { after: '2026-05-30T18:00:00.000Z' }],
    ['monday last week today 3h', { and: ['monday', 'last', 'week', 'today', '3h'].map(w) }],
    ['-after:2026-05-01', { before: '2026-05-01T00:00:00.000Z' }],
    ['x -min_views:1.5K', { and: [w('x'), { not: { min_views: 1500 } }] }],
    [
      'since:7d until:1d',
      { and: [{ after: '2026-05-24T12:00:00.000Z' }, { before: '2026-05-30T12:00:00.000Z' }] },
    ],
  ]
  for (const [q, tree] of READS) test(q, () => assert.deepEqual(explain(q), tree))

  test('property names that every object has are ordinary words', () => {
    const names = Object.getOwnPropertyNames(Object.prototype)
    assert.ok(names.includes('constructor') && names.includes('__proto__'))
    for (const name of names) {
      assert.deepEqual(explain(`${name} a`), { and: [w(name), w('a')] })
    }
  })
})

describe('pasted text', () => {
  const READS: [string, unknown][] = [
    [
      '“two words” «Союз-2» „drei“',
      { and: [{ quote: 'two words' }, { quote: 'Союз-2' }, { quote: 'drei' }] },
    ],
    ['＂two words＂ „vier"', { and: [{ phrase: 'two words' }, { quote: 'vier' }] }],
    ['who made « Titanic "II" »?', { and: [w('who'), w('made'), { quote: 'Titanic II' }] }],
    ['Titanic» -“a b”', { and: [w('Titanic'), { not: { quote: 'a b' } }] }],
    ['from：durov （gas｜oil）', { and: [{ channel: 'durov' }, { or: [w('gas'), w('oil')] }] }],
    [
      'What did he say about 12:30, really?',
      { and: ['What', 'did', 'he', 'say', 'about', '12:30', 'really'].map(w) },
    ],
    [
      're:invent foo:bar note:well C:\\x tag:1',
      { and: ['re:invent', 'foo:bar', 'note:well', 'C:\\x', 'tag:1'].map(w) },
    ],
    [
      'see https://example.com/A_(b)?c=1, ok',
      { and: [w('see'), { url: 'https://example.com/A_(b)?c=1' }, w('ok')] },
    ],
    ['(t.me/durov/342)', { url: 'https://t.me/durov/342' }],
    ['https://T.me/AltavozLibre', { mention: 'altavozlibre' }],
    ['t.me/s/durov', { mention: 'durov' }],
    ['snow telegram.me/durov', { and: [w('snow'), { mention: 'durov' }] }],
    ['https://nypost.com', { domain: 'nypost.com' }],
    ['www.telesurtv.net/', { domain: 'telesurtv.net' }],
    ['nypost.com', w('nypost.com')],
    ['nypost.com/a/b-c/?utm_source=x', { url: 'https://nypost.com/a/b-c' }],
    [
      'youtube.com/watch?v=ID -x',
      { and: [{ url: 'https://youtube.com/watch?v=ID' }, { not: w('x') }] },
    ],
    ['and/or AC/DC 1.5/2', { and: [w('and/or'), w('AC/DC'), w('1.5/2')] }],
    [
      'c++ c# AT&T 1,000.5 me@example.com',
      { and: ['c++', 'c#', 'AT&T', '1,000.5', 'me@example.com'].map(w) },
    ],
    ['news - today — --force', { and: ['news', 'today', 'force'].map(w) }],
    ['צה"ל "צה"ל הודיע"', { and: [w('צה"ל'), { phrase: 'צה"ל הודיע' }] }],
    ['می‌خواهم #ایران_امروز', { and: [w('می‌خواهم'), { hashtag: 'ایران_امروز' }] }],
    ['北京，上海。', { and: [w('北京'), w('上海')] }],
    ['🔥 🇺🇦', { and: [w('🔥'), w('🇺🇦')] }],
    ['\u200ffrom:durov\u202e \ud800 x\u0000y', { and: [{ channel: 'durov' }, w('x'), w('y')] }],
    ["@durov's #a1-b #1", { and: [{ mention: 'durov' }, { hashtag: 'a1' }, w('b'), w('1')] }],
  ]
  for (const [q, tree] of READS) test(JSON.stringify(q), () => assert.deepEqual(explain(q), tree))
})

describe('a query that cannot be parsed', () => {
  const REFUSED: [string, number, string | undefined][] = [
    ['foo OR', 4, 'foo'],
    ['OR foo', 0, 'foo'],
    ['OR', 0, '"OR"'],
    ['a (b OR) c', 5, 'a (b ) c'],
    ['a NOT', 2, 'a'],
    ['(a b', 0, '(a b)'],
    ['a b)', 3, 'a b'],
    ['x "two words', 2, 'x "two words"'],
    ['ab*', 0, 'ab'],
    ['=weath*', 6, 'weath*'],
    ['a #hea*', 6, 'a hea*'],
    ['@show* b', 5, 'show* b'],
    ['$TO*', 3, 'TO'],
    ['-spam', 0, 'after:7d -spam'],
    ['foo OR -bar', 7, 'after:7d (foo OR -bar)'],
    ['form:durov x', 0, 'from:durov x'],
    ['langs:ru', 0, 'lang:ru'],
    ['min-views:10', 0, 'min_views:10'],
    ['type:photo', 0, 'has:photo'],
    ['a hashtag:Новости', 2, 'a #Новости'],
    ['-tag:#news b', 1, '-#news b'],
    ['mention:@durov', 0, '@durov'],
    ['ticker:TON', 0, '$TON'],
    ['from: durov', 5, 'from:durov'],
    ['from:дуров', 5, 'дуров'],
    ['lang:eng', 5, 'lang:en'],
    ['lang:deu,ru', 5, 'lang:de,ru'],
    ['has:photos x', 4, 'has:photo x'],
    ['has:foto x', 4, 'has:photo x'],
    ['is:forwarded', 3, 'is:forward'],
    ['after:31.05.2026', 6, 'after:2026-05-31'],
    ['after:2026-02-30', 6, 'after:7d'],
    ['after:Yesteday', 6, 'after:yesterday'],
    ['after:tomorrow', 6, 'after:7d'],
    ['before:constructor', 7, 'before:7d'],
    ['after:__proto__', 6, 'after:7d'],
    ['min_views:many', 10, 'min_views:1000'],
    ['(a after:7d) OR b', 3, '(a OR b) after:7d'],
    ['a -(b min_views:9)', 6, 'a -b min_views:9'],
    ['', 0, undefined],
    ['?!', 0, undefined],
  ]
  for (const [q, position, suggestion] of REFUSED) {
    test(JSON.stringify(q), () => {
      const { detail, ...where } = problem(q)
      assert.deepEqual(where, { position, suggestion })
      assert.match(detail, /^expected .+, found /)
    })
  }

  test('negations alone are accepted if there is a filter', () => {
    assert.deepEqual(explain('-spam', { hasFilters: true }), { not: w('spam') })
  })

  test('64 terms are accepted, and the 65th is rejected at its position', () => {
    assert.equal(printQuery(parseQuery('w '.repeat(64), { now: NOW })).length, 127)
    assert.equal(problem('w '.repeat(65)).position, 128)
    assert.match(problem(`"${'w '.repeat(65)}"`).detail, /64 terms/)
  })

  test('512 characters are accepted, and more are rejected', () => {
    parseQuery('я'.repeat(512), { now: NOW })
    assert.equal(parseQuery(`"${'字'.repeat(510)}"`, { now: NOW }).kind, 'phrase')
    const { position, suggestion } = problem(`${'😀 '.repeat(20)}${'word'.repeat(130)}`)
    assert.equal(position, 532)
    assert.equal(suggestion, '😀 '.repeat(20).trim())
  })

  test('eight nested groups are accepted, and the ninth is rejected at its position', () => {
    const nested = (depth: number) => '(a '.repeat(depth) + ')'.repeat(depth)
    parseQuery(nested(8), { now: NOW })
    assert.deepEqual(problem(nested(9)).position, 24)
  })
})

/** Trees as the parser makes them: flat, no double negation, bounds at the top. */
function trees(): fc.Arbitrary<QueryNode> {
  const at = { start: 0, end: 0 } as const
  const letters = fc.stringMatching(/^[a-zа-яەअ字]{3,8}$/)
  const leaf = fc.oneof<fc.Arbitrary<QueryNode>[]>(
    fc
      .record({
        kind: fc.constantFrom('word' as const, 'exact' as const, 'prefix' as const),
        text: letters,
      })
      .map((n) => ({ ...n, ...at })),
    fc
      .array(letters, { minLength: 1, maxLength: 3 })
      .chain((words) =>
        fc.record({
          kind: fc.constantFrom('phrase' as const, 'quote' as const),
          text: fc.constant(words.join(' ')),
        }),
      )
      .map((n) => ({ ...n, ...at })),
    fc.record({ kind: fc.constant('hashtag'), value: letters }).map((n) => ({ ...n, ...at })),
    fc
      .constantFrom('mention', 'channel', 'cashtag')
      .map((kind) => ({ kind, value: 'durov', ...at })),
    fc.constantFrom('ru', 'ckb').map((value) => ({ kind: 'lang', value, ...at })),
    fc.constantFrom(...HAS_VALUES).map((value) => ({ kind: 'has', value, ...at })),
    fc.constantFrom(...IS_VALUES).map((value) => ({ kind: 'is', value, ...at })),
    fc.constant({ kind: 'domain', value: 'xn--e1afmkfd.xn--p1ai', ...at }),
    fc.constant({ kind: 'url', value: 'https://t.me/a_(b),|c?q=x%22', ...at }),
  )
  const { tree } = fc.letrec<{ tree: QueryNode; not: QueryNode; and: QueryNode; or: QueryNode }>(
    (tie) => ({
      tree: fc.oneof({ maxDepth: 4 }, leaf, leaf, tie('not'), tie('and'), tie('or')),
      not: fc
        .oneof({ maxDepth: 4 }, leaf, tie('and'), tie('or'))
        .map((node) => ({ kind: 'not', node })),
      and: fc
        .array(fc.oneof({ maxDepth: 4 }, leaf, tie('not'), tie('or')), {
          minLength: 2,
          maxLength: 3,
        })
        .map((nodes) => ({ kind: 'and', nodes })),
      or: fc
        .array(fc.oneof({ maxDepth: 4 }, leaf, tie('not'), tie('and')), {
          minLength: 2,
          maxLength: 3,
        })
        .map((nodes) => ({ kind: 'or', nodes })),
    }),
  )
  return tree
}

describe('printing', () => {
  test('a printed query parses back to the same tree', () => {
    fc.assert(
      fc.property(trees(), (tree) => {
        const printed = printQuery(tree)
        fc.pre(printed.length <= 512)
        const read = parseQuery(printed, { now: NOW, hasFilters: true })
        assert.deepEqual(explainQuery(read), explainQuery(tree))
      }),
      { numRuns: 500 },
    )
  })

  test('any string is parsed or rejected at a valid position, and parses the same once printed', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        'OR',
        'AND',
        'NOT',
        '(',
        ')',
        '"',
        '«',
        '»',
        '“',
        '”',
        '-',
        '=',
        '*',
        '|',
        '#',
        '@',
        '$',
        ':',
        ',',
        '.',
        "'",
      ),
      fc.constantFrom(
        'from:',
        'lang:',
        'has:',
        'after:',
        'url:',
        'min_views:',
        'hashtag:',
        'https://',
        't.me/',
        '7d',
        'ru',
        'photo',
      ),
      fc.constantFrom(
        ' ',
        ' ',
        ' ',
        '\u200f',
        '\u200c',
        '\ud83d',
        'צה"ל',
        '😀',
        '字',
        '１',
        'ａ',
        'c++',
      ),
      fc.string({ unit: 'binary', maxLength: 4 }),
      fc.stringMatching(/^[a-z]{1,6}$/),
    )
    const query = fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(query, (q) => {
        const options = { now: NOW, hasFilters: true }
        let tree: QueryNode
        try {
          tree = parseQuery(q, options)
        } catch (error) {
          assert.ok(error instanceof AppError, String(error))
          const { position, suggestion } = error.errors[0]!
          assert.ok(position! >= 0 && position! <= q.length)
          if (suggestion !== undefined) parseQuery(suggestion, options)
          return
        }
        const printed = printQuery(tree)
        assert.deepEqual(explainQuery(parseQuery(printed, options)), explainQuery(tree), printed)
      }),
      { numRuns: 2000, examples: [['@字t.me/a']] },
    )
  })

  test('leaves carry their positions in the string', () => {
    const q = 'x \u200f -"two words"  from:durov'
    const tree = parseQuery(q, { now: NOW })
    assert.ok(tree.kind === 'and')
    const leaves = tree.nodes.map((node) => (node.kind === 'not' ? node.node : node))
    const shown = leaves.map((leaf) => ('start' in leaf ? q.slice(leaf.start, leaf.end) : ''))
    assert.deepEqual(shown, ['x', '"two words"', 'from:durov'])
  })
})

test('every example in the table of operators can be parsed', () => {
  for (const { example } of QUERY_OPERATORS) parseQuery(example, { now: NOW })
})
