import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Clock } from '../../model/clock.ts'
import type { PostRef } from '../../model/post.ts'
import type { SearchQuery } from '../../model/query.ts'
import { SEARCH_LIMITS, type SearchLimits } from '../limits.ts'
import { createRandom, sampleDocument, sampleQuery, type Random } from './sample.ts'
import { createMemoryIndex } from '../scan.ts'
import type { IndexWriter, SearchIndex } from '../search-index.ts'

export interface Opened extends AsyncDisposable {
  readonly index: SearchIndex
  readonly writer: IndexWriter
}

/** An adapter's new index, whose searches may cost so much. */
export type Open = (clock: Clock, limits: SearchLimits) => Promise<Opened>

/** What every adapter must do: the same as the oracle, whatever was written and whatever is asked. */
export function describeSearchIndex(
  open: Open,
  options: { readonly seeds: readonly number[]; readonly queries: number },
): void {
  describe('a search index', () => {
    for (const seed of options.seeds) {
      test(`answers as the oracle does, seed ${seed}`, () =>
        compareWithOracle(open, seed, options.queries))
    }
    test('answers as the oracle does where every bound is met', async () => {
      for (const seed of options.seeds)
        await compareWithOracle(open, seed + 1000, options.queries, SMALL_LIMITS)
    })
  })
}

const START = Date.UTC(2026, 2, 14, 9, 26, 53)

/** Bounds so low that a few dozen posts meet them all. */
export const SMALL_LIMITS: SearchLimits = {
  ...SEARCH_LIMITS,
  total: 40,
  // More than the longest page, as in earnest.
  tiers: [13, 9],
  relaxedWords: 3,
  relaxedPostings: 40,
  relaxedLeast: 2,
  relaxedCandidates: 25,
  relaxedLooks: 60,
  relaxedRead: 2,
  facetValues: 3,
  expansionEach: 2,
}

export async function compareWithOracle(
  open: Open,
  seed: number,
  queries: number,
  limits = SEARCH_LIMITS,
): Promise<void> {
  const random = createRandom(seed)
  let now = START
  const clock: Clock = { now: () => now, elapsed: () => now, sleep: () => Promise.resolve() }
  const oracle = createMemoryIndex(clock, limits)
  await using opened = await open(clock, limits)
  const writers = [oracle.writer, opened.writer]
  const texts: string[] = []
  const asked: SearchQuery[] = []
  for (let round = 0; round < 6; round++) {
    await write(random, now, texts, writers)
    for (let i = 0; i < queries; i++) {
      // Some are asked again of what has changed since, as an index may remember what it found.
      const earlier = random() < 0.3 ? asked[Math.floor(random() * asked.length)] : undefined
      const query = earlier ?? sampleQuery(random, now)
      asked.push(query)
      await compareWalk(oracle.index, opened.index, query, `seed ${seed} round ${round} query ${i}`)
    }
    assert.deepEqual(await contents(opened.index), await contents(oracle.index))
    for (const number of [1, 5, 9]) {
      const ref = { channelId: 1 + Math.floor(random() * 6), number }
      assert.deepEqual(await group(opened.index, ref), await group(oracle.index, ref))
    }
    now += Math.floor(random() * 3) * 24 * 3_600_000 + 1_000
  }
}

async function write(
  random: Random,
  now: number,
  texts: string[],
  writers: readonly IndexWriter[],
): Promise<void> {
  const documents = Array.from({ length: 5 + Math.floor(random() * 60) }, () =>
    sampleDocument(random, now, texts),
  )
  const again = documents
    .filter(() => random() < 0.2)
    .map((each) => ({ ...each, revision: 3, views: each.views + 50, subscribers: 77 }))
  const refs = documents.filter(() => random() < 0.2)
  const updates = documents.map((each) => ({ ...each, views: 50 + Math.floor(random() * 900) }))
  const dropped = random() < 0.15 ? 1 + Math.floor(random() * 6) : null
  const grown = { channelId: 2, subscribers: Math.floor(random() * 9000) }
  const isExpiring = random() < 0.5
  for (const writer of writers) {
    await writer.apply({ puts: documents })
    await writer.apply({
      puts: again,
      removals: refs,
      counters: updates,
      channels: [grown],
      removedChannels: dropped === null ? [] : [dropped],
    })
    if (isExpiring) await writer.expire(now - 30 * 24 * 3_600_000)
  }
}

/** Every page of the walk, hits, totals, facets and all. */
async function compareWalk(
  oracle: SearchIndex,
  index: SearchIndex,
  query: SearchQuery,
  name: string,
): Promise<void> {
  const seen = new Set<string>()
  let after: [SearchQuery['after'], SearchQuery['after']] = [null, null]
  for (let n = 0; n < 30; n++) {
    const expected = await answer(oracle, { ...query, after: after[0] })
    const actual = await answer(index, { ...query, after: after[1] })
    assert.deepEqual(actual.told, expected.told, `${name} page ${n}: ${JSON.stringify(query)}`)
    for (const key of actual.shown) {
      assert.ok(!seen.has(key), `${name} shows ${key} twice: ${JSON.stringify(query)}`)
      seen.add(key)
    }
    if (!actual.next) return
    after = [expected.next, actual.next]
  }
}

/** What is told must be equal; positions and the numbers of groups are each index's own affair. */
async function answer(index: SearchIndex, query: SearchQuery) {
  try {
    const { next, ...result } = await index.search(query)
    const hits = result.hits.map((hit) => ({
      ...hit,
      cluster: hit.cluster && { ...hit.cluster, id: '' },
    }))
    return {
      told: { ...result, hits, hasNext: next !== null },
      shown: hits.map((hit) => `${hit.channelId}/${hit.number}`),
      next,
    }
  } catch (error) {
    return { told: String(error), shown: [], next: null }
  }
}

async function group(index: SearchIndex, ref: PostRef) {
  const found = await index.duplicates(ref, 5)
  return found && { ...found, cluster: { ...found.cluster, id: '' } }
}

async function contents(index: SearchIndex) {
  const { generation: _, bytes: __, ...rest } = await index.state()
  return rest
}
