import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clock } from '../../model/clock.ts'
import { SORTS, type SearchQuery, type Sort } from '../../model/query.ts'
import { SEARCH_LIMITS } from '../limits.ts'
import type { IndexDocument } from '../search-index.ts'
import { analyze } from '../../text/analyze.ts'
import { parseQuery } from '../../text/query/parse-query.ts'
import { readQuery } from '../../text/query/read-query.ts'
import { createRandom, plainSearch, sampleDocument } from './sample.ts'
import { refsOf, type Open } from './stage.ts'

/** Posts and queries, with a measure of how good a list of answers is. */
export interface JudgedSet {
  readonly clock: Clock
  readonly documents: readonly IndexDocument[]
  readonly queries: readonly {
    readonly query: SearchQuery
    /** nDCG@10 of these posts, given as `channel/number`. */
    rate(found: readonly string[]): number
  }[]
}

/** How far nDCG@10 may be from the reference engine's, and the share of the first ten hits that both must show. */
const TOLERANCE = 0.005
export const AGREEMENT = 0.95

/**
 * By relevance, one ranker orders the candidates that each engine selects, with document frequencies that each determines
 * in its own way. So no scores are compared, only how good the answers are, and that the first ten are mostly the same.
 */
export function describeRanked(open: Open, known: Open, judged: () => Promise<JudgedSet>): void {
  test('by relevance, answers are as good as those of the reference engine, and mostly the same', async (t) => {
    t.diagnostic(await compareRanked(open, known, await judged()))
  })
}

/** Resolves to a description of the measurements; rejects if they are not good enough. */
export async function compareRanked(open: Open, known: Open, judged: JudgedSet): Promise<string> {
  const [ours, theirs] = [await firstTen(open, judged), await firstTen(known, judged)]
  const rated = (answers: readonly string[][]) =>
    mean(judged.queries.map(({ rate }, i) => rate(answers[i]!)))
  const shared = mean(ours.map((found, i) => sharedBy(found, theirs[i]!)))
  const told = `nDCG@10 ${rated(ours)} and ${rated(theirs)}, ${shared} of the first ten shared`
  assert.ok(Math.abs(rated(ours) - rated(theirs)) <= TOLERANCE, told)
  assert.ok(shared >= AGREEMENT, told)
  return told
}

/** The share of the longer list that both contain. */
export function sharedBy(ours: readonly string[], theirs: readonly string[]): number {
  const most = Math.max(ours.length, theirs.length)
  return most === 0 ? 1 : new Set(ours).intersection(new Set(theirs)).size / most
}

const PREFIXES = ['flo*', 'run* flood', 'metro clo*', 'зак*', 'flo* OR sto*']

/** Prefixes weigh as much as whole words, whichever side expands them. */
export function describePrefixRanks(open: Open, known: Open): void {
  test('by relevance, posts found by a prefix are ranked as by the reference engine', async () => {
    const now = Date.UTC(2026, 2, 14, 9, 26, 53)
    const clock: Clock = { now: () => now, elapsed: () => now, sleep: () => Promise.resolve() }
    const random = createRandom(21)
    const texts: string[] = []
    const documents = Array.from({ length: 300 }, () => sampleDocument(random, now, texts))
    const queries = PREFIXES.map((text) => ({
      query: plainSearch(now, { root: parseQuery(text, { now }), sort: 'relevance', limit: 10 }),
    }))
    const ours = await firstTen(open, { clock, documents, queries })
    const theirs = await firstTen(known, { clock, documents, queries })
    assert.ok(theirs.every((found) => found.length === 10))
    const shared = ours.map((found, i) => found.filter((ref) => theirs[i]!.includes(ref)).length)
    assert.ok(mean(shared) >= 10 * AGREEMENT, `${shared.join(', ')} of the first ten are the same`)
  })
}

/** Posts with some of the words are read up to limits, from the newest of those that the search may find at all. */
export function describeRelaxed(open: Open): void {
  test('by relevance, posts that hold some of the words are found in a short period and in one channel', async () => {
    const now = Date.UTC(2026, 2, 14, 9, 26, 53)
    const clock: Clock = { now: () => now, elapsed: () => now, sleep: () => Promise.resolve() }
    await using opened = await open(clock)
    const puts = Array.from({ length: 1_000 }, (_, i) => {
      const word = i % 20 === 10 ? 'storm' : i % 2 === 0 ? 'metro' : 'tunnel'
      return {
        ...sampleDocument(createRandom(i), now, []),
        channelId: i % 25 === 10 ? 7 : 1,
        number: i + 1,
        publishedAt: now - (i + 1) * 43 * 60_000,
        toks: [word],
        stems: [`${word}/en`],
        entities: [],
        group: null,
      }
    })
    await opened.writer.apply({ puts })
    const limits = { ...SEARCH_LIMITS, relaxedPostings: 80, relaxedLeast: 40 }
    await using index = await opened.openBounded(limits)
    const found = async (about: Partial<SearchQuery>) => {
      const root = parseQuery('metro tunnel', { now })
      const query = plainSearch(now, { root, sort: 'relevance', limit: 100, ...about })
      return new Set((await index.search(query)).hits.map(({ number }) => number))
    }
    const holding = puts.filter(({ toks }) => !toks.includes('storm'))
    const expected = (isMeant: (post: IndexDocument) => boolean) =>
      new Set(holding.filter(isMeant).map(({ number }) => number))
    const since = now - 86_400_000
    const ofLastDay = expected(({ publishedAt }) => publishedAt >= since)
    assert.deepEqual(await found({ since }), ofLastDay)
    assert.deepEqual(await found({ since, until: now + 86_400_000 }), ofLastDay)
    const filters = { ...plainSearch(now, {}).filters, channel: { any: [7], none: [] } }
    assert.deepEqual(
      await found({ filters }),
      expected(({ channelId }) => channelId === 7),
    )
  })
}

/** A long pasted text, of which every word is asked for by its accented form and by its stems. */
export function describeLongTexts(open: Open): void {
  test('by relevance, a pasted text of sixty accented words and a hashtag finds the post without the hashtag', async () => {
    const now = Date.UTC(2026, 2, 14, 9, 26, 53)
    const clock: Clock = { now: () => now, elapsed: () => now, sleep: () => Promise.resolve() }
    await using opened = await open(clock)
    const letters = [...'bcdfgklmnp']
    const words = letters.flatMap((a) => letters.slice(0, 6).map((b) => `é${a}é${b}a`))
    const { tokens } = analyze(words.join(' '), 'fr')
    const post: IndexDocument = {
      ...sampleDocument(createRandom(1), now, []),
      publishedAt: now - 60_000,
      language: 'fr',
      toks: tokens.map(({ tok }) => tok),
      stems: tokens.map(({ stem }) => stem),
      accented: tokens.filter(({ isAccented }) => isAccented).map(({ tok }) => tok),
      entities: [],
      hashtags: [],
    }
    await opened.writer.apply({ puts: [post] })
    const { root } = readQuery(`${words.join(' ')}. #économie`, { now })
    for (const collapse of [false, true]) {
      const query = plainSearch(now, { root, sort: 'relevance', collapse })
      const { hits } = await opened.index.search(query)
      assert.deepEqual(
        hits.map(({ number, matched, missing }) => [number, matched, missing]),
        [[post.number, 'some', ['économie']]],
      )
    }
  })
}

export function describeCorrections(open: Open): void {
  test('a word that no post holds is corrected for typos, keyboard layout and transliteration', async () => {
    const now = Date.UTC(2026, 2, 14, 9, 26, 53)
    const clock: Clock = { now: () => now, elapsed: () => now, sleep: () => Promise.resolve() }
    await using opened = await open(clock)
    const words = ['thunderstorm', 'quince', 'привет', 'قران', 'tashkent']
    const puts = [1, 2].map((number) => ({
      ...sampleDocument(createRandom(number), now, []),
      channelId: 1,
      number,
      publishedAt: now - 60_000,
      toks: words,
      stems: ['thunderstorm/en', ...words.slice(1)],
    }))
    const apart = { ...puts[0]!, number: 3, toks: ['apart'], stems: ['apart'] }
    await opened.writer.apply({ puts: [...puts, apart] })
    const nearestOf = async (
      text: string,
      sort: Sort = 'relevance',
      match: SearchQuery['match'] = 'stem',
    ) => {
      const query = plainSearch(now, { root: parseQuery(text, { now }), sort, match })
      return (await opened.index.search(query)).corrections.map(({ nearest }) => nearest)
    }
    assert.deepEqual(await nearestOf('qince'), ['quince'])
    assert.deepEqual(await nearestOf('thunserstorn'), ['thunderstorm'])
    assert.deepEqual(await nearestOf('qumcee'), [])
    assert.deepEqual(await nearestOf('ghbdtn'), ['привет'])
    assert.deepEqual(await nearestOf('privet'), ['привет'])
    assert.deepEqual(await nearestOf('thunderstorm-qince'), ['thunderstorm-quince'])
    assert.deepEqual(await nearestOf('القرآن'), ['قران'])
    assert.deepEqual(await nearestOf('Toshkint'), ['tashkent'])
    for (const sort of SORTS) {
      assert.deepEqual(await nearestOf('qince', sort), ['quince'])
      assert.deepEqual(await nearestOf('qince OR thunserstorn', sort), ['quince', 'thunderstorm'])
      assert.deepEqual(await nearestOf('xyz OR (привет qince)', sort), ['quince'])
      assert.deepEqual(await nearestOf('thunderstorm (qince OR xyz)', sort), ['quince'])
      assert.deepEqual(await nearestOf('qince OR quince', sort), [], 'the other one is there')
      assert.deepEqual(await nearestOf('qince OR tashkent', sort), [], 'and in the same posts')
      assert.deepEqual(await nearestOf('qince OR apart', sort), ['quince'], 'beside what is found')
      assert.deepEqual(await nearestOf('qince -quince', sort), [], 'it is not wanted')
      assert.deepEqual(await nearestOf('qince', sort, 'exact'), ['quince'])
      assert.deepEqual(await nearestOf('thunderstorms', sort, 'exact'), [], 'a form of it is there')
      const three = 'thunderstorms OR qince OR tashkentt'
      assert.deepEqual(await nearestOf(three, sort, 'exact'), ['quince', 'tashkent'])
    }
  })
}

async function firstTen(open: Open, { clock, documents, queries }: Asked): Promise<string[][]> {
  await using opened = await open(clock)
  await opened.writer.apply({ puts: documents })
  const answers: string[][] = []
  for (const { query } of queries) answers.push(refsOf((await opened.index.search(query)).hits))
  return answers
}

interface Asked extends Pick<JudgedSet, 'clock' | 'documents'> {
  readonly queries: readonly { readonly query: SearchQuery }[]
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
