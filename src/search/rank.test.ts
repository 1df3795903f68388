import assert from 'node:assert/strict'
import { test } from 'node:test'
import { analyze } from '../text/analyze.ts'
import { createRanker, type Candidate } from './rank.ts'
import { functionWords } from '../text/function-words.ts'
import { createUnit } from './rank-unit.ts'
import { createRandom } from './contract/sample.ts'
import { stemTerm, wordHash } from './terms.ts'

const NOW_S = 1_000_000
const WORDS = 'metro line closed flood running runs zebra'.split(' ')
const stats = { posts: 1_000, df: (term: string) => 1 + (wordHash(term) % 200) }

function unitOf(word: string) {
  const { tok, stem } = analyze(word, 'en').tokens[0]!
  return createUnit(word, [[{ toks: [tok], stems: [stem] }]], stats)
}

function candidateOf(text: string, more: Partial<Candidate> = {}): Candidate {
  const { tokens } = analyze(text, 'en')
  return {
    toks: Uint32Array.from(tokens, ({ tok }) => wordHash(tok)),
    stems: Uint32Array.from(tokens, ({ stem }) => wordHash(stemTerm(stem))),
    words: tokens.length,
    firstLine: 4,
    prior: NOW_S - 1_000,
    isCopy: false,
    ...more,
  }
}

test('no post scores more than the words it holds and how often allow', () => {
  const random = createRandom(3)
  const pick = () => WORDS[Math.floor(random() * WORDS.length)]!
  for (let i = 0; i < 2_000; i++) {
    const asked = [...new Set(Array.from({ length: 4 }, pick))]
    const units = asked.map(unitOf)
    const ranker = createRanker(units, NOW_S)
    const text = Array.from({ length: 1 + Math.floor(random() * 30) }, () =>
      random() < 0.5 ? pick() : `w${Math.floor(random() * 99)}`,
    ).join(' ')
    const candidate = candidateOf(text, { isCopy: random() < 0.3, prior: NOW_S * random() })
    const { score } = ranker.some(candidate)
    const stemOf = (word: string) => wordHash(stemTerm(analyze(word, 'en').tokens[0]!.stem))
    const times = asked.map((word) => {
      const count = candidate.stems.filter((stem) => stem === stemOf(word)).length
      return count > 3 || (count > 0 && random() < 0.1) ? Infinity : count
    })
    const most = ranker.someAtMost(times, candidate)
    assert.ok(
      score <= most && most < 10,
      `${score} of at most ${most}: ${asked.join(' ')} in ${text}`,
    )
  }
})

test('the order of the words changes nothing for a post that has one of them', () => {
  const score = (q: readonly string[], text: string) =>
    createRanker(q.map(unitOf), NOW_S).some(candidateOf(text)).score
  for (const text of ['running', 'runs', 'the zebra runs']) {
    assert.equal(
      score(['running', 'runs', 'zebra'], text).toFixed(9),
      score(['runs', 'running', 'zebra'], text).toFixed(9),
    )
  }
})

test('all the words are worth more than any number of some', () => {
  const ranker = createRanker(['metro', 'closed'].map(unitOf), NOW_S)
  const all = ranker.all(candidateOf('a metro line that was closed long ago', { prior: 0 }))
  const some = ranker.some(candidateOf('metro metro metro'))
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
  const ranker = createRanker(units, NOW_S)
  const asks = ranker.some(candidateOf('When is Easter? When is the next day off?'))
  const tells = ranker.some(candidateOf('A zebra was born in the city zoo last night'))
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
