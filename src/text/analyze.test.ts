/* oxlint-disable no-misleading-character-class, no-control-regex -- the classes name code points, not what they look like */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from '../../test/fast-check.ts'
import { analyze } from './analyze.ts'
import { analyzeQueryWord } from './analyze-query.ts'
import { TERM_UNITS } from './fold.ts'
import { foldTag } from './scan-entity.ts'
import { languageOfStem } from './stem/stem.ts'
import { APOSTROPHES } from './characters.ts'
import { assertGrowsByLength } from '../../test/processor-time.ts'

const toks = (text: string, language: string | null = null) =>
  analyze(text, language).tokens.map((token) => token.tok)
const stems = (text: string, language: string | null) =>
  analyze(text, language).tokens.map((token) => token.stem)
const entities = (text: string) => analyze(text, null).entities.map((entity) => entity.term)

describe('words', () => {
  const golden: readonly (readonly [string, string | null, string])[] = [
    ['Ёлки-палки, й и ї!', 'ru', 'елки палки й и ї'],
    ["м'ята об’єднання", 'uk', 'мята обєднання'],
    ['Größe STRASSE Ærø', 'de', 'grosse strasse aero'],
    ["l'homme qu'il aujourd’hui", 'fr', 'homme il aujourdhui'],
    ["Türkiye'de IĞDIR", 'tr', 'turkiye igdir'],
    ["don't Trump’s o'clock rock'n'roll 'quoted'", 'en', 'dont trump oclock rocknroll quoted'],
    ['می‌خواهم كتاب‌هاي دانش‌آموز', 'fa', 'میخواهم کتابهای دانش اموز'],
    ['אַבְרָהָם צה"ל תל־אביב', 'he', 'אברהמ צהל תל אביב'],
    ['हिन्दी क़लम १२', 'hi', 'हिंदी कलम 12'],
    ['臺灣 と ｶﾞｽ', 'zh', '台湾 湾 と ガス ス'],
    ['한국 \u1112\u1161\u11ab\u1100\u116e\u11a8', 'ko', '한국 국 한국 국'],
    ['ไปโรงเรียน', 'th', 'ไป โรงเรียน'],
    ['1,000,000 и 3.14, 12,5 и 1,2345', 'ru', '1000000 и 3 14 12 5 и 1 2345'],
    ['snake_case x²', 'en', 'snake case x2'],
    ['C\u0327a va e\u0301te\u0301', 'fr', 'ca va ete'],
    ['z\u0301\u0302\u0303\u0304algo', 'en', 'zalgo'],
    ['zero\u200bwidth soft\u00adhyphen', 'en', 'zerowidth softhyphen'],
    ['Пpивет cказал', 'ru', 'привет сказал'],
    ['iPhone15 и Wi‑Fi', 'ru', 'iphone15 и wi fi'],
  ]
  for (const [text, language, expected] of golden) {
    test(text, () => assert.equal(toks(text, language).join(' '), expected))
  }

  test('offsets point at the original spelling', () => {
    const text = '🔥 Ёлки и 𝐁𝐓𝐂, می‌خواهم 臺灣'
    const shown = analyze(text, 'ru').tokens.map(({ start, end }) => text.slice(start, end))
    assert.deepEqual(shown, ['Ёлки', 'и', '𝐁𝐓𝐂', 'می‌خواهم', '臺灣', '灣'])
  })

  test('a stem names its stemmer, and a word in a foreign script gets a stemmer of that script', () => {
    assert.deepEqual(stems('новости running їжаки 2024', 'ru'), [
      'новост/ru',
      'run/en',
      'їжак/uk',
      '2024',
    ])
    assert.equal(languageOfStem('run/en'), 'en')
    assert.equal(languageOfStem('2024'), undefined)
  })

  test('a language without a stemmer leaves words of its script unstemmed', () => {
    assert.deepEqual(stems('phones вести', 'vi'), ['phones', 'вест/ru'])
  })

  test('if the language is unknown, the most common stemmer of the script is used', () => {
    assert.deepEqual(stems('cities', null), ['citi/en'])
    assert.deepEqual(stems('вести', null), ['вест/ru'])
  })
})

describe('entities', () => {
  test('hashtags, tickers, mentions, sites and emoji are terms of their own', () => {
    assert.deepEqual(
      entities('#Новости_Дня $BTC @Rian_Ru https://www.Example.com/a?b t.me/s/durov/1 👍🏽❤️🇺🇦👨‍👩‍👧'),
      [
        '#новости_дня',
        '$btc',
        '@rian_ru',
        'site:example.com',
        'site:t.me',
        '@durov',
        'emoji:1f44d',
        'emoji:2764',
        'emoji:1f1fa-1f1e6',
        'emoji:1f468-1f469-1f467',
      ],
    )
  })

  test('the words of entities are indexed too, but of an address only its host', () => {
    assert.equal(
      toks('#Новости_Дня https://www.example.com/some-path?q=1').join(' '),
      'новости дня example com',
    )
  })

  test('text that only resembles an entity is none', () => {
    assert.deepEqual(entities('C# #1 #2024 a@mail.com $100 US$ @ab конец.Начало v1.2 e.g. C++'), [])
    assert.deepEqual(entities('word#tag x@name'), [])
  })

  test('closing punctuation is not part of an address', () => {
    const text = 'см. (https://example.com/a), и example.org.'
    const shown = analyze(text, null).entities.map(({ start, end }) => text.slice(start, end))
    assert.deepEqual(shown, ['https://example.com/a', 'example.org'])
  })

  test('tags are folded like words', () => {
    assert.equal(foldTag('ЁЛКА'), 'елка')
    assert.equal(foldTag('臺灣'), '台湾')
    assert.deepEqual(entities('#臺灣 #می‌خواهم'), ['#台湾', '#میخواهم'])
  })
})

describe('queries', () => {
  const sequence = (word: string) =>
    analyzeQueryWord(word).alternatives.map((terms) => terms.map((term) => term.toks[0]).join(' '))

  test('a word of several tokens is a sequence', () => {
    assert.deepEqual(sequence('covid-19'), ['covid 19'])
    assert.deepEqual(sequence('比特币'), ['比特 特币'])
    assert.deepEqual(sequence('example.com'), ['example com'])
  })

  test('a word with an ending behind an apostrophe is searched with and without it', () => {
    assert.deepEqual(sequence("Türkiye'de"), ['turkiyede', 'turkiye'])
    for (const word of ["AB'nin", 'Google’ın', "Bloomberg'e", "Trump'tan", "İstanbul'dakiler"])
      assert.equal(sequence(word).length, 2, word)
  })

  test('contractions, names and Uzbek words are not split at the apostrophe', () => {
    for (const word of [
      "can't",
      "won't",
      'we’re',
      "they've",
      "she'll",
      "ma'am",
      "Sana'a",
      "Hawai'i",
    ])
      assert.equal(sequence(word).length, 1, word)
    for (const word of ["ma'lum", "ta'lim", "va'da", "bog'i", "san'at"])
      assert.equal(sequence(word).length, 1, word)
  })

  test('a bare word reaches every post that does not accent it by its stems', () => {
    const languages = [
      null,
      'en',
      'de',
      'fr',
      'es',
      'pt',
      'tr',
      'az',
      'ru',
      'uk',
      'bg',
      'fa',
      'ar',
      'he',
      'hi',
      'vi',
    ]
    const words =
      'Müllers mullers cafés cafe información informacion İstanbul Istanbul ISPARTA çalışıyorum ещё еще їжак ежики running Übergrößen don’t кітап کتاب‌ها كتاب بيت הבתים किताबें covid19 a 比特币'
    let accented = 0
    let reached = 0
    for (const language of languages) {
      for (const { tok, stem, isAccented } of analyze(words, language).tokens) {
        if (isAccented) accented++
        for (const term of analyzeQueryWord(tok).alternatives.flat()) {
          if (!term.isBare || term.toks[0] !== tok || isAccented) continue
          reached++
          assert.ok(
            term.stems.includes(stem),
            `${tok} in ${language}: ${stem} of ${term.stems.join()}`,
          )
        }
      }
    }
    assert.ok(accented > 0)
    assert.ok(reached > 200, `${reached} words were asked for by their stems`)
  })

  test('a single ideograph is searched as the prefix of a bigram', () => {
    assert.deepEqual(analyzeQueryWord('猫').alternatives, [
      [{ toks: ['猫'], stems: ['猫'], typed: '猫', isBare: false, isPrefix: true }],
    ])
  })

  test('umlauts are also searched spelled out', () => {
    assert.deepEqual(analyzeQueryWord('Müller').alternatives[0]![0]!.toks, ['muller', 'mueller'])
  })

  test('a word without letters gives entities or nothing', () => {
    assert.deepEqual(analyzeQueryWord('🔥'), { alternatives: [], entities: ['emoji:1f525'] })
    assert.deepEqual(analyzeQueryWord('—'), { alternatives: [], entities: [] })
  })

  test('one word has at most as many stems as its script has stemmers', () => {
    for (const word of ['running', 'новости', 'كتاب', 'ממשלה']) {
      assert.ok(analyzeQueryWord(word).alternatives[0]![0]!.stems.length <= 32)
    }
  })
})

describe('hostile text', () => {
  const anything = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.string({ unit: 'grapheme', maxLength: 300 }),
    fc
      .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 200 })
      .map((units) => String.fromCharCode(...units)),
    fc.stringMatching(/^[a-zа-яёا-ی'’#@$._:/\-0-9,\u200c\u0301 漢字IİÄß]{0,120}$/),
    fc.stringMatching(/^[a-zа-яёا-ی'’\u200c\u0301IİÄß]{1,8}$/),
  )
  const languages = fc.constantFrom(
    null,
    'en',
    'ru',
    'fa',
    'tr',
    'fr',
    'zh',
    'he',
    'th',
    'de',
    'xx',
  )

  test('gives valid stems where a word mixes Ethiopic with another script', () => {
    for (const letter of ['𑽙', '𝓪', 'q', '漢']) {
      const { tokens } = analyze(`ሀ${letter}`, 'am')
      assert.ok(tokens.length > 0, letter)
      for (const { stem } of tokens) assert.match(stem, /^[^\s\p{C}\p{Z}]+$/u, JSON.stringify(stem))
    }
  })

  test('gives valid tokens, whatever the string', () => {
    fc.assert(
      fc.property(anything, languages, (text, language) => {
        const { tokens, entities } = analyze(text, language)
        let start = 0
        for (const token of tokens) {
          assert.ok(token.start >= start && token.end > token.start && token.end <= text.length)
          start = token.start
        }
        for (const entity of entities) {
          assert.ok(entity.end > entity.start && entity.end <= text.length)
        }
        const terms = [...tokens.flatMap((t) => [t.tok, t.stem]), ...entities.map((e) => e.term)]
        for (const term of terms) {
          assert.match(term, /^[^\s\p{C}\p{Z}]+$/u, JSON.stringify(term))
          assert.ok(term.length <= TERM_UNITS)
          assert.ok(term.isWellFormed())
        }
      }),
      { numRuns: 1500 },
    )
  })

  test('is found by its own spelling', () => {
    fc.assert(
      fc.property(anything, languages, (text, language) => {
        const { alternatives } = analyzeQueryWord(text)
        const { tokens } = analyze(text, language)
        const [token] = tokens
        const single = alternatives.filter((terms) => terms.length === 1).map(([term]) => term!)
        if (tokens.length !== 1 || single.length === 0) return
        // In a Turkish post everything after an apostrophe is cut, in a query only what can be an ending.
        if (language === 'tr' && APOSTROPHES.test(text)) return
        assert.ok(single.some((term) => term.stems.includes(token!.stem)))
      }),
      { numRuns: 1500 },
    )
  })

  test('takes time in proportion to its length', () => {
    const floods = [
      'a',
      'ж',
      'e\u0301\u0302',
      '\u0301',
      'a.a.',
      'a-a.',
      "a'",
      'ا\u200c',
      '#',
      '#a',
      '@a',
      '$a',
      '🔥',
      '👨\u200d',
      '漢',
      'ข่าว',
      '1,000',
      'https://a',
      'http://a.b/ ',
      '\ud800',
      'ᄀ',
      'a\u00ad',
      '"ש',
      'xy.com/',
    ]
    for (const flood of floods) {
      const run = (units: number) => analyze(flood.repeat(units / flood.length), 'fa')
      assertGrowsByLength(run, 200_000, JSON.stringify(flood))
    }
  })
})
