/**
 * How well the order of hits fits the query, compared with BM25 over stems and over folded words: nDCG@10 for each judged set.
 * `node bench/relevance.ts --sets FOLDER [--only NAME,…] [--show 10]`. Each set is a folder of three files of
 * tab-separated lines, with `\n` for a line break inside a text:
 *
 * - `docs.tsv`: id, language, text;
 * - `queries.tsv`: id, query;
 * - `judgements.tsv`: query's id, document's id, grade from 1 to 3.
 *
 * No set is part of this repository. Documents become posts of random but fixed ages in the window.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createRandom, plainSearch } from '../src/search/contract/sample.ts'
import { WINDOW_MS } from '../src/search/search-index.ts'
import { AppError } from '../src/model/errors.ts'
import { createStillClock } from '../src/simulator/clocks.ts'
import { readQuery } from '../src/text/query/read-query.ts'
import { derivedOf, documentsOf, JUDGED_NOW, ndcg } from '../test/judged/evaluate.ts'
import { openPlainIndex } from '../test/plain-index.ts'
import { createBm25 } from './relevance-bm25.ts'

interface Asked {
  readonly q: string
  readonly grades: ReadonlyMap<string, number>
}

interface Outcome {
  readonly q: string
  readonly ours: number
  readonly stems: number
  readonly words: number
  /** Why ours scores lower than BM25 over stems; null if it does not. */
  readonly cause: string | null
}

/** Smaller differences do not count. */
const EPSILON = 0.005

const SIGNS: readonly (readonly [string, RegExp])[] = [
  ['address', /https?:\/\/|www\.|t\.me\//i],
  ['@name', /(?<![\p{L}\p{N}])@\p{L}/u],
  ['#tag', /(?<![\p{L}\p{N}])#\p{L}/u],
  ['quote', /["“”„«»]/],
  ['emoji', /\p{Extended_Pictographic}/u],
  ['operator sign', /[|*=()]|(?<!\S)-\S|\b(?:OR|NOT|AND)\b|\p{L}:\S/u],
]

const { values } = parseArgs({
  options: {
    sets: { type: 'string' },
    only: { type: 'string' },
    show: { type: 'string', default: '0' },
  },
})
if (values.sets === undefined) throw new Error('--sets FOLDER names the folder of judged sets')
const chosen = values.only?.split(',')
const names = readdirSync(values.sets).filter((name) => !chosen || chosen.includes(name))
const rows: Record<string, ReturnType<typeof summary>> = {}
const all: Outcome[] = []
for (const name of names.toSorted()) {
  const outcomes = await measure(join(values.sets, name))
  rows[name] = summary(outcomes)
  all.push(...outcomes)
  show(outcomes, Number(values.show))
}
console.table({ ...rows, 'all queries': summary(all) })
console.table(causes(all))

async function measure(folder: string): Promise<Outcome[]> {
  const random = createRandom(7)
  const posts = tsv(folder, 'docs.tsv').map(([id, language, text], i) => ({
    id: id!,
    derived: derivedOf({
      number: i + 1,
      channelId: 1 + Math.floor(random() * 50),
      language: language!,
      publishedAt: JUDGED_NOW - Math.floor(random() * (WINDOW_MS - 3_600_000)),
      subscribers: 1000,
      text: text!.replaceAll(String.raw`\n`, '\n'),
    }),
  }))
  await using plain = await openPlainIndex(createStillClock(JUDGED_NOW))
  const documents = await documentsOf(posts.map((post) => post.derived))
  for (let at = 0; at < documents.length; at += 1000) {
    await plain.writer.apply({ puts: documents.slice(at, at + 1000) })
  }
  const idOf = new Map(posts.map(({ id, derived }) => [derived.document.number, id]))
  const listed = posts.map(({ id, derived: { document } }) => ({ id, document }))
  const [stems, words] = [createBm25(listed, 'stems'), createBm25(listed, 'toks')]

  async function ours(q: string): Promise<readonly string[] | 'refused'> {
    try {
      const { root } = readQuery(q, { now: JUDGED_NOW })
      const search = plainSearch(JUDGED_NOW, { root, sort: 'relevance', limit: 10 })
      const { hits } = await plain.index.search(search)
      return hits.map((hit) => idOf.get(hit.number)!)
    } catch (error) {
      if (error instanceof AppError) return 'refused'
      throw error
    }
  }

  const outcomes: Outcome[] = []
  for (const { q, grades } of readQueries(folder)) {
    const found = await ours(q)
    const score = found === 'refused' ? 0 : ndcg(found, grades)
    const byStems = stems(q)
    const rival = ndcg(byStems, grades)
    const cause = score < rival - EPSILON ? causeOf(q, found, grades) : null
    outcomes.push({ q, ours: score, stems: rival, words: ndcg(words(q), grades), cause })
  }
  return outcomes
}

function readQueries(folder: string): Asked[] {
  const judged = Map.groupBy(tsv(folder, 'judgements.tsv'), ([query]) => query)
  return tsv(folder, 'queries.tsv').flatMap(([id, q]) => {
    const grades = judged.get(id)?.map(([, doc, grade]) => [doc!, Number(grade)] as const)
    return grades ? [{ q: q!, grades: new Map(grades) }] : []
  })
}

function tsv(folder: string, name: string): string[][] {
  const lines = readFileSync(join(folder, name), 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => line.split('\t'))
}

/** What became of the wanted post, and a sign in the query that may be the reason. */
function causeOf(
  q: string,
  found: readonly string[] | 'refused',
  grades: ReadonlyMap<string, number>,
): string {
  const sign = SIGNS.find(([, pattern]) => pattern.test(q))?.[0] ?? 'words alone'
  if (found === 'refused') return `refused, ${sign}`
  if (found.length === 0) return `found nothing, ${sign}`
  return `${found.some((id) => grades.has(id)) ? 'too low' : 'not on the page'}, ${sign}`
}

function summary(outcomes: readonly Outcome[]) {
  const mean = (of: (outcome: Outcome) => number) =>
    Number((outcomes.reduce((sum, each) => sum + of(each), 0) / outcomes.length).toFixed(3))
  return {
    queries: outcomes.length,
    ours: mean((each) => each.ours),
    'BM25, stems': mean((each) => each.stems),
    'BM25, words': mean((each) => each.words),
    won: outcomes.filter((each) => each.ours > each.stems + EPSILON).length,
    lost: outcomes.filter((each) => each.cause !== null).length,
  }
}

function causes(outcomes: readonly Outcome[]) {
  const lost = outcomes.filter((each) => each.cause !== null)
  const byCause = [...Map.groupBy(lost, (each) => each.cause!)]
  return byCause
    .map(([cause, list]) => ({
      cause,
      lost: list.length,
      points: Number(list.reduce((sum, each) => sum + each.stems - each.ours, 0).toFixed(1)),
    }))
    .sort((a, b) => b.points - a.points)
}

function show(outcomes: readonly Outcome[], count: number): void {
  const worst = outcomes
    .filter((each) => each.cause !== null)
    .sort((a, b) => b.stems - b.ours - (a.stems - a.ours))
  for (const { q, ours, stems, cause } of worst.slice(0, count)) {
    console.log(`${ours.toFixed(2)} / ${stems.toFixed(2)}  ${cause}: ${q}`)
  }
}
