import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from '../../test/fast-check.ts'
import type { QueryNode } from '../model/query.ts'
import { createMatcher, snippet } from './highlight.ts'

const at = { start: 0, end: 0 }
const word = (text: string): QueryNode => ({ kind: 'word', text, ...at })
const and = (...nodes: QueryNode[]): QueryNode => ({ kind: 'and', nodes })

function marked(
  text: string,
  language: string | null,
  root: QueryNode | null,
  match: 'stem' | 'exact' = 'stem',
): string[] {
  const { highlights } = snippet(text, language, createMatcher(root, match), Infinity)
  return highlights.map(({ start, end }) => text.slice(start, end))
}

describe('matches', () => {
  test('words of the query that the text writes as one are marked', () => {
    assert.deepEqual(
      marked('The ceasefires hold, a fire does not cease', 'en', and(word('cease'), word('fire'))),
      ['ceasefires', 'fire', 'cease'],
    )
    assert.deepEqual(marked('The ceasefire', 'en', and(word('cease'), word('fire')), 'exact'), [])
    assert.deepEqual(
      marked('The ceasefire', 'en', { kind: 'or', nodes: [word('cease'), word('fire')] }),
      [],
    )
    assert.deepEqual(marked('برنامه هسته‌ای', 'fa', and(word('هسته'), word('ای'))), ['هسته‌ای'])
    assert.deepEqual(marked('U.S. sanctions', 'en', word('US')), ['U.S'])
  })

  test('matches keep the author’s own spelling', () => {
    assert.deepEqual(marked('Ёлки и ЕЛКА', 'ru', word('елку')), ['Ёлки', 'ЕЛКА'])
    assert.deepEqual(
      marked('Er will می‌خواهم Häuser 大學', 'fa', and(word('میخواهم'), word('大学'))),
      ['می‌خواهم', '大學'],
    )
    assert.deepEqual(marked("L'homme et l’Homme", 'fr', word('homme')), ['homme', 'Homme'])
  })

  test('an exact word matches only that form', () => {
    assert.deepEqual(marked('run running runs', 'en', { kind: 'exact', text: 'runs', ...at }), [
      'runs',
    ])
    assert.deepEqual(marked('run running runs', 'en', word('runs'), 'exact'), ['runs'])
    assert.deepEqual(marked('run running runs', 'en', word('runs')), ['run', 'running', 'runs'])
  })

  test('a phrase matches adjacent words, a prefix words that start with it', () => {
    const phrase: QueryNode = { kind: 'phrase', text: 'supreme court', ...at }
    assert.deepEqual(marked('The Supreme-Court; supreme justice court', 'en', phrase), [
      'Supreme-Court',
    ])
    assert.deepEqual(marked('Биткоин, битки, бот', 'ru', { kind: 'prefix', text: 'бит', ...at }), [
      'Биткоин',
      'битки',
    ])
  })

  test('a quote is marked as a whole, or by its words if the whole is not there', () => {
    const quote: QueryNode = { kind: 'quote', text: 'Supreme Courts', ...at }
    assert.deepEqual(marked('A court; the supreme courts', 'en', quote), ['supreme courts'])
    assert.deepEqual(marked('The supreme judge of a court', 'en', quote), ['supreme', 'court'])
    assert.deepEqual(marked('The supreme judge of a court', 'en', quote, 'exact'), [])
    const students: QueryNode = { kind: 'quote', text: '北京 大学生', ...at }
    assert.deepEqual(marked('大学的学生', 'zh', students), ['大学', '学生'])
    assert.deepEqual(marked('大学生，北京大学生', 'zh', students), ['北京大学生'])
  })

  test('a compound is marked as a whole, or in its parts if the whole is not there', () => {
    assert.deepEqual(marked('A rocket of scud 7', 'en', word('Scud-Rockets-7')), ['rocket', 'scud'])
    assert.deepEqual(marked('scud; Scud rockets 7', 'en', word('Scud-Rockets-7')), [
      'Scud rockets 7',
    ])
    assert.deepEqual(marked('A rocket of scud 7', 'en', word('Scud-Rockets-7'), 'exact'), [])
  })

  test('one ideograph and a run are found inside longer runs', () => {
    assert.deepEqual(marked('我的貓咪和黑貓', 'zh', word('猫')), ['貓', '貓'])
    assert.deepEqual(marked('买比特币吧', 'zh', word('比特幣')), ['比特币'])
  })

  test('a run is marked as a whole, or in its pieces if the whole is not there', () => {
    const train = 'รถไฟหยุดเพราะน้ำท่วม'
    assert.deepEqual(marked(train, 'th', word('น้ำท่วมรถไฟ')), ['รถไฟ', 'น้ำท่วม'])
    assert.deepEqual(marked('大学的学生', 'zh', word('大学生')), ['大学', '学生'])
    assert.deepEqual(marked('大学生和大学', 'zh', word('大学生')), ['大学生'])
    assert.deepEqual(marked('大学的学生', 'zh', word('大学生'), 'exact'), [])
    const asked = word('首都机场因为暴雪关闭了多少天')
    const long = `${'今天天气很好。'.repeat(60)}受暴雪影响，首都机场关闭三天。${'谢谢大家。'.repeat(60)}`
    assert.match(snippet(long, 'zh', createMatcher(asked, 'stem')).text, /首都机场关闭三天/)
  })

  test('hashtags, mentions, tickers, domains and emoji are marked', () => {
    const text = '#Новости @Durov $BTC news.example.com/x 🔥 notexample.com'
    const root = and(
      { kind: 'hashtag', value: 'новости', ...at },
      { kind: 'mention', value: 'durov', ...at },
      { kind: 'cashtag', value: 'BTC', ...at },
      { kind: 'domain', value: 'example.com', ...at },
      word('🔥'),
    )
    assert.deepEqual(marked(text, 'ru', root), [
      '#Новости',
      '@Durov',
      '$BTC',
      'news.example.com/x',
      '🔥',
    ])
  })

  test('what a query excludes is not marked', () => {
    assert.deepEqual(
      marked('red blue', 'en', and(word('red'), { kind: 'not', node: word('blue') })),
      ['red'],
    )
    assert.deepEqual(marked('red', 'en', null), [])
  })
})

describe('snippets', () => {
  const filler = 'lorem ipsum dolor sit amet '.repeat(30)

  test('show a short text whole', () => {
    assert.deepEqual(snippet('A red car', 'en', createMatcher(word('cars'), 'stem')), {
      text: 'A red car',
      highlights: [{ start: 6, end: 9 }],
    })
  })

  test('contain as many of the words as possible', () => {
    const text = `${filler}red ${filler}red and blue cars ${filler}`
    const shown = snippet(
      text,
      'en',
      createMatcher(and(word('red'), word('blue'), word('car')), 'stem'),
    )
    assert.deepEqual(
      shown.highlights.map(({ start, end }) => shown.text.slice(start, end)),
      ['red', 'blue', 'cars'],
    )
    assert.match(shown.text, /^…\w.*\w…$/s)
  })

  test('show the beginning, cut between words, if nothing matches', () => {
    const shown = snippet(filler, 'en', createMatcher(word('absent'), 'stem'), 50)
    assert.equal(shown.text, 'lorem ipsum dolor sit amet lorem ipsum dolor sit…')
  })

  test('end with a line rather than with the first word of the next', () => {
    const boats = 'The passengers were taken ashore in fishing boats, all of them'
    const shown = (maxChars: number) =>
      snippet(`${boats}.\n\nThe report`, 'en', createMatcher(null, 'stem'), maxChars).text
    assert.equal(shown(boats.length + 9), `${boats}. …`)
    assert.equal(shown(boats.length - 10), 'The passengers were taken ashore in fishing boats,…')
  })

  test('use their full length for a match at the end', () => {
    const shown = snippet(`${filler}car`, 'en', createMatcher(word('car'), 'stem'), 100)
    assert.ok(shown.text.endsWith(' car') && shown.text.length > 70, shown.text)
  })

  test('mark an address longer than the window as far as it is shown', () => {
    const text = `${filler}https://example.com/${'x'.repeat(200)} end`
    const root: QueryNode = { kind: 'domain', value: 'example.com', ...at }
    const shown = snippet(text, 'en', createMatcher(root, 'stem'), 80)
    assert.equal(shown.highlights.length, 1)
    const { start, end } = shown.highlights[0]!
    assert.match(shown.text.slice(start, end), /^https:\/\/example\.com\/x+$/)
  })

  test('have a bounded number of matches when one word is repeated in text and query', () => {
    const asked = and(...Array.from({ length: 64 }, () => word('ha')))
    const tag: QueryNode = { kind: 'hashtag', value: 'ha', ...at }
    const tags: QueryNode = { kind: 'and', nodes: Array.from({ length: 64 }, () => tag) }
    for (const [root, text] of [
      [asked, 'ha '.repeat(5000)],
      [tags, '#ha '.repeat(5000)],
    ] as const) {
      const matcher = createMatcher(root, 'stem')
      assert.ok(matcher.find(text, 'en').length < 2500)
      assert.deepEqual(snippet(text, 'en', matcher).highlights[0], {
        start: 0,
        end: text.indexOf(' '),
      })
    }
  })

  test('are never longer than asked, with offsets inside and no character split', () => {
    const pieces = fc.constantFrom(
      'car ',
      'cars, ',
      '漢字',
      'ещё ',
      '🔥',
      '👨\u200d👩\u200d👧',
      'e\u0301',
      '\n',
      'longlonglonglonglonglonglongword',
    )
    const texts = fc.array(pieces, { maxLength: 120 }).map((parts) => parts.join(''))
    const matcher = createMatcher(and(word('car'), word('漢'), word('🔥'), word('ещё')), 'stem')
    fc.assert(
      fc.property(texts, fc.integer({ min: 20, max: 240 }), (text, maxChars) => {
        const shown = snippet(text, 'en', matcher, maxChars)
        assert.ok(shown.text.length <= maxChars)
        assert.ok(shown.text.isWellFormed())
        const bare = shown.text.replace(/^…| ?…$/g, '')
        assert.ok(text.includes(bare))
        let last = -1
        for (const { start, end } of shown.highlights) {
          assert.ok(start > last && end > start && end <= shown.text.length)
          last = end
          assert.match(shown.text.slice(start, end), /^(?:cars?|[漢字]+|🔥+|ещё)+$/u)
        }
        if (matcher.find(text, 'en').length > 0) assert.ok(shown.highlights.length > 0)
      }),
      { numRuns: 1000 },
    )
  })
})
