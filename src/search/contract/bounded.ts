import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { IncompleteReason } from '../../model/incomplete.ts'
import { FACETS, type QueryNode, type SearchQuery, type SearchResult } from '../../model/query.ts'
import { SEARCH_LIMITS, type SearchLimits } from '../limits.ts'
import { comparePages } from './exact.ts'
import { createRandom, plainSearch, sampleDocument } from './sample.ts'
import { hitsOf, openStage, refsOf, walk, type Open, type Stage } from './stage.ts'

const AT = { start: 0, end: 0 }
const word = (text: string): QueryNode => ({ kind: 'word', text, ...AT })
const prefix = (text: string): QueryNode => ({ kind: 'prefix', text, ...AT })
const and = (...nodes: QueryNode[]): QueryNode => ({ kind: 'and', nodes })

interface Case {
  /** Set so low that a few dozen posts reach them. */
  readonly limits: Partial<SearchLimits>
  readonly asked: Partial<SearchQuery>
  /** The reason given by an engine that stops there. */
  readonly reason: IncompleteReason
}

/** Every limit at which an engine may stop before it has all matches. */
const STOPS: Readonly<Record<string, Case>> = {
  'facets count more matches than may be looked at': {
    limits: { visits: 20 },
    asked: { facets: FACETS },
    reason: 'visits',
  },
  'the most viewed are looked for among more matches than that': {
    limits: { visits: 20 },
    asked: { sort: 'views' },
    reason: 'visits',
  },
  'matches cost more postings than may be read': {
    limits: { postings: 30 },
    asked: { root: word('metro') },
    reason: 'postings',
  },
  'a prefix stands for more words than each may': {
    limits: { expansionEach: 2 },
    asked: { root: prefix('run') },
    reason: 'prefix',
  },
  'prefixes stand for more words than all may': {
    limits: { expansion: 1, expansionLeast: 1 },
    asked: { root: prefix('run') },
    reason: 'prefix',
  },
  'a prefix is begun by more words than are looked at': {
    limits: { expansionLook: 2, expansionLeast: 1, expansionEach: 2 },
    asked: { root: prefix('run') },
    reason: 'prefix',
  },
  'a phrase may end in more words than are looked at': {
    limits: { phraseEndings: 0 },
    asked: { root: prefix('covid-1') },
    reason: 'prefix',
  },
  'a group has more members before the first that matches than may be looked at': {
    limits: { collapseLooks: 1 },
    asked: { root: { kind: 'has', value: 'photo', ...AT }, collapse: true },
    reason: 'groups',
  },
  'all groups together have': {
    limits: { collapseLooksInAll: 2 },
    asked: { root: { kind: 'has', value: 'photo', ...AT }, collapse: true },
    reason: 'groups',
  },
  'more facet values are equally frequent than may be named': {
    limits: { facetNames: 1 },
    asked: { facets: ['hashtag', 'domain'] },
    reason: 'facets',
  },
}

/** Limits on what is ranked: there may be fewer hits, but no false ones. */
const RANKED: Readonly<Record<string, Partial<SearchLimits>>> = {
  'few candidates are ranked together': { tiers: [13, 9] },
  'few words of a question are looked up': { relaxedWords: 1 },
  'few of their postings are': { relaxedPostings: 8, relaxedLeast: 1 },
  'each gets a few': { relaxedLeast: 1 },
  'few candidates hold some of the words': { relaxedCandidates: 3 },
  'they are looked at for few words': { relaxedLooks: 6 },
  'where posts hold the words is not found out': { placesDecoding: 10 },
  'every word counts as common': { commonShare: 0 },
}

/** Where a limit is reached, each engine may stop at its own point. The answer says so, and what it shows is correct. */
export function describeBounded(
  open: Open,
  /** Reasons that this engine never gives, because it does not stop there. */
  { never = [] }: { readonly never?: readonly IncompleteReason[] } = {},
): void {
  /** Shared by all cases, as none of them writes. */
  let opening: Promise<Stage> | undefined
  after(async () => (await opening)?.[Symbol.asyncDispose]())

  async function openWritten(): Promise<Stage> {
    const stage = await openStage(open, 55)
    await stage.write(120)
    await stage.write(60)
    return stage
  }

  async function stageOf(limits: Partial<SearchLimits>): Promise<Stage> {
    const stage = await (opening ??= openWritten())
    const index = await stage.openBounded({ ...SEARCH_LIMITS, ...limits })
    return { ...stage, index, [Symbol.asyncDispose]: () => index[Symbol.asyncDispose]() }
  }

  describe('an answer is complete or says that it is not', () => {
    for (const [name, { limits, asked, reason }] of Object.entries(STOPS)) {
      test(`where ${name}`, async () => {
        await using stage = await stageOf(limits)
        const query = plainSearch(stage.now(), { limit: 7, ...asked })
        const pages = await walk(stage.index, query)
        const reasons = new Set(pages.map((page) => page.reason))
        reasons.delete(null)
        if (reasons.size === 0) {
          assert.ok(never.includes(reason), 'the bound was not met')
          assert.ok(await comparePages(stage, query))
          return
        }
        assert.deepEqual([...reasons], [reason])
        holdToTruth(stage, query, pages)
      })
    }

    test('where there are more matches than are counted, the total says so', async () => {
      await using stage = await stageOf({ total: 20 })
      const ask = async (said: Partial<SearchQuery>) =>
        (await stage.index.search(plainSearch(stage.now(), said))).total
      assert.deepEqual(await ask({}), { value: 20, relation: 'gte' })
      const few = plainSearch(stage.now(), { root: and(word('flood'), word('water')) })
      const { length } = stage.scan.search(few).matches
      assert.ok(length < 20)
      assert.deepEqual(await ask({ root: few.root }), { value: length, relation: 'eq' })
    })

    test('where there are more facet values than are returned, the most frequent are returned', async () => {
      await using stage = await stageOf({ facetValues: 2 })
      const query = plainSearch(stage.now(), { facets: ['channel', 'lang', 'hashtag', 'has'] })
      const { facets, complete } = await stage.index.search(query)
      assert.ok(complete)
      for (const [name, values] of Object.entries(stage.scan.search(query).facets)) {
        assert.deepEqual(facets[name as 'lang'], values.slice(0, 2), name)
      }
    })

    test('where partial matches have more copies than may be examined, the earliest is shown', async () => {
      const now = Date.UTC(2026, 2, 14, 9, 26, 53)
      await using opened = await open({ now: () => now, elapsed: () => now, sleep: async () => {} })
      const puts = [1, 2, 3, 4, 5].map((channelId) => ({
        ...sampleDocument(createRandom(channelId), now, []),
        channelId,
        number: 1,
        publishedAt: now - channelId * 60_000,
        toks: ['metro'],
        stems: ['metro'],
        group: 1,
      }))
      await opened.writer.apply({ puts })
      await using index = await opened.openBounded({ ...SEARCH_LIMITS, collapseLooks: 3 })
      const root = and(word('metro'), word('votes'))
      const query = plainSearch(now, { root, sort: 'relevance', collapse: true })
      const { hits, complete } = await index.search(query)
      assert.deepEqual(refsOf(hits), ['5/1'])
      assert.ok(complete)
    })

    test('where copies of one post would fill page after page, pages are full all the same', async () => {
      const now = Date.UTC(2026, 2, 14, 9, 26, 53)
      await using opened = await open({ now: () => now, elapsed: () => now, sleep: async () => {} })
      const puts = Array.from({ length: 120 }, (_, i) => ({
        ...sampleDocument(createRandom(i), now, []),
        channelId: 1,
        number: i + 1,
        publishedAt: now - (i < 20 ? 200 - i : 120 - i) * 60_000,
        toks: ['metro'],
        stems: ['metro'],
        views: i < 20 ? 0 : 7,
        group: i < 20 ? null : 1,
      }))
      await opened.writer.apply({ puts })
      for (const sort of ['newest', 'oldest', 'views'] as const) {
        const query = plainSearch(now, { root: word('metro'), sort, collapse: true, limit: 4 })
        const [first, ...others] = await walk(opened.index, query)
        assert.equal(first!.hits.length, 4)
        assert.ok([first!, ...others].every(({ complete }) => complete))
        assert.equal(hitsOf([first!, ...others]).length, 21)
      }
    })

    for (const [name, limits] of Object.entries(RANKED)) {
      test(`by relevance, where ${name}`, async () => {
        await using stage = await stageOf(limits)
        const root = and(word('metro'), word('closed'), word('water'), word('votes'))
        for (const asked of [root, word('metro')]) {
          const query = plainSearch(stage.now(), { root: asked, sort: 'relevance', limit: 7 })
          const pages = await walk(stage.index, query)
          assert.ok(hitsOf(pages).length > 0)
          holdToTruth(stage, query, pages)
        }
      })
    }
  })
}

/** Nothing is shown twice, out of order, or without matching. */
function holdToTruth(stage: Stage, query: SearchQuery, pages: readonly SearchResult[]): void {
  const hits = hitsOf(pages)
  const { matches } = stage.scan.search(query)
  const found = refsOf(hits)
  assert.equal(new Set(found).size, found.length, 'no post twice')
  const places = new Map(refsOf(matches).map((ref, place) => [ref, place]))
  const strict = refsOf(hits.filter((hit) => hit.matched === 'all'))
  for (const ref of strict) assert.ok(places.has(ref), `${ref} does not match`)
  for (const hit of hits) assert.equal(hit.missing.length > 0, hit.matched === 'some')
  for (const { total, complete } of pages) {
    assert.ok(total.value <= matches.length)
    if (total.relation === 'eq' && complete) assert.equal(total.value, matches.length)
  }
  if (query.sort === 'relevance') return
  const order = strict.map((ref) => places.get(ref)!)
  assert.deepEqual(
    order,
    order.toSorted((a, b) => a - b),
    'in the order asked for',
  )
}
