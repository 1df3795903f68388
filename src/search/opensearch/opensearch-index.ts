import type { Clock } from '../../model/clock.ts'
import type { PostRef } from '../../model/post.ts'
import type { Correction, SearchQuery, SearchResult } from '../../model/query.ts'
import { mayHaveTypos } from '../correct.ts'
import { SEARCH_LIMITS, type SearchLimits } from '../limits.ts'
import { planRemote, planUnranked, type TermAnswers, type TermQuestions } from '../plan-remote.ts'
import { secondsOf } from '../prior.ts'
import {
  EMPTY_STATE,
  IndexDamagedError,
  LACKS_POSTS,
  NO_INDEX,
  WINDOW_MS,
  type SearchIndex,
} from '../search-index.ts'
import { hash32 } from '../terms.ts'
import { NoIndexError, openSession, type EngineSession } from './engine-session.ts'
import type { Client } from './client.ts'
import { clustersBody, clustersOf } from './collapse.ts'
import { readMeta, stampOf, type Meta } from './control.ts'
import { correctionsOf } from './corrections.ts'
import { hasMoreEndings } from './endings.ts'
import { createFrequencies } from './frequencies.ts'
import type { Search } from './search.ts'
import { idOf } from './indexed-posts.ts'
import { createNearWords } from './near-words.ts'
import { searchByKey, type Page } from './key-order.ts'
import { LIVE } from './mapping.ts'
import { createNames } from './names.ts'
import { EARLIEST } from './query-dsl.ts'
import { searchByRelevance } from './relevance.ts'
import { describeState } from './state.ts'
import { isOtherVersionComplete } from './other-versions.ts'
import { createSubscribers } from './subscribers.ts'

interface IndexOptions {
  readonly client: Client
  readonly prefix: string
  readonly analyzerVersion: number
  readonly clock: Clock
  readonly limits?: SearchLimits
}

const STATE_MS = 1_000

/** Searches the indices of a cluster. */
export function createIndex(
  options: IndexOptions,
): Pick<SearchIndex, 'search' | 'duplicates' | 'state'> {
  const { client, clock, analyzerVersion, limits = SEARCH_LIMITS } = options
  const names = createNames(options.prefix, analyzerVersion)
  const frequencies = createFrequencies(client, names, clock)
  const nearWords = createNearWords(clock)
  /** What was read of the channels of one generation, up to a batch: if the index was lost, a new one numbers them from one. */
  let channelsRead = { generation: 0, seq: 0, subscribers: createSubscribers(client, names) }
  let known: { readonly meta: Promise<Meta | undefined>; readonly since: number } | undefined

  function newSession(preference: string, signal?: AbortSignal): EngineSession {
    return openSession(client, { index: names.alias, preference, signal })
  }

  /** The state of the index, now or a moment ago; rejects while the index lacks posts. */
  async function metaFor(session: EngineSession, isFresh: boolean): Promise<Meta | undefined> {
    if (isFresh || !known || clock.elapsed() - known.since >= STATE_MS) {
      const { deadline } = session
      // Without the signal: others may share the request, so one caller that gives up must not cancel it.
      const asked = { meta: readMeta(client, names, { deadline }), since: clock.elapsed() }
      known = asked
      asked.meta.catch(() => {
        if (known === asked) known = undefined
      })
    }
    const meta = await known.meta
    if (meta?.lacks) throw new IndexDamagedError(LACKS_POSTS)
    return meta
  }

  async function channelsFor(
    { filters: { minSubscribers } }: SearchQuery,
    meta: Promise<Meta | undefined>,
    session: EngineSession,
  ): Promise<string | undefined> {
    if (minSubscribers === null) return undefined
    const now = await meta
    if (!now) return undefined
    const [{ generation }, seq] = [now, stampOf(now)]
    if (generation !== channelsRead.generation || seq < channelsRead.seq)
      channelsRead = { generation, seq, subscribers: createSubscribers(client, names) }
    channelsRead.seq = seq
    return channelsRead.subscribers(minSubscribers, session)
  }

  async function planFor(query: SearchQuery, now: number, session: EngineSession) {
    const told = { posts: 0, df: new Map<string, number>() }
    if (query.sort !== 'relevance') return { plan: planUnranked(query, now, limits), told }
    const plan = await planRemote(
      query,
      now,
      async (questions: TermQuestions): Promise<TermAnswers> => {
        const answers = await frequencies(questions, session)
        told.posts = answers.posts
        for (const [term, df] of answers.df) told.df.set(term, df)
        return answers
      },
      limits,
    )
    return { plan, told }
  }

  async function answer(query: SearchQuery, session: EngineSession): Promise<SearchResult> {
    const now = clock.now()
    const isRanked = query.sort === 'relevance'
    const reading = metaFor(session, isRanked && query.after === null)
    const [meta, { plan, told }, channels] = await Promise.all([
      reading,
      planFor(query, now, session),
      channelsFor(query, reading, session),
    ])
    if (!meta) return NO_INDEX
    const windowS = secondsOf(now - WINDOW_MS)
    let correcting: Promise<Correction[]> | undefined
    const search: Search = {
      plan,
      session,
      channels,
      windowS,
      posts: told.posts,
      df: (term) => told.df.get(term),
      frequencies: async (terms) => (await frequencies({ terms, prefixes: [] }, session)).df,
      nearWords: (words) => nearWords(words, session),
      counted({ value }) {
        if (!mayHaveTypos(query, value)) return
        correcting ??= correctionsOf(search, query)
        // The error reaches whoever awaits `correcting`.
        correcting.catch(() => undefined)
      },
    }
    const doubting = hasMoreEndings(search)
    // The error reaches whoever awaits it.
    doubting.catch(() => undefined)
    const { generation } = meta
    const page: Page = isRanked
      ? await searchByRelevance(search, query, {
          generation,
          seq: stampOf(meta),
          nowS: secondsOf(now),
        })
      : await searchByKey(search, query)
    const corrections = (await correcting) ?? []
    if (await doubting) session.reason ??= 'prefix'
    return { ...page, complete: session.reason === null, reason: session.reason, corrections }
  }

  return {
    async search(query, signal) {
      const session = newSession(preferenceOf(query), signal)
      try {
        return await answer(query, session)
      } catch (error) {
        if (error instanceof NoIndexError) return noIndex(await metaFor(session, true), query)
        throw error
      }
    },
    async duplicates(ref, limit) {
      const session = newSession(`d${ref.channelId}`)
      await metaFor(session, false)
      try {
        return await duplicatesOf(session, ref, limit, secondsOf(clock.now() - WINDOW_MS))
      } catch (error) {
        if (error instanceof NoIndexError) return undefined
        throw error
      }
    },
    async state() {
      const [meta, now] = [await readMeta(client, names), clock.now()]
      const state = meta
        ? describeState(meta, now, analyzerVersion)
        : { ...EMPTY_STATE, kind: 'opensearch', analyzerVersion }
      if (state.complete) return state
      return {
        ...state,
        isAwaited: await isOtherVersionComplete(client, options.prefix, analyzerVersion),
      }
    },
  }
}

/** The same query goes to the same copies of each shard, so that frequencies and orders do not vary between pages. */
function preferenceOf(query: SearchQuery): string {
  return `q${hash32(JSON.stringify({ ...query, after: null, since: 0, until: 0 })).toString(36)}`
}

async function duplicatesOf(session: EngineSession, ref: PostRef, limit: number, windowS: number) {
  const alive = { term: { live: LIVE } }
  const [own] = await session.search([
    {
      size: 1,
      track_total_hits: false,
      query: { bool: { filter: [{ ids: { values: [idOf(ref)] } }, alive] } },
      docvalue_fields: ['grp'],
    },
  ])
  const group = own!.hits.hits?.[0]?.fields?.['grp']?.[0]
  if (typeof group !== 'number') return undefined
  const filter = [{ term: { grp: group } }, alive, { range: { sec: { gte: windowS } } }]
  const [told, found] = await session.search([
    clustersBody({ windowS }, [group]),
    {
      size: limit,
      track_total_hits: false,
      query: { bool: { filter } },
      sort: EARLIEST,
    },
  ])
  const cluster = clustersOf(told!).get(group)
  if (!cluster) return undefined
  const members = (found!.hits.hits ?? []).map(({ sort }) => ({
    channelId: sort![1]!,
    number: sort![2]!,
  }))
  return { cluster, members }
}

/** The alias points to nothing: either there is no post yet, or its indices are gone. */
function noIndex(meta: Meta | undefined, query: SearchQuery): SearchResult {
  if (!meta) return NO_INDEX
  if (meta.weeks.length > 0) throw new IndexDamagedError('its indices are gone')
  const facets = Object.fromEntries(query.facets.map((name) => [name, []]))
  return { ...NO_INDEX, total: { value: 0, relation: 'eq' }, facets, complete: true, reason: null }
}
