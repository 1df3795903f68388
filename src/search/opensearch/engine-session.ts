import type { IncompleteReason } from '../../model/incomplete.ts'
import { expectOk, IndexUnavailableError, isRefusal, type Client } from './client.ts'
import type { Query } from './query-dsl.ts'

/** The parts of the engine's response to a search that were asked for. */
export interface SearchResponse {
  readonly hits: {
    readonly total?: { readonly value: number; readonly relation: 'eq' | 'gte' }
    readonly hits?: readonly ResponseHit[]
    /** Of a search in the order of scores. */
    readonly max_score?: number | null
  }
  readonly aggregations?: Readonly<Record<string, unknown>>
  readonly suggest?: Readonly<Record<string, unknown>>
  /** What each shard made of the query. */
  readonly profile?: {
    readonly shards: readonly {
      readonly searches: readonly { readonly query: readonly { readonly description: string }[] }[]
    }[]
  }
}

export interface ResponseHit {
  readonly sort?: readonly number[]
  /** Columns, each as a list of values. */
  readonly fields?: Readonly<Record<string, readonly (number | string | boolean)[]>>
}

/** One search of ours, which may send the engine several requests within one deadline. */
export interface EngineSession {
  /** Runs each body as a search of its own, all in one request. */
  search(bodies: readonly Query[]): Promise<readonly SearchResponse[]>
  readonly deadline: number
  readonly signal: AbortSignal | undefined
  /** Why the answer is not complete; the first reason counts. */
  reason: IncompleteReason | null
}

/** There is no index of that name. */
export class NoIndexError extends Error {
  override name = 'NoIndexError'
}

const RESPONSE_FIELDS = [
  'status',
  'error',
  'timed_out',
  '_shards.total',
  '_shards.successful',
  'hits.total',
  'hits.max_score',
  'hits.hits.sort',
  'hits.hits.fields',
  'aggregations',
  'suggest',
  'profile.shards.searches.query.description',
]

/** The engine's timeout is a little before ours, so that it still sends what it has found by then. */
const MARGIN_MS = 200

/** Searches with the same `preference` are answered by the same shard copies. */
export function openSession(
  client: Client,
  options: {
    readonly index: string
    readonly preference: string
    readonly signal: AbortSignal | undefined
  },
): EngineSession {
  const { index, preference, signal } = options
  const deadline = performance.now() + client.deadlineMs
  async function send(bodies: readonly Query[]): Promise<readonly EngineResponse[]> {
    const left = Math.max(1, Math.floor(deadline - performance.now() - MARGIN_MS))
    // Columns hold everything that is asked for; reading stored fields would unpack a block of posts for each hit.
    const stored = { stored_fields: '_none_' }
    const full = bodies.map((body) => ({ ...stored, ...body, timeout: `${left}ms` }))
    const isOne = full.length === 1
    const fields = RESPONSE_FIELDS.map((field) => (isOne ? field : `responses.${field}`)).join(',')
    const header = JSON.stringify({ preference })
    // Before a search that is sorted, the engine would ask each shard whether it can hold matches; with fewer shards than
    // this that costs more than it saves.
    const options = `pre_filter_shard_size=128&filter_path=${fields}`
    const answer = await client.request({
      method: 'POST',
      path: isOne
        ? `/${index}/_search?preference=${preference}&${options}`
        : `/${index}/_msearch?${options}`,
      body: isOne ? full[0]! : full.map((body) => `${header}\n${JSON.stringify(body)}\n`).join(''),
      deadline,
      signal,
    })
    if (answer.status === 404) throw new NoIndexError(index)
    const body = expectOk<EngineResponse & { readonly responses?: readonly EngineResponse[] }>(
      answer,
    )
    return isOne ? [body] : body.responses!
  }

  const session: EngineSession = {
    deadline,
    signal,
    reason: null,
    async search(bodies) {
      const responses = await send(bodies)
      // A shard may have been overloaded for a moment: ask once more if there is time.
      const hasTime = deadline - performance.now() > client.deadlineMs / 2
      const isAgain = hasTime && responses.some((each) => isPartial(each) || isBusy(each))
      const answers = isAgain ? await send(bodies) : responses
      return answers.map((each) => checked(session, each))
    },
  }
  return session
}

/** A shard that is nowhere, of which all copies are lost, does not count as failed. */
function isPartial({ _shards }: EngineResponse): boolean {
  return _shards !== undefined && _shards.successful < _shards.total
}

/** Of several searches in one request, each has a status of its own. */
const isBusy = ({ status = 200 }: EngineResponse) => isRefusal(status)

interface Refusal {
  readonly type: string
  readonly reason: string
}

interface EngineResponse extends Partial<SearchResponse> {
  readonly status?: number
  readonly error?: Refusal & { readonly root_cause?: readonly Refusal[] }
  readonly timed_out?: boolean
  readonly _shards?: { readonly total: number; readonly successful: number }
}

function checked(session: EngineSession, response: EngineResponse): SearchResponse {
  if (response.status === 404) throw new NoIndexError(response.error?.reason)
  if (response.error) {
    const { status = 500, error } = response
    if (isBusy(response)) throw new IndexUnavailableError(error.type)
    expectOk({ status, body: response })
  }
  if (isPartial(response)) session.reason ??= 'shards'
  if (response.timed_out === true) session.reason ??= 'timeout'
  return { hits: {}, ...response }
}
