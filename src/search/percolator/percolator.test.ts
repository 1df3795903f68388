import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AppError } from '../../model/errors.ts'
import type { SearchQuery } from '../../model/query.ts'
import { FILTERED, NODES } from '../contract/filtered.ts'
import { parseQuery } from '../../text/query/parse-query.ts'
import { createRandom, plainSearch, sampleDocument, sampleQuery } from '../contract/sample.ts'
import { createScan, refKey } from '../contract/scan.ts'
import { packDocument, unpackDocument } from '../document-codec.ts'
import type { IndexDocument } from '../search-index.ts'
import {
  createPercolator,
  PercolatedPost,
  predicateOf,
  readPercolatedPost,
  standingQuery,
} from './percolator.ts'

const NOW = Date.UTC(2026, 2, 14, 9, 26, 53)
const clock = { now: () => NOW, elapsed: () => NOW, sleep: async () => {} }

function samplePosts(seed: number, count: number) {
  const random = createRandom(seed)
  const texts: string[] = []
  const posts = Array.from({ length: count }, (_, i) => ({
    ...sampleDocument(random, NOW, texts),
    number: i + 1,
  }))
  return { random, posts }
}

/** What a search would find according to the oracle, which shares no plan with any engine. */
function oracle(posts: readonly IndexDocument[]) {
  const scan = createScan(clock)
  scan.apply({ puts: posts })
  return (query: SearchQuery) =>
    scan
      .search({ ...query, collapse: false, facets: [] })
      .matches.map(refKey)
      .toSorted()
}

describe('a percolator', () => {
  test('finds for each post exactly the queries that would find it', () => {
    const { random, posts } = samplePosts(7, 150)
    const queries = new Map(
      Array.from({ length: 250 }, (_, i) => [i, sampleQuery(random, NOW)] as const),
    )
    const extra = [...Object.values(FILTERED), ...Object.values(NODES).map((root) => ({ root }))]
    for (const fields of extra) queries.set(queries.size, plainSearch(NOW, fields))
    const percolator = createPercolator<number>()
    for (const [key, query] of queries) percolator.add(key, standingQuery(query, NOW))
    const told = new Map<number, string[]>([...queries.keys()].map((key) => [key, []]))
    for (const post of posts) {
      const keys = percolator.match(new PercolatedPost(post))
      assert.equal(new Set(keys).size, keys.length, 'each once')
      for (const key of keys) told.get(key)!.push(refKey(post))
    }
    const found = oracle(posts)
    const judged = posts.map((post) => new PercolatedPost(post))
    let matches = 0
    for (const [key, query] of queries) {
      const expected = found(query)
      matches += expected.length
      assert.deepEqual(told.get(key)!.toSorted(), expected, JSON.stringify(query))
      const judge = predicateOf(standingQuery(query, NOW))
      const alone = judged.filter(judge).map(({ document }) => refKey(document))
      assert.deepEqual(alone.toSorted(), expected, 'and so does a judge of one query')
    }
    assert.ok(matches > 1_000, `${matches} matches`)
  })

  test('forgets deleted queries, and replaces the query of a key', () => {
    const { random, posts } = samplePosts(3, 60)
    const percolator = createPercolator<string>()
    const queries = Array.from({ length: 50 }, () => sampleQuery(random, NOW))
    const count = () => posts.flatMap((post) => percolator.match(new PercolatedPost(post))).length
    const [kept] = queries
    percolator.add('kept', standingQuery(kept!, NOW))
    const alone = count()
    queries.forEach((query, i) => percolator.add(String(i), standingQuery(query, NOW)))
    assert.ok(count() > alone)
    queries.forEach((query, i) =>
      percolator.add(String(i), standingQuery(queries.at(i - 1) ?? query, NOW)),
    )
    assert.equal(percolator.size, 51)
    queries.forEach((_, i) => percolator.delete(String(i)))
    percolator.delete('never there')
    assert.deepEqual([percolator.size, count()], [1, alone])
  })

  test('compares a post only with queries whose longest required word it holds', () => {
    const asked = (q: string) =>
      standingQuery(plainSearch(NOW, { root: parseQuery(q, { now: NOW }) }), NOW)
    const [any] = samplePosts(9, 1).posts
    const percolator = createPercolator<string>()
    const compared: string[] = []
    for (const q of ['sea harbour', 'lang:en -harbour', 'sea OR tide', '"the sea" tidal', 'ros*']) {
      const query = asked(q)
      percolator.add(q, {
        ...query,
        get root() {
          compared.push(q)
          return query.root
        },
      })
    }
    compared.length = 0
    const toks = ['the', 'sea', 'rose']
    percolator.match(new PercolatedPost({ ...any!, language: 'en', toks, stems: toks }))
    assert.deepEqual([...new Set(compared)].toSorted(), ['lang:en -harbour', 'ros*', 'sea OR tide'])
  })

  test('tells the beginning of a word from a whole word that is written like it', () => {
    const asked = (q: string) =>
      standingQuery(plainSearch(NOW, { root: parseQuery(q, { now: NOW }) }), NOW)
    const [any] = samplePosts(9, 1).posts
    const of = (word: string) => {
      const toks = ['f', word]
      return new PercolatedPost({ ...any!, publishedAt: NOW, toks, stems: toks, accented: [] })
    }
    const percolator = createPercolator<string>()
    for (const q of ['F16', 'F-16*']) percolator.add(q, asked(q))
    assert.deepEqual(percolator.match(of('16')).toSorted(), ['F-16*', 'F16'])
    assert.deepEqual(percolator.match(of('16c')), ['F-16*'])
  })

  test('rejects a query with nothing to search for', () => {
    const empty = { kind: 'word', text: '…', start: 0, end: 1 } as const
    const refused = (error: unknown) => error instanceof AppError && error.code === 'invalid_query'
    assert.throws(() => standingQuery(plainSearch(NOW, { root: empty }), NOW), refused)
  })
})

test('a document is unpacked as it was packed', () => {
  const { posts } = samplePosts(5, 100)
  const nothing = { ...posts[0]!, toks: [], stems: [] }
  for (const post of [...posts, nothing]) assert.deepEqual(unpackDocument(packDocument(post)), post)
})

test('bytes that are damaged or in another format are no post', () => {
  const { posts } = samplePosts(6, 1)
  const packed = packDocument(posts[0]!)
  const { entities: _entities, ...withoutList } = posts[0]!
  const { group: _group, ...withoutGroup } = posts[0]!
  const others = [withoutList, withoutGroup].map((each) => packDocument(each as IndexDocument))
  for (const bytes of [
    new Uint8Array(),
    packed.subarray(0, -1),
    packed.map((byte) => ~byte),
    ...others,
  ])
    assert.equal(readPercolatedPost(bytes), undefined)
  assert.deepEqual(readPercolatedPost(packed)?.document, posts[0])
})
