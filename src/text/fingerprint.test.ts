import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { analyze } from './analyze.ts'
import { fingerprint, sameStory, type Fingerprint } from './fingerprint.ts'

const of = (text: string) => fingerprint(text, analyze(text, null))

/** The rule of an index: equal hashes, or a shared band and a similar sketch. */
function areCopies(a: Fingerprint, b: Fingerprint): boolean {
  if (a.exact === b.exact) return true
  const isCandidate = a.bands.some((band, index) => band === b.bands[index])
  return isCandidate && sameStory(a.sketch, b.sketch) !== undefined
}

/** A repeatable source of numbers, so that the shares below are the same on every run. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const random = createRandom(7)
const VOCABULARY = Array.from({ length: 4000 }, (_, i) => {
  const syllables = ['ка', 'ро', 'ми', 'те', 'лу', 'но', 'ши', 'ва', 'пе', 'гу']
  return (
    syllables[i % 10]! +
    syllables[((i / 10) | 0) % 10]! +
    syllables[((i / 100) | 0) % 10]! +
    syllables[(i / 1000) | 0]!
  )
})

/** Words by Zipf's law, as in real text. */
function makePost(words: number): string {
  const text: string[] = []
  for (let i = 0; i < words; i++) text.push(VOCABULARY[Math.floor(4000 ** random()) - 1]!)
  return text.join(' ')
}

const POSTS = Array.from({ length: 600 }, (_, i) => makePost(20 + (i % 80)))

describe('fingerprints', () => {
  const edits: readonly (readonly [string, (text: string) => string, number])[] = [
    [
      'a footer with links added',
      (t) => `${t}\n\nПодписаться: @some_channel | https://t.me/some_channel`,
      1,
    ],
    ['a footer without links added', (t) => `${t} подписывайтесь на наш канал`, 0.97],
    ['a date and time stamped before', (t) => `[15.11.2026 12:45] ${t}`, 0.99],
    ['a date and time stamped behind', (t) => `${t}\n15.11.2026 12:45`, 0.9],
    ['a word put in front', (t) => `СРОЧНО: ${t}`, 0.99],
    [
      'one word changed',
      (t) =>
        t
          .split(' ')
          .map((w, i, all) => (i === all.length >> 1 ? 'иначе' : w))
          .join(' '),
      0.97,
    ],
    [
      'a tenth of the words dropped',
      (t) =>
        t
          .split(' ')
          .filter(() => random() > 0.1)
          .join(' '),
      0.9,
    ],
    ['the first half alone', (t) => t.slice(0, t.indexOf(' ', t.length / 2)), 0.75],
    ['the second half alone', (t) => t.slice(t.indexOf(' ', t.length / 2)), 0.75],
    ['as long a post put behind', (t) => `${t}\n\n${makePost(t.split(' ').length)}`, 0.75],
    ['upper case, emoji, punctuation', (t) => `🔥 ${t.toUpperCase().replace(/ /g, ', ')}!`, 1],
  ]
  for (const [name, edit, atLeast] of edits) {
    test(`${name}: at least ${atLeast * 100} % are still recognised`, (t) => {
      const found = POSTS.filter((post) => areCopies(of(post), of(edit(post)))).length
      t.diagnostic(`recall ${((100 * found) / POSTS.length).toFixed(1)} %`)
      assert.ok(found >= atLeast * POSTS.length, `${found} of ${POSTS.length}`)
    })
  }

  test('different posts are not taken for copies', () => {
    const prints = POSTS.slice(0, 300).map(of)
    let wrong = 0
    prints.forEach((a, i) => prints.slice(i + 1).forEach((b) => (wrong += areCopies(a, b) ? 1 : 0)))
    assert.equal(wrong, 0)
  })

  const templates: readonly (readonly [string, (number: () => number) => string])[] = [
    [
      'weather',
      (n) =>
        `Погода на ${n()} июня: днём от ${n()} до ${n()} градусов, ночью до ${n()}, ветер ${n()} метров в секунду, ` +
        `давление ${n()} миллиметров, осадков почти не ожидается, хорошего всем дня`,
    ],
    [
      'price',
      (n) =>
        `Bitcoin price update: the coin is trading at ${n()} dollars with a daily change of ${n()} percent and a ` +
        `market cap of ${n()} billion, stay tuned for more updates every hour`,
    ],
    [
      'list of prices',
      (n) =>
        `قیمت طلا و سکه امروز: طلا ${n()} تومان، سکه ${n()} تومان، نیم سکه ${n()} تومان، دلار ${n()} تومان`,
    ],
    [
      'lottery',
      (n) =>
        `Hasil undian hari ini nomor ${n()} ${n()} ${n()} selamat kepada para pemenang, nantikan undian berikutnya`,
    ],
  ]
  for (const [name, write] of templates) {
    test(`a daily ${name} with other numbers is a different post`, (t) => {
      const prints = Array.from({ length: 40 }, () => of(write(() => Math.floor(900 * random()))))
      let wrong = 0
      prints.forEach((a, i) =>
        prints.slice(i + 1).forEach((b) => (wrong += areCopies(a, b) ? 1 : 0)),
      )
      t.diagnostic(`${wrong} of 780 pairs`)
      assert.ok(wrong <= 8, `${wrong} of 780`)
    })
  }

  test('a post with one corrected number is still a copy', () => {
    const found = POSTS.filter((post) => areCopies(of(`${post} 41 раз`), of(`${post} 42 раз`)))
    assert.ok(found.length >= 0.95 * POSTS.length, `${found.length} of ${POSTS.length}`)
  })

  test('similarity follows the share of common word pairs', () => {
    const words = makePost(200).split(' ')
    const like = (share: number) => {
      const other = [...words.slice(0, 200 * share), ...makePost(200 * (1 - share)).split(' ')]
      return sameStory(of(words.join(' ')).sketch, of(other.join(' ')).sketch)
    }
    assert.equal(like(1), 1)
    const most = like(0.9)
    assert.ok(most !== undefined && most > 0.65 && most < 0.95, `${most}`)
    assert.equal(like(0.5), undefined, 'half of each is common, and neither is a part of the other')
  })

  test('a short post that is mostly a common footer is not part of another post', () => {
    const footer = 'поддержите канал и расскажите о нас друзьям'
    const long = `${makePost(14)} ${footer}`
    assert.ok(!areCopies(of(`новый выпуск ${footer}`), of(long)))
  })

  test('a short post has only an exact hash', () => {
    const print = of('всего четыре коротких слова')
    assert.equal(print.bands.length, 0)
    assert.match(print.exact!, /^[0-9a-f]{16}$/)
    assert.equal(print.exact, of('ВСЕГО четыре «коротких» слова @channel').exact)
    assert.notEqual(print.exact, of('всего пять коротких слов').exact)
    assert.equal(sameStory(print.sketch, print.sketch), undefined)
  })

  test('a post of links keeps its words, and one without words has no hash', () => {
    assert.notEqual(of('https://a.com').exact, of('https://b.com').exact)
    assert.equal(of('🔥🔥').exact, null)
  })

  test('the whole address distinguishes posts with few words or none', () => {
    const at = (path: string) => `https://example.com/${path}`
    assert.notEqual(of(at('2026/11/strait')).exact, of(at('2026/11/harbour')).exact)
    assert.equal(of(at('a?utm_source=x')).exact, of(at('a')).exact)
    assert.notEqual(of(`Read more: ${at('a')}`).exact, of(`Read more: ${at('b')}`).exact)
    assert.notEqual(of('https://t.me/one_channel/5').exact, of('https://t.me/one_channel/6').exact)
    // A copy that names its source is still a copy.
    assert.equal(
      of('Ships are late today https://t.me/one_channel').exact,
      of('Ships are late today').exact,
    )
    const link = { type: 'text_link', offset: 0, length: 4 } as const
    const hidden = (url: string) => fingerprint('Here', analyze('Here', 'en'), [{ ...link, url }])
    assert.notEqual(hidden(at('a')).exact, hidden(at('b')).exact)
  })

  test('a long post with all its numbers changed is different, with one changed it is a copy', () => {
    const withNumbers = (post: string, number: (i: number) => number) =>
      post
        .split(' ')
        .map((word, i) => (i % 20 === 5 ? `${word} ${number(i)}` : word))
        .join(' ')
    const long = POSTS.filter((post) => post.split(' ').length >= 60)
    const first = long.map((post) => of(withNumbers(post, (i) => 100 + i)))
    const all = long.map((post) => of(withNumbers(post, (i) => 500 + i)))
    const one = long.map((post) => of(withNumbers(post, (i) => (i === 25 ? 7 : 100 + i))))
    const copies = (others: readonly Fingerprint[]) =>
      others.filter((other, i) => areCopies(first[i]!, other)).length
    assert.ok(copies(all) <= 0.2 * long.length, `${copies(all)} of ${long.length}`)
    assert.ok(copies(one) >= 0.95 * long.length, `${copies(one)} of ${long.length}`)
  })

  test('other numbers distinguish a long post with few of them, but halves are still copies', () => {
    const withNumbers = (post: string, add: number) =>
      post
        .split(' ')
        .map((word, i) => (i % 30 === 8 ? `${word} ${300 + add + i}` : word))
        .join(' ')
    const long = POSTS.filter((post) => post.split(' ').length >= 72)
    const share = (edit: (text: string) => string) => {
      const isCopy = (post: string) => {
        const text = withNumbers(post, 0)
        return areCopies(of(text), of(edit(text)))
      }
      return long.filter(isCopy).length / long.length
    }
    const renumbered = share((text) => text.replaceAll(/\d+/g, (n) => String(Number(n) + 400)))
    assert.ok(renumbered <= 0.02, `${renumbered} with other numbers`)
    const first = share((text) => text.slice(0, text.indexOf(' ', text.length / 2)))
    assert.ok(first >= 0.75, `${first} of the first halves`)
    const stamped = long.filter((post) =>
      areCopies(of(`14.11.2026 08:15 ${post}`), of(`15.11.2026 12:45 ${post}`)),
    )
    assert.equal(stamped.length, long.length)
  })

  test('a list of linked headlines counts as content, not as a footer', () => {
    const digest = (headlines: readonly string[]) => {
      const text = ['The main news of today', ...headlines].join('\n')
      const entities = headlines.map((headline, i) => ({
        type: 'text_link' as const,
        offset: text.indexOf(headline),
        length: headline.length,
        url: `https://t.me/harbour_news/${i + 1}`,
      }))
      return fingerprint(text, analyze(text, 'en'), entities)
    }
    const monday = ['Ferry runs aground off the pier', 'Mayor resigns after a long vote']
    const tuesday = ['School opens in the old harbour', 'Storm closes every road to town']
    const more = ['Bakers win the national prize', 'Bridge repairs take until spring']
    assert.notEqual(digest([...monday, ...more]).exact, digest([...tuesday, ...more]).exact)
    const long = (first: string) => digest(['One', 'Two', first, 'Four', 'Five', 'Six', 'Seven'])
    assert.notEqual(long('Three').exact, long('Drei').exact)
  })

  test('links on marked text count as a footer too', () => {
    const body = 'Первая строка новости о важном событии'
    const text = `${body}\nПодписаться на канал`
    const link = {
      type: 'text_link',
      offset: body.length + 1,
      length: 11,
      url: 'https://t.me/x',
    } as const
    assert.equal(fingerprint(text, analyze(text, 'ru'), [link]).exact, of(body).exact)
  })
})
