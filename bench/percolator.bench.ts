/**
 * How many posts a second can be matched with a thousand watches and three hundred streams on one core, and how much memory
 * their queries take. With "hostile", each requires nothing but a language and leaves out fifty prefixes of its own.
 *
 *     npm run bench -- percolator [-- <queries> [<posts> [hostile]]]
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packDocument, unpackDocument } from '../src/search/document-codec.ts'
import {
  createPercolator,
  PercolatedPost,
  standingQuery,
} from '../src/search/percolator/percolator.ts'
import { NOW, queryOf, simulated } from './search-corpus.ts'

const [QUERIES = 1_300, POSTS = 10_000] = process.argv.slice(2, 4).map(Number)
const isHostile = process.argv.includes('hostile')

const collect = globalThis.gc ?? (() => {})
const heapMb = () => {
  collect()
  return process.memoryUsage().heapUsed / 2 ** 20
}
const corpus = simulated(POSTS, QUERIES / 2)
const documents: Uint8Array[] = []
for await (const { document } of corpus.documents()) documents.push(packDocument(document))

/** Three letters, another each time. */
const lettersOf = (n: number) =>
  [0, 1, 2].map((i) => String.fromCharCode(97 + (Math.floor(n / 26 ** i) % 26))).join('')
const queries = isHostile
  ? Array.from({ length: QUERIES }, (_, i) =>
      ['lang:en', ...Array.from({ length: 50 }, (_, j) => `-${lettersOf(i * 50 + j)}*`)].join(' '),
    )
  : [...corpus.queries, ...corpus.others].map(({ q }) => q)
const before = heapMb()
const percolator = createPercolator<number>()
let refused = 0
const addedAt = process.cpuUsage()
queries.forEach((q, i) => {
  try {
    percolator.add(i, standingQuery(queryOf(corpus, q, 'newest'), NOW))
  } catch {
    // What the strict parser refuses, the service reads leniently; this concerns a handful of questions.
    refused++
  }
})
const addMs = cpuMs(addedAt)
const queriesMb = heapMb() - before

let matches = 0
const startedAt = process.cpuUsage()
for (const bytes of documents) {
  matches += percolator.match(new PercolatedPost(unpackDocument(bytes))).length
}
const matchMs = cpuMs(startedAt)

const result = {
  queries: percolator.size,
  refused,
  queriesMb: Math.round(queriesMb),
  addedPerSecond: Math.round((percolator.size / addMs) * 1000),
  posts: POSTS,
  postsPerSecond: Math.round((POSTS / matchMs) * 1000),
  matchesPerPost: Math.round((matches / POSTS) * 10) / 10,
  meanDocumentBytes: Math.round(
    documents.reduce((sum, each) => sum + each.length, 0) / documents.length,
  ),
}
console.table(result)
writeFileSync(
  join(import.meta.dirname, 'results', 'percolator.json'),
  `${JSON.stringify(result, null, 2)}\n`,
)
if (result.postsPerSecond < (isHostile ? 50 : 1_000) || result.queriesMb > 200) process.exitCode = 1

function cpuMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1000
}
