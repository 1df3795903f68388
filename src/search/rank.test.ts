import assert from 'node:assert/strict'
import { test } from 'node:test'
import { analyze } from '../text/analyze.ts'
import { createRanker, type Candidate } from './rank.ts'
import { functionWords } from '../text/function-words.ts'
import { withSharedPrefix } from './shared-prefix.ts'
import { asName, asRun, createUnit, lackedWords, type RankUnit } from './rank-unit.ts'
import { stemTerm, wordHash } from './terms.ts'
import { createPlacesIn } from './word-places.ts'

const NOW_S = 1_000_000
const stats = { posts: 1_000, df: (term: string) => 1 + (wordHash(term) % 200) }

function unitOf(word: string) {
  const { tok, stem } = analyze(word, 'en').tokens[0]!
  return createUnit(word, [[{ toks: [tok], stems: [stem] }]], stats)
}

function rankerOf(units: readonly RankUnit[]) {
  const ranker = createRanker(units, NOW_S)
  const candidateOf = candidatesFor(units)
  return {
    all: (text: string, more?: Partial<Candidate>) => ranker.all(candidateOf(text, more)),
    some: (text: string, more?: Partial<Candidate>) => ranker.some(candidateOf(text, more)),
  }
}

const candidatesFor =
  (units: readonly RankUnit[]) =>
  (text: string, more: Partial<Candidate> = {}) => {
    const { tokens } = analyze(text, 'en')
    const words = {
      toks: Uint32Array.from(tokens, ({ tok }) => wordHash(tok)),
      stems: Uint32Array.from(tokens, ({ stem }) => wordHash(stemTerm(stem))),
    }
    return {
      places: createPlacesIn(units)(words),
      toks: tokens.length,
      words: tokens.length,
      firstLine: 4,
      prior: NOW_S - 1_000,
      isCopy: false,
      ...more,
    }
  }

test('the order of a query’s words does not change the score of a post that has one of them', () => {
  const score = (q: readonly string[], text: string) => rankerOf(q.map(unitOf)).some(text).score
  for (const text of ['running', 'runs', 'the zebra runs']) {
    assert.equal(
      score(['running', 'runs', 'zebra'], text).toFixed(9),
      score(['runs', 'running', 'zebra'], text).toFixed(9),
    )
  }
})

test('a query of one word is ranked the same however rare the word is', () => {
  const scoreOf = (idf: number) => rankerOf([{ ...unitOf('metro'), idf }]).all('a metro line').score
  assert.equal(scoreOf(1).toFixed(9), scoreOf(7).toFixed(9))
})

test('in partial matches, repeated or early function words do not raise the score', () => {
  const held = { ...unitOf('between'), isFunctionWord: true }
  const scoreOf = (unit: RankUnit, text: string) =>
    rankerOf([unitOf('zebra'), unitOf('lion'), unit]).some(text).score
  const [early, late] = [
    'between lion and between cage between',
    'and lion cage and and between',
  ] as const
  assert.equal(scoreOf(held, early), scoreOf(held, late))
  assert.ok(scoreOf(held, late) > scoreOf(held, 'and lion cage and and and'))
  assert.ok(scoreOf(unitOf('between'), early) > scoreOf(unitOf('between'), late))
})

test('a post with all the words scores above any post with only some', () => {
  const ranker = rankerOf(['metro', 'closed'].map(unitOf))
  const all = ranker.all('a metro line that was closed long ago', { prior: 0 })
  const some = ranker.some('metro metro metro')
  assert.ok(all.score >= 10 && some.score < 10)
  assert.deepEqual([all.missing, some.missing], [[], [1]])
})

test('a question is ranked by what it asks about, not by its function words', () => {
  const alike = { posts: 50, df: () => 2 }
  const asking = functionWords(['when', 'is', 'zebra'])
  const units = ['when', 'zebra'].map((word) => {
    const { tok, stem } = analyze(word, 'en').tokens[0]!
    return createUnit(word, [[{ toks: [tok], stems: [stem] }]], alike, asking.has(word))
  })
  const ranker = rankerOf(units)
  const asks = ranker.some('When is Easter? When is the next day off?')
  const tells = ranker.some('A zebra was born in the city zoo last night')
  assert.ok(tells.score > 2 * asks.score, `${tells.score} and ${asks.score}`)
})

test('function words are recognised by the language of the query, so that names are kept', () => {
  for (const [query, asking] of [
    ['What is the new budget?', ['What', 'is', 'the']],
    ['когда будет снег', ['когда', 'будет']],
    ['quando posso sacar o FGTS', ['quando', 'posso', 'o']],
    ['WHO vaccine', []],
    ['kim jong un sanctions', []],
    ['para transferi', []],
    ['the bank of england', []],
  ] as const) {
    const words = query.match(/\p{L}+/gu)!
    assert.deepEqual([...functionWords(words)], asking, query)
  }
})

test('a partial match is raised by related words of a missing one, but less than by the word itself', () => {
  const units = ['metro', 'constitution'].map(unitOf)
  const family = ['constitution', 'constitutionally']
  const ranker = rankerOf(withSharedPrefix(units, () => ({ toks: family, complete: true })))
  const scores = ['the metro', 'constitutionally metro', 'constitution metro'].map(
    (text) => ranker.some(text).score,
  )
  assert.ok(scores[0]! < scores[1]! && scores[1]! < scores[2]!, scores.join(', '))
  assert.deepEqual(ranker.some('constitutionally metro').missing, [1])
})

test('words that share a prefix add nothing to a word that a post holds in any form', () => {
  const units = ['metro', 'congresses'].map(unitOf)
  const none = rankerOf(units)
  const shared = rankerOf(
    withSharedPrefix(units, () => ({ toks: ['congresses', 'congressman'], complete: true })),
  )
  const score = (ranker: typeof none) => ranker.some('a congress, a congressman, a congress').score
  assert.equal(score(shared), score(none))
})

test('one rare word scores above two common ones repeated side by side', () => {
  const dfs = new Map([
    ['zebra', 2],
    ['city', 80],
    ['water', 80],
  ])
  const words = ['zebra', 'city', 'water'].map((word) => {
    const { tok, stem } = analyze(word, 'en').tokens[0]!
    const df = () => dfs.get(word)!
    return createUnit(word, [[{ toks: [tok], stems: [stem] }]], { posts: 1_000, df })
  })
  const ranker = rankerOf(words)
  const filler = 'for the first time in many years said people who had come to see it'
  const rare = ranker.some(`A zebra was born ${filler}`)
  const common = ranker.some(`Yesterday ${filler} the city water is city water and more city water`)
  assert.ok(rare.score > common.score, `${rare.score} and ${common.score}`)
})

test('some of the words in one passage score above the same words far apart', () => {
  const ranker = rankerOf(['ferry', 'harbour', 'strike', 'zebra'].map(unitOf))
  const filler = Array.from({ length: 8 }, (_, i) => `and then number ${i}`).join(' ')
  const near = ranker.some(`${filler} ${filler} ferry harbour strike`)
  const apart = ranker.some(`ferry ${filler} harbour ${filler} strike`)
  assert.ok(near.score > 1.1 * apart.score, `${near.score} and ${apart.score}`)
})

const LONG = Array.from({ length: 9 }, (_, i) => `and then word ${i}`).join(' ')
const OLD = { prior: NOW_S - 400_000 }
type Post = readonly [text: string, more?: Partial<Candidate>]

/** Pairs of posts that differ in one respect; the first must score higher. */
const WORTH: readonly (readonly [rule: string, q: string, better: Post, worse: Post])[] = [
  ['how often', 'metro', ['so a metro is no metro'], ['so a metro is no tram']],
  ['its shortness', 'metro', ['so a metro is'], [`so a metro is ${LONG}`]],
  ['the form that was typed', 'running', ['so running is'], ['so runs is']],
  ['the first line', 'metro', ['so a metro is'], ['so a metro is', { firstLine: 0 }]],
  ['being new', 'metro', ['so a metro is'], ['so a metro is', OLD]],
  ['saying it first', 'metro', ['so a metro is'], ['so a metro is', { isCopy: true }]],
]

for (const [rule, q, better, worse] of WORTH) {
  test(`complete and partial matches both score higher by ${rule}`, () => {
    const ranker = rankerOf([q, 'zebra'].map(unitOf))
    const all = ([text, more]: Post) => ranker.all(`zebra ${text}`, more).score
    assert.ok(all(better) > all(worse))
    assert.ok(ranker.some(...better).score > ranker.some(...worse).score)
  })
}

test('adjacent words score above the same words apart', () => {
  const ranker = rankerOf(['metro', 'closed'].map(unitOf))
  const near = ranker.all('and so the metro closed for it')
  const apart = ranker.all('and so the metro for it closed')
  assert.ok(near.score > apart.score + 0.5, `${near.score} and ${apart.score}`)
})

test('a post that merely repeats the words scores below one that says them once', () => {
  const ranker = rankerOf(['metro', 'zebra'].map(unitOf))
  const spam = ranker.all('metro zebra metro zebra metro zebra metro zebra')
  const once = ranker.all('metro zebra and some other words of it')
  assert.ok(once.score > spam.score, `${once.score} and ${spam.score}`)
})

test('more than ten occurrences add nothing, nor does being shorter than eight words', () => {
  const ranker = rankerOf(['metro', 'zebra'].map(unitOf))
  const words = 30
  const times = (count: number) => ranker.some('metro '.repeat(count), { words, toks: words }).score
  assert.equal(times(11), times(10))
  assert.ok(times(10) > times(9))
  assert.equal(ranker.some('metro', { words: 1 }).score, ranker.some('metro', { words: 8 }).score)
})

test('a name weighs more than an equally rare word, and a run adds no weight to its pieces', () => {
  const alike = { posts: 1_000, df: () => 20 }
  const unit = createUnit('metro', [[{ toks: ['metro'], stems: [] }]], alike)
  assert.ok(asName(unit).idf > 1.1 * unit.idf)
  assert.deepEqual([asRun(unit).idf, asRun(unit).df], [0, 0])
})

test('a post is said to lack a function word only if it lacks no other word', () => {
  const of = { ...unitOf('of'), isFunctionWord: true }
  const units = [unitOf('price'), of, unitOf('gold')]
  assert.deepEqual(lackedWords(units, [0, 1, 2]), ['price', 'gold'])
  assert.deepEqual(lackedWords(units, [1]), ['of'])
})
