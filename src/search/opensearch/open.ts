import type { Clock } from '../../model/clock.ts'
import { AppError } from '../../model/errors.ts'
import { threadFile } from '../../model/thread.ts'
import { ANALYZER_VERSION } from '../../text/analyze.ts'
import type { ClusterLocation } from '../index-location.ts'
import type { SearchLimits } from '../limits.ts'
import type { IndexWriterOptions, IndexWriter, SearchIndex } from '../search-index.ts'
import { SEARCH_CORES, openPool } from '../thread-pool.ts'
import {
  IndexUnavailableError,
  openClient,
  reasonOf,
  refusalOfUser,
  type Client,
} from './client.ts'
import { readMeta } from './control.ts'
import { deleteIndices, indicesOf } from './generation.ts'
import { createNames } from './names.ts'
import { openWriter } from './writer.ts'

/** The `workerData` of a search thread. */
export interface WorkerData {
  readonly location: ClusterLocation
  readonly limits: SearchLimits | undefined
}

/** A thread waits for the cluster most of the time, with many searches in flight: its own work is some 5 ms for each. */
const THREADS = 2
const DEPTH = 256

/**
 * Searches in threads: planning a query and ranking its candidates would block the event loop for milliseconds. Rejects
 * with a one-sentence message if the cluster cannot be used. A cluster that is unavailable is tried again by every
 * search.
 */
export async function openClusterIndex(
  location: ClusterLocation,
  clock: Clock,
  {
    limits,
    signal,
  }: { readonly limits?: SearchLimits; readonly signal?: AbortSignal | undefined } = {},
): Promise<SearchIndex> {
  // Checked here and not in a thread, so that problems are reported at once.
  await using _ = await openChecked(location, { mayBeAway: true, signal })
  const data: WorkerData = { location, limits }
  // This host plans and ranks each search, so its capacity depends on its cores.
  const capacity = SEARCH_CORES
  return openPool({ file: WORKER, data, size: THREADS, depth: DEPTH, capacity, clock })
}

const WORKER = threadFile('worker', import.meta.url)

/** The same for writing. */
export async function openClusterWriter(
  location: ClusterLocation,
  clock: Clock,
  options: IndexWriterOptions = {},
): Promise<IndexWriter> {
  const client = await openChecked(location, options)
  const { prefix, layout = {} } = location
  const about = { client, prefix, layout, clock, analyzerVersion: ANALYZER_VERSION }
  try {
    const writer = await openWriter({ ...about, ...options })
    return {
      ...writer,
      async [Symbol.asyncDispose]() {
        await writer[Symbol.asyncDispose]()
        await client[Symbol.asyncDispose]()
      },
    }
  } catch (error) {
    await client[Symbol.asyncDispose]()
    throw error
  }
}

/** Deletes the indices of all analyzer versions. */
export async function deleteClusterIndex(location: ClusterLocation): Promise<void> {
  refuseWrong(location)
  await using client = await openClient(location)
  const { prefix } = location
  // Another prefix may start with ours.
  const ours = /^(?:meta|a\d+-(?:g\d+-\d+|channels))$/
  const found = await indicesOf(client, `${prefix}-*`)
  await deleteIndices(
    client,
    found.filter((index) => ours.test(index.slice(prefix.length + 1))),
  )
}

async function openChecked(
  location: ClusterLocation,
  { mayBeAway = false, signal }: { mayBeAway?: boolean; signal?: AbortSignal | undefined },
): Promise<Client> {
  refuseWrong(location)
  const client = await openClient(location)
  try {
    await greet(client, location, signal)
    await readMeta(client, createNames(location.prefix, ANALYZER_VERSION), { signal })
    return client
  } catch (error) {
    if (mayBeAway && error instanceof IndexUnavailableError) return client
    await client[Symbol.asyncDispose]()
    throw error
  }
}

/** The oldest supported major version. */
const OLDEST = 3
const PREFIX = /^[a-z][a-z0-9_-]{0,60}$/

function refuseWrong({ nodes, prefix }: ClusterLocation): void {
  if (!PREFIX.test(prefix)) {
    throw new AppError(
      'unavailable',
      `expected a prefix of lower case letters, digits, - and _, found "${prefix}"`,
    )
  }
  if (nodes.length === 0)
    throw new AppError('unavailable', 'expected the address of a search node, found none')
  for (const node of nodes) {
    if (!URL.canParse(node) || new URL(node).origin !== node) {
      throw new AppError(
        'unavailable',
        `expected a search node as https://host:port, found "${node}"`,
      )
    }
  }
}

interface Greeting {
  readonly version?: { readonly distribution?: string; readonly number?: string }
}

async function greet(
  client: Client,
  { nodes }: ClusterLocation,
  signal: AbortSignal | undefined,
): Promise<void> {
  const at = nodes.join(', ')
  const answer = await client.request({ method: 'GET', path: '/', signal })
  const refusal = refusalOfUser(answer)
  // As later on: what does not need the index works until the password or the right is there.
  if (refusal !== undefined) throw new IndexUnavailableError(`OpenSearch at ${at} ${refusal}`)
  const { version } = (answer.status === 200 ? answer.body : {}) as Greeting
  const { distribution, number = '' } = version ?? {}
  if (distribution === 'opensearch' && Number.parseInt(number) >= OLDEST) return
  const found = answer.status === 200 ? [distribution, number].join(' ').trim() : reasonOf(answer)
  throw new AppError(
    'unavailable',
    `expected OpenSearch ${OLDEST} or later at ${at}, found ${found || 'another server'}`,
  )
}
