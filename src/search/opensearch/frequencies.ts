import { createCache } from '../../model/cache.ts'
import type { Clock } from '../../model/clock.ts'
import { getOrMake } from '../../model/get-or-make.ts'
import { HOUR_MS, MINUTE_MS } from '../../model/time.ts'
import { bucketOf } from '../bucket.ts'
import type { TermAnswers, TermQuestions } from '../plan-remote.ts'
import { secondsOf } from '../prior.ts'
import { EVERY_POST, isWord } from '../terms.ts'
import type { EngineSession } from './engine-session.ts'
import { expectOk, type Client } from './client.ts'
import type { Names } from './names.ts'

/**
 * How long a frequency is cached. Posts are seldom added to a past week, and another post of a known word changes little;
 * of a word that no post held, it is the first one that is found by some of the words.
 */
const OVER_MS = HOUR_MS
const OVER_NONE_MS = MINUTE_MS
const RUNNING_MS = MINUTE_MS
const RUNNING_NONE_MS = 10_000
/** The list of weeks is refreshed after `WEEKS_MS`; searches wait for that only if it is older than `OLD_WEEKS_MS`. */
const WEEKS_MS = 1_000
const OLD_WEEKS_MS = 60_000
/** How many terms are cached. */
const MAX_TERMS = 50_000

interface Week {
  readonly index: string
  readonly isOver: boolean
  readonly shards: number
}

interface Known {
  readonly df: number
  readonly since: number
}

/**
 * Estimates how many posts hold a term: each shard is given one artificial document with all terms asked for, and reports
 * the document frequency of each. Posts that were replaced or removed count until their segment is merged.
 */
export function createFrequencies(client: Client, names: Names, clock: Clock) {
  /** By term, then by week. */
  const known = createCache<string, Map<string, Known>>({ maxEntries: MAX_TERMS })
  const routings = new Map<number, Promise<readonly string[]>>()
  let weeks: { readonly list: readonly Week[]; readonly since: number } | undefined
  let looking: Promise<readonly Week[]> | undefined

  async function weeksNow(session: EngineSession): Promise<readonly Week[]> {
    const age = clock.elapsed() - (weeks?.since ?? -Infinity)
    if (weeks && age < WEEKS_MS) return weeks.list
    looking ??= lookForWeeks(session.deadline).finally(() => (looking = undefined))
    if (!weeks || weeks.list.length === 0 || age >= OLD_WEEKS_MS) return looking
    // A week more or less changes frequencies only a little; if the refresh fails, the next one reports it.
    looking.catch(() => undefined)
    return weeks.list
  }

  async function lookForWeeks(deadline: number): Promise<readonly Week[]> {
    const since = clock.elapsed()
    const path = `/${names.alias}/_settings/index.number_of_shards?flat_settings=true`
    const answer = await client.request({ method: 'GET', path, deadline })
    const found = answer.status === 404 ? {} : expectOk<Settings>(answer)
    const running = bucketOf(secondsOf(clock.now()))
    const list = Object.entries(found).map(([index, { settings }]) => ({
      index,
      isOver: (names.parse(index)?.week ?? running) < running,
      shards: Number(settings['index.number_of_shards']),
    }))
    weeks = { list, since }
    return list
  }

  /** Routing values that lead to each shard, by the number of shards: they are the same for all such indices. */
  function routingsOf({ index, shards }: Week, deadline: number): Promise<readonly string[]> {
    return getOrMake(routings, shards, () => {
      const found = shards === 1 ? Promise.resolve(['0']) : findRoutings(index, shards, deadline)
      found.catch(() => routings.delete(shards))
      return found
    })
  }

  /** Without a signal: others may share the requests, so one caller that gives up must not cancel them. */
  async function findRoutings(index: string, shards: number, deadline: number): Promise<string[]> {
    const found = new Map<number, string>()
    for (let tried = 0; found.size < shards; tried++) {
      const path = `/${index}/_search_shards?routing=${tried}`
      const answer = await client.request({ method: 'GET', path, deadline })
      const body = expectOk<{ shards: readonly (readonly { shard: number }[])[] }>(answer)
      found.set(body.shards[0]![0]!.shard, String(tried))
    }
    return [...found.values()]
  }

  function isFresh({ df, since }: Known, { isOver }: Week): boolean {
    const [someMs, noneMs] = isOver ? [OVER_MS, OVER_NONE_MS] : [RUNNING_MS, RUNNING_NONE_MS]
    return clock.elapsed() - since < (df > 0 ? someMs : noneMs)
  }

  /** Asks for the frequencies that are unknown or outdated. */
  async function refresh(
    held: ReadonlyMap<string, Map<string, Known>>,
    weeks: readonly Week[],
    session: EngineSession,
  ): Promise<void> {
    const lacking = weeks.flatMap((week) => {
      const asked: string[] = []
      for (const [term, byWeek] of held) {
        const found = byWeek.get(week.index)
        if (!found || !isFresh(found, week)) asked.push(term)
      }
      return asked.length > 0 ? [{ week, asked }] : []
    })
    if (lacking.length === 0) return
    const since = clock.elapsed()
    const docs = await Promise.all(
      lacking.map(async ({ week, asked }) =>
        (await routingsOf(week, session.deadline)).map((routing) =>
          documentOf(week.index, routing, asked),
        ),
      ),
    )
    const path =
      '/_mtermvectors?filter_path=docs._index,docs.error.type,docs.term_vectors.*.terms.*.doc_freq'
    const body = { docs: docs.flat() }
    const { deadline, signal } = session
    const answer = await client.request({ method: 'POST', path, body, deadline, signal })
    const told = expectOk<Vectors>(answer).docs ?? []
    // A shard that did not answer is asked again by the next search.
    const failed = new Set(told.filter(({ error }) => error).map(({ _index }) => _index))
    for (const { week, asked } of lacking) {
      const sums = new Map(asked.map((term) => [term, 0]))
      for (const { _index: index, term_vectors: fields = {} } of told) {
        if (index !== week.index) continue
        for (const { terms = {} } of Object.values(fields)) {
          for (const [term, { doc_freq: df = 0 }] of Object.entries(terms)) {
            const sum = sums.get(term)
            // An index with another mapping makes terms of its own.
            if (sum !== undefined) sums.set(term, sum + df)
          }
        }
      }
      const knownSince = failed.has(week.index) ? -Infinity : since
      for (const [term, df] of sums) held.get(term)!.set(week.index, { df, since: knownSince })
    }
    for (const byWeek of held.values()) {
      for (const index of byWeek.keys()) {
        if (!weeks.some((week) => week.index === index)) byWeek.delete(index)
      }
    }
  }

  return async (questions: TermQuestions, session: EngineSession): Promise<TermAnswers> => {
    // Held here, so that all terms stay known while a query is answered, even if it has more terms than the cache.
    const held = new Map(
      [EVERY_POST, ...questions.terms].map((term) => [
        term,
        known.getOrMake(term, () => new Map()),
      ]),
    )
    const [weeks, expansions] = await Promise.all([
      weeksNow(session).then(async (list) => {
        await refresh(held, list, session)
        return list
      }),
      countFamilies(questions, session),
    ])
    const sum = (term: string) => {
      const byWeek = held.get(term)!
      return weeks.reduce((total, { index }) => total + (byWeek.get(index)?.df ?? 0), 0)
    }
    return {
      posts: sum(EVERY_POST),
      df: new Map(questions.terms.map((term) => [term, sum(term)])),
      expansions,
    }
  }
}

async function countFamilies(
  { prefixes }: TermQuestions,
  { search }: EngineSession,
): Promise<TermAnswers['expansions']> {
  if (prefixes.length === 0) return new Map()
  const told = await search(
    prefixes.map(({ prefix }) => {
      return { size: 0, track_total_hits: true, query: { prefix: { w: { value: prefix } } } }
    }),
  )
  return new Map(
    prefixes.map(({ prefix }, i) => {
      return [prefix, { toks: [], complete: true, posts: told[i]!.hits.total!.value }]
    }),
  )
}

type Settings = Readonly<
  Record<string, { readonly settings: { readonly 'index.number_of_shards': string } }>
>

interface Vectors {
  readonly docs?: readonly {
    readonly _index: string
    readonly error?: { readonly type: string }
    readonly term_vectors?: Readonly<
      Record<string, { readonly terms?: Readonly<Record<string, { readonly doc_freq?: number }>> }>
    >
  }[]
}

function documentOf(index: string, routing: string, terms: readonly string[]): object {
  const words = terms.filter(isWord)
  return {
    _index: index,
    routing,
    doc: { w: words.join(' '), k: terms.filter((term) => !isWord(term)) },
    fields: ['w', 'k'],
    term_statistics: true,
    field_statistics: false,
    positions: false,
    offsets: false,
    payloads: false,
  }
}
