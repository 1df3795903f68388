import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { QueryNode } from '../model/query.ts'
import { parseQuery } from '../text/query/parse-query.ts'
import { createRandom, plainSearch, sampleDocument, sampleQuery } from './contract/sample.ts'
import { mostFrequent } from './expand.ts'
import type { TermStats } from './expr.ts'
import { planSearch } from './plan.ts'
import { planRemote, planUnranked, type TermAnswers, type TermQuestions } from './plan-remote.ts'
import { accentedTerm, factTerms, stemTerm } from './terms.ts'

const NOW = Date.UTC(2026, 5, 1)
const random = createRandom(41)
const stats = { ...statsOfPosts(300), mayLag: true }

function statsOfPosts(posts: number): TermStats {
  const counts = new Map<string, number>()
  const texts: string[] = []
  for (let i = 0; i < posts; i++) {
    const document = sampleDocument(random, NOW, texts)
    const { toks, stems, accented } = document
    const held = [
      ...toks,
      ...stems.map(stemTerm),
      ...accented.map(accentedTerm),
      ...factTerms(document),
    ]
    for (const term of new Set(held)) counts.set(term, (counts.get(term) ?? 0) + 1)
  }
  return {
    posts,
    df: (term) => counts.get(term) ?? 0,
    expand(prefix, limit, look) {
      const found = [...counts.keys()].filter((term) => term.startsWith(prefix)).sort()
      const family = found.slice(0, look + 1).map((term) => ({ term, df: counts.get(term)! }))
      return mostFrequent(family, limit, look)
    },
  }
}

/** An index that answers asynchronously and records what it was asked. */
function farAway() {
  const asked: TermQuestions[] = []
  async function fetch(questions: TermQuestions): Promise<TermAnswers> {
    asked.push(questions)
    return {
      posts: stats.posts,
      df: new Map(questions.terms.map((term) => [term, stats.df(term)])),
      expansions: new Map(
        questions.prefixes.map(({ prefix, limit, look }) => [
          prefix,
          stats.expand(prefix, limit, look),
        ]),
      ),
    }
  }
  return { asked, fetch }
}

function hasPrefix(node: QueryNode): boolean {
  if (node.kind === 'not') return hasPrefix(node.node)
  if (node.kind === 'and' || node.kind === 'or') return node.nodes.some(hasPrefix)
  return node.kind === 'prefix' || ('text' in node && node.text.includes('*'))
}

test('a remote index gets the same plan as a local one, with one request, or two for prefixes', async () => {
  for (let i = 0; i < 500; i++) {
    const query = sampleQuery(random, NOW)
    const { asked, fetch } = farAway()
    const told = JSON.stringify(query.root)
    const atHand = planSearch(query, NOW, stats)
    if (atHand.units.length < 2) continue
    assert.deepEqual(await planRemote(query, NOW, fetch), atHand, told)
    const most = query.root && hasPrefix(query.root) ? 2 : 1
    assert.ok(asked.length <= most, `${asked.length} times for ${told}`)
  }
})

test('a query of one word, phrase or prefix is planned without a request: its rarity orders nothing', async () => {
  for (const text of ['flood', '"metro closed"', 'flo*', 'flood -metro', 'is:forward']) {
    const { asked, fetch } = farAway()
    const query = plainSearch(NOW, { root: parseQuery(text, { now: NOW }), sort: 'relevance' })
    const { units, ...plan } = await planRemote(query, NOW, fetch)
    const { units: _, ...unranked } = planUnranked(query, NOW)
    assert.deepEqual(plan, unranked)
    assert.deepEqual(
      units.map(({ idf }) => idf),
      text === 'is:forward' ? [] : [1],
    )
    assert.equal(asked.length, 0)
  }
})

test('without any frequency, a plan matches the same posts', async () => {
  for (let i = 0; i < 500; i++) {
    const query = sampleQuery(random, NOW)
    const { fetch } = farAway()
    const {
      units: _,
      relaxable: __,
      ...known
    } = await planRemote(query, NOW, async (questions) => {
      return { ...(await fetch(questions)), expansions: new Map() }
    })
    const { units: ___, relaxable: ____, ...plan } = planUnranked(query, NOW)
    assert.deepEqual(plan, known, JSON.stringify(query.root))
  }
})

test('a form that no post held a moment ago is still searched for', async () => {
  const { fetch } = farAway()
  const query = plainSearch(NOW, { root: parseQuery('zzxqj', { now: NOW }) })
  const { expr } = await planRemote(query, NOW, fetch)
  assert.ok(expr?.kind === 'any' && expr.terms.includes(stemTerm('zzxqj')))
})

test('a word that no post holds does not affect the look-up of the others', async () => {
  const { asked, fetch } = farAway()
  const root = parseQuery('zzxqj running “zzxqj metro” zzxqj-metro', { now: NOW })
  const query = plainSearch(NOW, { root, sort: 'relevance' })
  assert.deepEqual(await planRemote(query, NOW, fetch), planSearch(query, NOW, stats))
  assert.equal(asked.length, 1)
  for (const term of ['zzxqj', 'running', 'metro', stemTerm('metro')]) {
    assert.ok(asked[0]!.terms.includes(term), term)
  }
})

test('prefixes that the engine expands itself are passed on as prefixes', async () => {
  const query = plainSearch(NOW, { root: parseQuery('run* metro-clo*', { now: NOW }) })
  const { fetch } = farAway()
  const plan = await planRemote(query, NOW, async (questions) => {
    return { ...(await fetch(questions)), expansions: new Map() }
  })
  assert.deepEqual(plan.expr, {
    kind: 'and',
    parts: [
      { kind: 'any', terms: [], prefix: 'run' },
      { kind: 'phrase', toks: ['metro'], ending: { prefix: 'clo', toks: [] } },
    ],
  })
  assert.ok(plan.complete)
})
