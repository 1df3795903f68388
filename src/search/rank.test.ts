import assert from 'node:assert/strict'
import { test } from 'node:test'
import { analyze } from '../text/analyze.ts'
import { createRanker, type Candidate } from './rank.ts'
import { functionWords } from '../text/function-words.ts'
import { withKin } from './kin.ts'
import { createUnit, type RankUnit } from './rank-unit.ts'
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
    some: (text: string) => ranker.some(candidateOf(text)),
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

test('the order of the words changes nothing for a post that has one of them', () => {
  const score = (q: readonly string[], text: string) => rankerOf(q.map(unitOf)).some(text).score
  for (const text of ['running', 'runs', 'the zebra runs']) {
    assert.equal(
      score(['running', 'runs', 'zebra'], text).toFixed(9),
      score(['runs', 'running', 'zebra'], text).toFixed(9),
    )
  }
})

test('all the words are worth more than any number of some', () => {
  const ranker = rankerOf(['metro', 'closed'].map(unitOf))
  const all = ranker.all('a metro line that was closed long ago', { prior: 0 })
  const some = ranker.some('metro metro metro')
  assert.ok(all.score >= 10 && some.score < 10)
  assert.deepEqual([all.missing, some.missing], [[], [1]])
})

test('a question is ranked by what it asks about, not by how it asks', () => {
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

test('words that ask in one language are names in another', () => {
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

test('a post with some of the words rises by those that begin as another does, below the word itself', () => {
  const units = ['metro', 'constitution'].map(unitOf)
  const family = ['constitution', 'constitutionally']
  const ranker = rankerOf(withKin(units, () => ({ toks: family, complete: true })))
  const scores = ['the metro', 'constitutionally metro', 'constitution metro'].map(
    (text) => ranker.some(text).score,
  )
  assert.ok(scores[0]! < scores[1]! && scores[1]! < scores[2]!, scores.join(', '))
  assert.deepEqual(ranker.some('constitutionally metro').missing, [1])
})

test('a form that the stemmer knows counts among the kin of a word', () => {
  const units = ['metro', 'congresses'].map(unitOf)
  const none = rankerOf(units)
  const kin = rankerOf(withKin(units, () => ({ toks: ['congresses'], complete: true })))
  const score = (ranker: typeof none) => ranker.some('a congress and another congress').score
  assert.equal(score(kin), score(none))
})

test('a rare word is worth more than two common ones that are said again side by side', () => {
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

test('some of the words in one passage are worth more than the same far apart', () => {
  const ranker = rankerOf(['ferry', 'harbour', 'strike', 'zebra'].map(unitOf))
  const filler = Array.from({ length: 8 }, (_, i) => `and then number ${i}`).join(' ')
  const near = ranker.some(`${filler} ${filler} ferry harbour strike`)
  const apart = ranker.some(`ferry ${filler} harbour ${filler} strike`)
  assert.ok(near.score > 1.1 * apart.score, `${near.score} and ${apart.score}`)
})
