import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import {
  FACETS,
  SORTS,
  type FacetName,
  type QueryNode,
  type SearchQuery,
  type SearchResult,
  type Sort,
} from '../../model/query.ts'
import { partsOf } from '../../model/query-tree.ts'
import { SEARCH_LIMITS } from '../limits.ts'
import { FILTERED, NODES } from './filtered.ts'
import { createRandom, plainSearch, sampleDocument, sampleQuery } from './sample.ts'
import type { Expected } from './scan.ts'
import { hitsOf, openStage, refsOf, shareIndex, walk, type Open, type Stage } from './stage.ts'

const DAY_MS = 24 * 3_600_000
const FACET_VALUES = SEARCH_LIMITS.facetValues

/**
 * What an index must find wherever it says that its answer is complete: exactly what the oracle finds, which looks at
 * every post and shares no plan with any engine.
 */
export function describeExact(
  open: Open,
  { seed = 1, queries = 10 }: { readonly seed?: number; readonly queries?: number } = {},
): void {
  const shared = shareIndex(open)
  after(() => shared.close())

  /** A few rounds of writing and searching; some queries are repeated after changes. */
  async function ask(
    said: (query: SearchQuery) => Partial<SearchQuery>,
    check: (stage: Stage, query: SearchQuery) => Promise<boolean>,
  ): Promise<void> {
    await using stage = await openStage(shared.open, seed)
    const { random } = stage
    const asked: SearchQuery[] = []
    let complete = 0
    for (let round = 0; round < 4; round++) {
      await stage.write()
      for (let i = 0; i < queries; i++) {
        const earlier = random() < 0.3 ? asked[Math.floor(random() * asked.length)] : undefined
        const drawn = sampleQuery(random, stage.now())
        const query = earlier ?? { ...drawn, ...said(drawn) }
        asked.push(query)
        if (await check(stage, query)) complete++
      }
      await stage.pass(Math.floor(random() * 3) * DAY_MS + 1_000)
    }
    assert.ok(complete > asked.length * 0.9, `${complete} of ${asked.length} answers were complete`)
  }

  /** Enough posts that every condition matches some of them, but not all. */
  let opening: Promise<Stage> | undefined
  const filtered = () => (opening ??= openFiltered(open))
  after(async () => (await opening)?.[Symbol.asyncDispose]())

  describe('an index finds exactly', () => {
    for (const sort of ['newest', 'oldest', 'views'] as const) {
      test(`every match once, page by page, by ${sort}, and counts them`, () =>
        ask(() => ({ sort, collapse: false, facets: [] }), comparePages))
    }

    test('every match by relevance, before posts that hold only some of the words', () =>
      ask(() => ({ sort: 'relevance' }), compareRelevance))

    test('the earliest matching member of each group, and the size of the group', () =>
      ask(({ sort }) => ({ collapse: true, sort: timely(sort) }), comparePages))

    test('how many matches each value of a facet has', () =>
      ask(
        ({ sort, facets }) => ({ facets: facets.length > 0 ? facets : FACETS, sort: timely(sort) }),
        comparePages,
      ))

    test('facet values of equal frequency in code point order, also where the list is cut off', async () => {
      await using stage = await openStage(shared.open, seed)
      const common = Array.from({ length: FACET_VALUES - 1 }, (_, i) => `tag${100 + i}`)
      // Beyond U+FFFF, and a letter that follows it in UTF-16 order.
      const hashtags = ['\u{10428}', ...common, '\uffdc']
      const document = sampleDocument(stage.random, stage.now(), [])
      const query = plainSearch(stage.now(), { facets: ['hashtag'] })
      const told = async () => {
        const { facets } = await stage.index.search(query)
        return facets.hashtag!.map(({ value }) => value)
      }
      await stage.apply({ puts: [{ ...document, publishedAt: stage.now() - 1_000, hashtags }] })
      assert.deepEqual(await told(), [...common, '\uffdc'])
      assert.ok(await comparePages(stage, query))
    })

    for (const [name, filters] of Object.entries(FILTERED)) {
      test(`the posts that a filter lets through: ${name}`, async () =>
        compareFiltered(await filtered(), filters))
    }
    for (const [name, root] of Object.entries(NODES)) {
      test(`the posts that a query asks for: ${name}`, async () =>
        compareFiltered(await filtered(), { root }))
    }

    test('the posts of one second in the order of their numbers, by time in either direction', async () => {
      await using stage = await openStage(shared.open, seed)
      const document = sampleDocument(stage.random, stage.now(), [])
      const publishedAt = stage.now() - 5_000
      const puts = [2, 1, 3].map((number) => {
        return { ...document, channelId: 1, number, publishedAt: publishedAt + number, group: null }
      })
      await stage.apply({ puts })
      for (const [sort, numbers] of [
        ['newest', [3, 2, 1]],
        ['oldest', [1, 2, 3]],
      ] as const) {
        const query = plainSearch(stage.now(), { sort })
        const { hits } = await stage.index.search(query)
        assert.deepEqual(
          hits.map(({ number }) => number),
          numbers,
        )
        assert.ok(await comparePages(stage, query))
      }
    })

    test('the other members of a post’s group, the earliest first', async () => {
      await using stage = await openStage(shared.open, seed)
      await stage.write(80)
      let groups = 0
      for (const post of stage.scan.posts.values()) {
        const members = refsOf(stage.scan.members(post))
        const found = await stage.index.duplicates(post, 5)
        const told = found && { size: found.cluster.size, members: refsOf(found.members) }
        const is = { size: members.length, members: members.slice(0, 5) }
        assert.deepEqual(told, members.length > 1 ? is : undefined)
        if (found) groups++
      }
      assert.ok(groups > 5)
    })

    test('the posts, channels and newest date that its state reports', async () => {
      await using stage = await openStage(shared.open, seed)
      const told = async () => {
        const { posts, channels, newestPostAt } = await stage.index.state()
        return { posts, channels, newestPostAt }
      }
      // An engine may count only now and then.
      const tells = async (held: Awaited<ReturnType<typeof told>>) => {
        for (let i = 0; i < 600 && !isDeepStrictEqual(await told(), held); i++) await sleep(100)
        assert.deepEqual(await told(), held)
      }
      await tells({ posts: 0, channels: 0, newestPostAt: null })
      await stage.write()
      await stage.pass(2_000)
      const posts = [...stage.scan.posts.values()]
      await tells({
        posts: posts.length,
        channels: new Set(posts.map((post) => post.channelId)).size,
        newestPostAt: Math.max(...posts.map((post) => post.publishedAt)),
      })
    })

    test('the same after a batch is applied twice', async () => {
      await using stage = await openStage(shared.open, seed)
      await stage.write()
      const batch = {
        puts: Array.from({ length: 20 }, () => sampleDocument(stage.random, stage.now(), [])),
        removals: [...stage.scan.posts.values()].slice(0, 3),
        removedChannels: [4],
      }
      const query = plainSearch(stage.now(), { facets: FACETS, limit: 100 })
      await stage.apply(batch)
      const once = await stage.index.search(query)
      await stage.apply(batch)
      assert.deepEqual(told(await stage.index.search(query)), told(once))
      assert.ok(await comparePages(stage, query))
    })

    test('the posts of a new generation once it is swapped in, and not before', async () => {
      await using stage = await openStage(shared.open, seed)
      await stage.write()
      const query = plainSearch(stage.now(), { limit: 100 })
      const before = await stage.index.search(query)
      const random = createRandom(seed + 1)
      const puts = [1, 2, 3].map((number) => ({
        ...sampleDocument(random, stage.now(), []),
        publishedAt: stage.now() - number * 1_000,
        channelId: 9,
        number,
      }))
      await using next = await stage.writer.startGeneration(7)
      await next.apply({ puts })
      assert.deepEqual(refsOf((await stage.index.search(query)).hits), refsOf(before.hits))
      await next.swap()
      assert.deepEqual(refsOf((await stage.index.search(query)).hits), ['9/1', '9/2', '9/3'])
    })
  })
}

const timely = (sort: Sort) => (sort === 'relevance' ? 'newest' : sort)

/** Without group numbers and positions, which differ between indexes. */
function told({ next, hits, ...result }: SearchResult) {
  return { ...result, hits: refsOf(hits), hasNext: next !== null }
}

/** Resolves to whether the answers were complete. */
export async function comparePages(stage: Stage, query: SearchQuery): Promise<boolean> {
  const pages = await walk(stage.index, query)
  if (isIncomplete(pages)) return false
  const expected = stage.scan.search(query)
  const about = JSON.stringify(query)
  assert.deepEqual(refsOf(hitsOf(pages)), refsOf(expected.shown), about)
  for (const page of pages.slice(0, -1)) assert.equal(page.hits.length, query.limit, about)
  compareCounts(stage, query, pages, expected)
  return true
}

async function compareRelevance(stage: Stage, query: SearchQuery): Promise<boolean> {
  const pages = await walk(stage.index, query)
  if (isIncomplete(pages)) return false
  const expected = stage.scan.search(query)
  const about = JSON.stringify(query)
  const hits = hitsOf(pages)
  const strict = hits.filter((hit) => hit.matched === 'all')
  assert.equal(new Set(refsOf(hits)).size, hits.length, `no post twice: ${about}`)
  assert.deepEqual(refsOf(strict).sort(), refsOf(expected.shown).sort(), about)
  assert.deepEqual(hits.slice(0, strict.length), strict, `whole matches come first: ${about}`)
  // Only words may be missing; every other condition holds for every hit.
  const allowed = stage.scan.search({ ...query, root: withoutWords(query.root), collapse: false })
  const some = refsOf(hits.slice(strict.length))
  const ruledOut = new Set(some).difference(new Set(refsOf(allowed.matches)))
  assert.deepEqual([...ruledOut], [], about)
  for (const hit of hits.slice(strict.length)) assert.ok(hit.missing.length > 0, about)
  compareCounts(stage, query, pages, expected)
  return true
}

function withoutWords(root: QueryNode | null): QueryNode | null {
  const required = partsOf(root).filter((node) => node.kind !== 'word' && node.kind !== 'quote')
  return required.length > 0 ? { kind: 'and', nodes: required } : null
}

function isIncomplete(pages: readonly SearchResult[]): boolean {
  for (const { complete, reason } of pages) assert.equal(complete, reason === null)
  return pages.some((page) => !page.complete)
}

function compareCounts(
  stage: Stage,
  query: SearchQuery,
  pages: readonly SearchResult[],
  { matches, facets }: Expected,
): void {
  const about = JSON.stringify(query)
  for (const page of pages) {
    assert.deepEqual(page.total, { value: matches.length, relation: 'eq' }, about)
    const most = (name: FacetName) => (name === 'day' || name === 'hour' ? Infinity : FACET_VALUES)
    for (const name of query.facets) {
      assert.deepEqual(page.facets[name], facets[name]!.slice(0, most(name)), `${name}: ${about}`)
    }
    for (const hit of page.hits) {
      const members = query.collapse ? stage.scan.members(hit) : []
      const size = members.length > 1 ? members.length : undefined
      assert.equal(hit.cluster?.size, size, about)
      if (!hit.cluster) continue
      const channels = new Set(members.map((member) => member.channelId)).size
      assert.deepEqual(
        [hit.cluster.channels, refsOf([hit.cluster.first])],
        [channels, refsOf(members.slice(0, 1))],
      )
    }
  }
}

async function openFiltered(open: Open): Promise<Stage> {
  const stage = await openStage(open, 77)
  await stage.write(150)
  return stage
}

/** Tests one condition alone, on posts of which it matches some but not all. */
async function compareFiltered(stage: Stage, said: Partial<SearchQuery>): Promise<void> {
  for (const sort of SORTS) {
    const all = stage.scan.search(plainSearch(stage.now(), {})).matches.length
    const query = plainSearch(stage.now(), {
      ...said,
      ...at(stage.now(), said),
      sort,
      strict: true,
      limit: 50,
    })
    const { length } = stage.scan.search(query).matches
    assert.ok(length > 0 && length < all, `${length} of ${all} posts are let through`)
    assert.ok(await (sort === 'relevance' ? compareRelevance : comparePages)(stage, query))
  }
}

/** Times in the tables are ages. */
function at(
  now: number,
  { since, until, arrivedSince, root }: Partial<SearchQuery>,
): Partial<SearchQuery> {
  return {
    ...(since !== undefined && { since: now - since }),
    ...(until !== undefined && { until: now - until }),
    ...(arrivedSince != null && { arrivedSince: now - arrivedSince }),
    ...(root &&
      (root.kind === 'after' || root.kind === 'before') && {
        root: { ...root, at: now - root.at },
      }),
  }
}
