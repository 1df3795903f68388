import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import type { QueryNode, SearchQuery } from '../../model/query.ts'
import { NO_FILTERS, plainSearch } from '../contract/sample.ts'
import { planSearch } from '../plan.ts'
import { facetOf, matching, weighted, type Narrowing } from './query-dsl.ts'

const NOW = Date.UTC(2026, 0, 31)
const AT = { start: 0, end: 0 }
const LIVE = { term: { live: '1' } }
const WINDOW = { range: { sec: { gte: NOW / 1000 - 30 * 86_400, lt: NOW / 1000 + 1 } } }

function filterOf(said: Partial<SearchQuery>, narrowing?: Narrowing) {
  const stats = {
    posts: 1_000,
    mayLag: true,
    df: () => 5,
    expand: () => ({ toks: [], complete: true }),
  }
  const plan = planSearch(plainSearch(NOW, { match: 'exact', ...said }), NOW, stats)
  const { bool } = matching(plan, narrowing) as {
    bool: { filter: readonly unknown[]; must_not?: unknown }
  }
  const not = bool.must_not === undefined ? [] : [{ not: bool.must_not }]
  const isLive = isDeepStrictEqual(bool.filter[0], LIVE)
  const [window, ...rest] = isLive ? bool.filter.slice(1) : bool.filter
  assert.deepEqual(window, WINDOW)
  return { isLive, rest: [...rest, ...not] }
}

const asked = (...about: Parameters<typeof filterOf>) => filterOf(...about).rest

const of = (root: QueryNode) => asked({ root })
const word = (text: string): QueryNode => ({ kind: 'word', text, ...AT })

test('every post of the window is selected by the time range alone', () => {
  assert.deepEqual(asked({}), [])
})

test('removed posts are left out where they could match: they have no terms, but a time', () => {
  const isLive = (root: QueryNode | null) => filterOf({ root }).isLive
  const flood = word('flood')
  const notFlood: QueryNode = { kind: 'not', node: flood }
  assert.ok(isLive(null))
  assert.ok(isLive(notFlood))
  assert.ok(isLive({ kind: 'or', nodes: [flood, notFlood] }))
  assert.ok(!isLive(flood))
  assert.ok(!isLive({ kind: 'prefix', text: 'covid-1', ...AT }))
  assert.ok(!isLive({ kind: 'and', nodes: [flood, notFlood] }))
  assert.ok(!isLive({ kind: 'or', nodes: [flood, word('metro')] }))
  assert.ok(!filterOf({ root: notFlood }, { hasTerm: true }).isLive)
})

test('a word is a term in the field of words, anything else a term in the field of keys', () => {
  assert.deepEqual(of(word('flood')), [{ term: { w: 'flood' } }])
  assert.deepEqual(of({ kind: 'hashtag', value: 'news', ...AT }), [{ term: { k: '#news' } }])
  assert.deepEqual(of({ kind: 'channel', value: '12', ...AT }), [{ term: { k: ':c12' } }])
  assert.deepEqual(of({ kind: 'has', value: 'photo', ...AT }), [{ term: { k: ':hphoto' } }])
})

test('a word in any form is searched by its stems, and as itself where accents change it', () => {
  const [query] = asked({ match: 'stem', root: word('flood') })
  const { k } = (query as { terms: { k: string[] } }).terms
  assert.ok(k.includes('=flood'))
  assert.ok(k.length > 1 && k.every((term) => /^[~=]/.test(term)), k.join(' '))
})

test('a compound in any form may have another ending or be written as one word', () => {
  const [query] = asked({ match: 'stem', root: word('F-16') })
  const { should } = (query as { bool: { should: readonly unknown[] } }).bool
  assert.deepEqual(should[0], { match_phrase: { w: 'f 16' } })
  assert.match(JSON.stringify(should[1]), /"f16"/)
  const compound = JSON.stringify(asked({ match: 'stem', root: word('Нью-Йорк') }))
  assert.match(compound, /"match_phrase":\{"w":"нью йорк"\}/)
  const near = JSON.stringify({ slop: 0, in_order: true }).slice(1)
  assert.ok(compound.includes('{"span_near":{"clauses":[{"span_term":{"w":"нью"}},{"span_or":'))
  assert.ok(compound.includes(near))
  assert.deepEqual(of(word('F-16')), [{ match_phrase: { w: 'f 16' } }])
})

test('phrases, phrases that end in a prefix, and prefixes become different queries', () => {
  assert.deepEqual(of({ kind: 'phrase', text: 'metro line closed', ...AT }), [
    { match_phrase: { w: 'metro line closed' } },
  ])
  assert.deepEqual(of({ kind: 'prefix', text: 'covid-1', ...AT }), [
    { match_phrase_prefix: { w: { query: 'covid 1', max_expansions: 1_000 } } },
  ])
  assert.deepEqual(of({ kind: 'prefix', text: 'run', ...AT }), [
    { prefix: { w: { value: 'run' } } },
  ])
})

test('and, or and not become bool queries', () => {
  const nodes = [word('flood'), word('metro')]
  assert.deepEqual(of({ kind: 'and', nodes }), [
    { bool: { filter: [{ term: { w: 'flood' } }, { term: { w: 'metro' } }] } },
  ])
  assert.deepEqual(of({ kind: 'or', nodes }), [
    {
      bool: {
        should: [{ term: { w: 'flood' } }, { term: { w: 'metro' } }],
        minimum_should_match: 1,
      },
    },
  ])
  assert.deepEqual(of({ kind: 'not', node: word('flood') }), [
    { bool: { must_not: [{ term: { w: 'flood' } }] } },
  ])
})

test('filters and ranges are separate conditions', () => {
  const filters = {
    ...NO_FILTERS,
    channel: { any: [3, 4], none: [] },
    lang: { any: [], none: ['en'] },
    minViews: 200,
    minReactions: 2,
  }
  const root: QueryNode = { kind: 'not', node: { kind: 'min_views', value: 900, ...AT } }
  assert.deepEqual(asked({ filters, root, arrivedSince: NOW - 5_000 }), [
    { range: { views: { gte: 200, lt: 900 } } },
    { range: { reactions: { gte: 2 } } },
    { range: { arrived: { gte: NOW / 1000 - 5 } } },
    {
      bool: {
        filter: [
          { terms: { k: [':c3', ':c4'] } },
          { bool: { must_not: [{ term: { k: ':len' } }] } },
        ],
      },
    },
  ])
})

test('narrowing adds sequence numbers, large channels, further conditions and exclusions', () => {
  const more = [{ terms: { grp: [1] } }]
  assert.deepEqual(asked({}, { maxSeq: 7, channels: 'AAAA', more, but: [{ term: { w: 'x' } }] }), [
    { range: { seq: { lte: 7 } } },
    { terms: { ch: ['AAAA'], value_type: 'bitmap' } },
    { terms: { grp: [1] } },
    { not: [{ term: { w: 'x' } }] },
  ])
})

test('facets are terms aggregations ordered by count, days and hours are histograms', () => {
  assert.deepEqual(facetOf('hashtag', 20), {
    terms: {
      field: 'tag',
      size: 20,
      shard_size: 5_000,
      order: [{ _count: 'desc' }, { _key: 'asc' }],
      execution_hint: 'map',
    },
  })
  assert.deepEqual(facetOf('day', 20), {
    histogram: { field: 'sec', interval: 86_400, min_doc_count: 1 },
  })
})

test('words of a relaxed query are weighted', () => {
  assert.deepEqual(weighted([{ query: { term: { w: 'flood' } }, weight: 1.5 }]), [
    { constant_score: { filter: { term: { w: 'flood' } }, boost: 1.5 } },
  ])
})
