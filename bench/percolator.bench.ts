/**
 * How many posts a second can be matched with 100 000 standing queries on one core, and how much memory the queries take.
 *
 *     npm run bench -- percolator [-- <queries> [<posts>]]
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

const [QUERIES = 100_000, POSTS = 10_000] = process.argv.slice(2).map(Number)
/** Term frequencies are learnt from these posts before the queries are added, as in a process that has run for a while. */
const LEARNT = 2_000

const collect = globalThis.gc ?? (() => {})
const heapMb = () => {
  collect()
  return process.memoryUsage().heapUsed / 2 ** 20
}
const corpus = simulated(LEARNT + POSTS, QUERIES / 2)
const documents: Uint8Array[] = []
for await (const { document } of corpus.documents()) documents.push(packDocument(document))

const queries = [...corpus.queries, ...corpus.others].map(({ q }) => q)
const before = heapMb()
const percolator = createPercolator<number>()
for (const bytes of documents.slice(0, LEARNT)) {
  percolator.match(new PercolatedPost(unpackDocument(bytes)))
}
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
for (const bytes of documents.slice(LEARNT)) {
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
if (result.postsPerSecond < 1_000 || result.queriesMb > 200) process.exitCode = 1

function cpuMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1000
}
