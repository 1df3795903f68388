/**
 * Whether the simulator's posts and queries resemble real ones: how frequent the words of queries are, and how many posts
 * hold all of them. `--size 1000000` for simulated posts, `--posts FILE --queries FILE` for real ones.
 */
import { parseArgs } from 'node:util'
import { createRandom } from '../src/search/contract/sample.ts'
import { analyze } from '../src/text/analyze.ts'
import { analyzeQueryWord } from '../src/text/analyze-query.ts'
import { fromFiles, queryOf, simulated, type Corpus } from './search-corpus.ts'

const QUERIES = 400
const MILLION = 1_000_000
const PAGE = 20

interface Asked {
  readonly set: string
  /** For each place, any of these terms. */
  readonly words: readonly (readonly string[])[]
}

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '60000' },
    posts: { type: 'string' },
    queries: { type: 'string' },
  },
})
const isReal = values.posts !== undefined && values.queries !== undefined
const corpus = isReal
  ? await fromFiles(values.posts!, values.queries!, { most: QUERIES })
  : simulated(Number(values.size), QUERIES)
const asked = [...given(corpus), ...(await drawn(corpus))]
const postings = await read(corpus, asked)
console.log(`${corpus.name}, ${postings.tokens.toFixed(1)} words a post`)
console.table(
  Object.fromEntries(
    [...Map.groupBy(asked, (each) => each.set)].map(([set, list]) => [set, figures(list)]),
  ),
)

/** The corpus's own queries, without their filters. */
function given(of: Corpus): Asked[] {
  return of.queries.flatMap(({ q, kind }) => {
    const { root } = queryOf(of, q, 'relevance')
    const nodes = root === null ? [] : root.kind === 'and' ? root.nodes : [root]
    const words = nodes.flatMap((node) => (node.kind === 'word' ? placesOf(node.text) : []))
    return words.length === 0 ? [] : [{ set: `given: ${kind}`, words }]
  })
}

/** One to six words of a post, drawn as the simulator draws its queries, so that real posts can be queried alike. */
async function drawn(of: Corpus): Promise<Asked[]> {
  const random = createRandom(1)
  const list: Asked[] = []
  const every = Math.floor(of.count / QUERIES)
  let i = 0
  for await (const { text } of of.documents()) {
    if (i++ % every !== 0) continue
    const { tokens } = analyze(text, null)
    const count = 1 + Math.floor(random() * 6)
    const chosen = new Set<string>()
    for (let t = 0; t < count * 3 && chosen.size < count && tokens.length > 0; t++) {
      const { start, end } = tokens[Math.floor(random() * tokens.length)]!
      chosen.add(text.slice(start, end).toLowerCase())
    }
    const words = [...chosen].flatMap(placesOf)
    if (words.length > 0)
      list.push({ set: `drawn: ${chosen.size < 4 ? chosen.size : '4–6'} words`, words })
  }
  return list
}

function placesOf(text: string): string[][] {
  const sequence = analyzeQueryWord(text).alternatives[0] ?? []
  return sequence.map(({ toks, stems }) => [...toks, ...stems])
}

/** The posts that hold each of the words. */
async function read(of: Corpus, queries: readonly Asked[]) {
  const lists = new Map<readonly string[], number[]>()
  const byTerm = new Map<string, number[][]>()
  for (const word of queries.flatMap((each) => each.words)) {
    const list: number[] = []
    lists.set(word, list)
    for (const term of new Set(word)) byTerm.set(term, [...(byTerm.get(term) ?? []), list])
  }
  let post = 0
  let tokens = 0
  for await (const { document } of of.documents()) {
    tokens += document.toks.length
    for (const term of new Set([...document.toks, ...document.stems])) {
      for (const list of byTerm.get(term) ?? []) if (list.at(-1) !== post) list.push(post)
    }
    post++
  }
  return { of: (word: readonly string[]) => lists.get(word)!, tokens: tokens / post, posts: post }
}

function figures(list: readonly Asked[]) {
  const dfs = list.flatMap((each) => each.words.map((word) => postings.of(word).length))
  const matches = list.map(({ words }) =>
    words.map((word) => new Set(postings.of(word))).reduce((a, b) => a.intersection(b)),
  )
  const found = matches.map((each) => each.size)
  // A drawn query's own post is there at any size; the number of other matches grows with the size.
  const atMillion = found.map((n) => (n === 0 ? 0 : 1 + ((n - 1) * MILLION) / postings.posts))
  const few = (counts: readonly number[]) =>
    `${Math.round((counts.filter((n) => n < PAGE).length / counts.length) * 100)} %`
  return {
    queries: list.length,
    'df, % of posts (p10 p25 p50 p75 p90)': quantiles(dfs.map((df) => (df / postings.posts) * 100)),
    'matches of all words': quantiles(found),
    'of a million': quantiles(atMillion),
    none: `${Math.round((found.filter((n) => n === 0).length / found.length) * 100)} %`,
    'under 20': few(found),
    'under 20 of a million': few(atMillion),
  }
}

function quantiles(numbers: readonly number[]): string {
  const sorted = numbers.toSorted((a, b) => a - b)
  return [0.1, 0.25, 0.5, 0.75, 0.9]
    .map((share) => Number(sorted[Math.floor(sorted.length * share)]!.toPrecision(2)))
    .join(' ')
}
