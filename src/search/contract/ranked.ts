import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clock } from '../../model/clock.ts'
import type { SearchQuery } from '../../model/query.ts'
import { SEARCH_LIMITS } from '../limits.ts'
import type { IndexDocument } from '../search-index.ts'
import { refsOf, type Open } from './stage.ts'

/** Posts and questions about them, with a measure of how good a list of answers is. */
export interface JudgedSet {
  readonly clock: Clock
  readonly documents: readonly IndexDocument[]
  readonly queries: readonly {
    readonly query: SearchQuery
    /** nDCG@10 of these posts, `channel/number` each. */
    rate(found: readonly string[]): number
  }[]
}

/** How far an engine may be from the one that is known, and how many of the first ten hits both show. */
const TOLERANCE = 0.005
const AGREEMENT = 0.95

/**
 * By relevance one ranker orders what each engine thinks worth ranking, by frequencies that each knows in its own way. So no
 * score is held, but how good the answers are and that the first ten are mostly the same.
 */
export function describeRanked(open: Open, known: Open, judged: JudgedSet): void {
  test('by relevance, answers are as good as those of the engine that is known, and mostly the same', async (t) => {
    const [ours, theirs] = [await firstTen(open, judged), await firstTen(known, judged)]
    const rated = (answers: readonly string[][]) =>
      mean(judged.queries.map(({ rate }, i) => rate(answers[i]!)))
    const shared = mean(
      ours.map((found, i) => {
        const both = new Set(found).intersection(new Set(theirs[i]))
        return Math.max(found.length, theirs[i]!.length) === 0
          ? 1
          : both.size / Math.max(found.length, theirs[i]!.length)
      }),
    )
    t.diagnostic(`nDCG@10 ${rated(ours)} and ${rated(theirs)}, ${shared} of the first ten shared`)
    assert.ok(Math.abs(rated(ours) - rated(theirs)) <= TOLERANCE)
    assert.ok(shared >= AGREEMENT)
  })
}

async function firstTen(open: Open, { clock, documents, queries }: JudgedSet): Promise<string[][]> {
  await using opened = await open(clock, SEARCH_LIMITS)
  await opened.writer.apply({ puts: documents })
  const answers: string[][] = []
  for (const { query } of queries) answers.push(refsOf((await opened.index.search(query)).hits))
  return answers
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
