/**
 * The same posts, changed in the same way, in an archive in files and in one on PostgreSQL and OpenSearch: both have to give
 * the same answers. Sorted by time and by views, over several pages, with and without copies, ids, totals, facets and groups
 * are equal whenever both answers say that they are complete. By relevance the first ten hits agree by 95 % on average, and
 * answers to judged queries are as good.
 *
 * `npm run prove -- same-answers [-- <posts.ndjson.gz> <queries.tsv> [posts] [queries]]`, on the engines that tests have; without
 * files on simulated posts, and with numbers on that many posts and queries.
 */
import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import { FACETS, type SearchQuery, type SearchResult } from '../../src/model/query.ts'
import { AppError } from '../../src/model/errors.ts'
import { openEmbedded } from '../../src/search/contract/open-embedded.ts'
import { AGREEMENT, compareRanked, sharedBy } from '../../src/search/contract/ranked.ts'
import { plainSearch } from '../../src/search/contract/sample.ts'
import { readQuery } from '../../src/text/query/read-query.ts'
import { fill, openOnFiles, openOnServers } from '../cluster/same-archives.ts'
import { NOW, postsOfFiles, simulatedPosts } from '../cluster/same-posts.ts'
import { judgedSet, readJudged } from '../judged/evaluate.ts'
import { openOnCluster } from '../open-on-cluster.ts'

const SHOWN = 20
/** How many searches run at once. */
const FLIGHTS = 4

/** The variants of every query whose answers have to be equal. */
const EXACT: Readonly<Record<string, Partial<SearchQuery>>> = {
  'newest, facets': { sort: 'newest', facets: FACETS },
  oldest: { sort: 'oldest' },
  views: { sort: 'views' },
  'newest, without copies': { sort: 'newest', collapse: true },
  'newest, exact forms, every word': { sort: 'newest', match: 'exact', strict: true },
}

interface Sum {
  asked: number
  /** Both say that they are complete. */
  whole: number
  equal: number
}

const [postsFile, queriesFile, posts = Infinity, queries = Infinity] = process.argv.slice(2)
const corpus =
  postsFile === undefined || queriesFile === undefined
    ? simulatedPosts(20_000, 400)
    : await postsOfFiles(postsFile, queriesFile, {
        posts: Number(posts),
        queries: Number(queries),
      })

await using files = await openOnFiles()
await using servers = await openOnServers()
const ids = await fill(files, corpus)
const held = (await files.store.archive.totals()).posts
console.log(`${held} posts on files`)
assert.deepEqual(await fill(servers, corpus), ids, 'channels have the same numbers in both')
assert.equal((await servers.store.archive.totals()).posts, held)
console.log(`${held} posts on servers`)

const differing: string[] = []
for (const set of ['given', 'drawn'] as const) {
  const asked = corpus[set].flatMap(parsed)
  console.log(`${set}: ${asked.length} queries`)
  for (const [how, wish] of Object.entries(EXACT)) {
    const sum: Sum = { asked: 0, whole: 0, equal: 0 }
    await inFlights(asked, async ({ text, query }) => {
      const [isWhole, difference] = await compare({ ...query, ...wish })
      sum.asked++
      if (isWhole) sum.whole++
      if (isWhole && difference === undefined) sum.equal++
      if (difference !== undefined) differing.push(`${set}, ${how}, ${text}: ${difference}`)
    })
    console.log(`  ${how}: ${JSON.stringify(sum)}`)
  }
  const shared: number[] = []
  await inFlights(asked, async ({ query }) => {
    const [ours, theirs] = await both({ ...query, sort: 'relevance', limit: 10 })
    shared.push(sharedBy(refs(ours), refs(theirs)))
  })
  const mean = shared.reduce((sum, share) => sum + share, 0) / shared.length
  console.log(`  relevance: ${mean.toFixed(4)} of the first ten are the same`)
  if (mean < AGREEMENT) differing.push(`${set}, relevance: ${mean} of the first ten are the same`)
}
console.log(await compareRanked(openOnCluster(), openEmbedded, await judgedSet(readJudged())))
for (const each of differing.slice(0, 40)) console.log(each)
assert.equal(differing.length, 0, `${differing.length} answers differ`)

interface Asked {
  readonly text: string
  readonly query: SearchQuery
}

function parsed(text: string): Asked[] {
  try {
    const { root } = readQuery(text, { now: NOW })
    const named = (_: string, value: { kind?: string; value?: string } | null): unknown =>
      value?.kind === 'channel' ? { ...value, value: String(ids.get(value.value!) ?? -1) } : value
    const known = JSON.parse(JSON.stringify(root), named) as SearchQuery['root']
    return [{ text, query: plainSearch(NOW, { root: known, limit: SHOWN }) }]
  } catch (error) {
    // Some of what people type is not a query, and both would refuse it.
    if (error instanceof AppError) return []
    throw error
  }
}

function both(query: SearchQuery): Promise<[SearchResult, SearchResult]> {
  return Promise.all([files.index.search(query), servers.index.search(query)])
}

function refs({ hits }: SearchResult): string[] {
  return hits.map((hit) => `${hit.channelId}/${hit.number}`)
}

/** What must be equal; group ids are each archive's own. */
function told({ hits, total, facets }: SearchResult): Readonly<Record<string, unknown>> {
  const shown = hits.map(({ channelId, number, cluster }) => ({
    post: `${channelId}/${number}`,
    cluster: cluster && { size: cluster.size, channels: cluster.channels, first: cluster.first },
  }))
  return { total, ...facets, shown }
}

/** Compares one page, or three with facets: whether both are complete, and how they differ. */
async function compare(query: SearchQuery): Promise<[isWhole: boolean, difference?: string]> {
  let [ours, theirs] = await both(query)
  for (let page = 1; ; page++) {
    if (!ours.complete || !theirs.complete) return [false]
    const [a, b] = [told(ours), told(theirs)]
    const differing = Object.keys(a).find((name) => !isDeepStrictEqual(a[name], b[name]))
    if (differing !== undefined) {
      const both = [a, b].map((answer) => `\n  ${JSON.stringify(answer[differing]).slice(0, 700)}`)
      return [true, `${differing} of page ${page}${both.join('')}`]
    }
    if ((ours.next === null) !== (theirs.next === null)) return [true, `end of page ${page}`]
    if (page === (query.facets.length > 0 ? 3 : 1) || ours.next === null) return [true]
    ;[ours, theirs] = await Promise.all([
      files.index.search({ ...query, after: ours.next }),
      servers.index.search({ ...query, after: theirs.next }),
    ])
  }
}

async function inFlights<T>(list: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = list.values()
  await Promise.all(
    Array.from({ length: FLIGHTS }, async () => {
      for (const item of waiting) await work(item)
    }),
  )
}
