import { createCache, type Cache } from '../../model/cache.ts'
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
/** While a shard does not answer, not every search should ask all the others. */
const PARTIAL_MS = 10_000
/** The list of weeks is refreshed after `WEEKS_MS`; searches wait for that only if it is older than `OLD_WEEKS_MS`. */
const WEEKS_MS = 1_000
const OLD_WEEKS_MS = 60_000
/** How many terms are cached, for past weeks and for the running one. */
const MAX_TERMS = 100_000

interface Week {
  readonly index: string
  readonly isOver: boolean
  readonly shards: number
}

interface Known {
  readonly df: number
  readonly until: number
}

/** Weeks in which a term is counted together. */
interface Group {
  readonly isOver: boolean
  readonly weeks: readonly Week[]
  /** By term. */
  readonly known: Cache<string, Known>
}

/**
 * Estimates how many posts hold a term: each shard is given one artificial document with all terms asked for, and reports
 * the document frequency of each. Posts that were replaced or removed count until their segment is merged.
 */
export function createFrequencies(client: Client, names: Names, clock: Clock) {
  const routings = new Map<number, Promise<readonly string[]>>()
  let looked: { readonly groups: readonly Group[]; readonly since: number } | undefined
  let looking: Promise<readonly Group[]> | undefined

  async function groupsNow(session: EngineSession): Promise<readonly Group[]> {
    const age = clock.elapsed() - (looked?.since ?? -Infinity)
    if (looked && age < WEEKS_MS) return looked.groups
    looking ??= lookForWeeks(session.deadline).finally(() => (looking = undefined))
    if (!looked || looked.groups.length === 0 || age >= OLD_WEEKS_MS) return looking
    // A week more or less changes frequencies only a little; if the refresh fails, the next one reports it.
    looking.catch(() => undefined)
    return looked.groups
  }

  async function lookForWeeks(deadline: number): Promise<readonly Group[]> {
    const since = clock.elapsed()
    const path = `/${names.alias}/_settings/index.number_of_shards?flat_settings=true`
    const answer = await client.request({ method: 'GET', path, deadline })
    const found = answer.status === 404 ? {} : expectOk<Settings>(answer)
    const running = bucketOf(secondsOf(clock.now()))
    const indices = Object.keys(found).sort()
    const weeks = indices.map((index) => ({
      index,
      isOver: (names.parse(index)?.week ?? running) < running,
      shards: Number(found[index]!.settings['index.number_of_shards']),
    }))
    const groups = [...Map.groupBy(weeks, (week) => week.isOver).values()].map(
      (own) => sameGroup(own) ?? newGroup(own),
    )
    looked = { groups, since }
    return groups
  }

  function sameGroup(weeks: readonly Week[]): Group | undefined {
    const key = JSON.stringify(weeks)
    return looked?.groups.find((group) => JSON.stringify(group.weeks) === key)
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

  /** Asks for the frequencies that are unknown or outdated. */
  async function count(
    terms: readonly string[],
    groups: readonly Group[],
    session: EngineSession,
  ): Promise<ReadonlyMap<string, number>> {
    const sums = new Map(terms.map((term) => [term, 0]))
    const add = (term: string, df: number) => sums.set(term, sums.get(term)! + df)
    const lacking = groups.flatMap((group) => {
      const asked = [...sums.keys()].filter((term) => {
        const known = group.known.get(term)
        if (!known || known.until <= clock.elapsed()) return true
        add(term, known.df)
        return false
      })
      return asked.length > 0 ? [{ group, asked }] : []
    })
    if (lacking.length === 0) return sums
    const since = clock.elapsed()
    const told = await ask(lacking, session)
    for (const { group, asked } of lacking) {
      const indices = new Set(group.weeks.map(({ index }) => index))
      const own = told.filter(({ _index }) => indices.has(_index))
      const counted = sumsOf(own)
      const isPartial = own.some(({ error }) => error !== undefined)
      for (const term of asked) {
        const df = counted.get(term) ?? 0
        add(term, df)
        const ms = isPartial ? PARTIAL_MS : cachedMs(df, group.isOver)
        group.known.set(term, { df, until: since + ms })
      }
    }
    return sums
  }

  async function ask(
    lacking: readonly { readonly group: Group; readonly asked: readonly string[] }[],
    { deadline, signal }: EngineSession,
  ): Promise<readonly Vector[]> {
    const docs = await Promise.all(
      lacking.flatMap(({ group, asked }) =>
        group.weeks.map(async (week) =>
          (await routingsOf(week, deadline)).map((routing) =>
            documentOf(week.index, routing, asked),
          ),
        ),
      ),
    )
    const path =
      '/_mtermvectors?filter_path=docs._index,docs.error.type,docs.term_vectors.*.terms.*.doc_freq'
    const body = { docs: docs.flat() }
    const answer = await client.request({ method: 'POST', path, body, deadline, signal })
    return expectOk<{ readonly docs?: readonly Vector[] }>(answer).docs ?? []
  }

  return async (questions: TermQuestions, session: EngineSession): Promise<TermAnswers> => {
    const [sums, expansions] = await Promise.all([
      groupsNow(session).then((groups) => count([EVERY_POST, ...questions.terms], groups, session)),
      countFamilies(questions, session),
    ])
    return { posts: sums.get(EVERY_POST)!, df: sums, expansions }
  }
}

function cachedMs(df: number, isOver: boolean): number {
  const [someMs, noneMs] = isOver ? [OVER_MS, OVER_NONE_MS] : [RUNNING_MS, RUNNING_NONE_MS]
  return df > 0 ? someMs : noneMs
}

function newGroup(weeks: readonly Week[]): Group {
  return { weeks, isOver: weeks[0]!.isOver, known: createCache({ maxEntries: MAX_TERMS }) }
}

/** An index with another mapping makes terms of its own, which nobody looks for. */
function sumsOf(told: readonly Vector[]): Map<string, number> {
  const sums = new Map<string, number>()
  for (const { term_vectors: fields = {} } of told) {
    for (const { terms = {} } of Object.values(fields)) {
      for (const [term, { doc_freq: df = 0 }] of Object.entries(terms))
        sums.set(term, (sums.get(term) ?? 0) + df)
    }
  }
  return sums
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

/** What one shard tells of the terms. */
interface Vector {
  readonly _index: string
  readonly error?: { readonly type: string }
  readonly term_vectors?: Readonly<
    Record<string, { readonly terms?: Readonly<Record<string, { readonly doc_freq?: number }>> }>
  >
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
