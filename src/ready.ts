import type { App } from './app.ts'
import { abortable } from './model/abortable.ts'
import type { Clock } from './model/clock.ts'
import { startDeadline } from './model/deadline.ts'
import { lackOf } from './operations/index-lack.ts'
import { isIndexRemote } from './search/index-location.ts'
import type { IndexState } from './search/search-index.ts'
import { PENDING_BOUND, indexConsumer } from './store/changes.ts'
import type { Store } from './store/store.ts'
import { ANALYZER_VERSION } from './text/analyze.ts'

const STORE_MS = 1_000
const MAX_SKEW_MS = 2_000

/**
 * Whoever asks is counted before he is answered: on a disk that has become read-only all would be refused. Counted once a
 * second, whoever probes how often.
 */
const PROBE = {
  caller: 'readyz',
  policy: 'burst',
  limit: 1,
  windowMs: 1_000,
  starts: 'first',
  amount: 1,
} as const

type Parts = Pick<App, 'store' | 'index'> & {
  readonly clock: Clock
  readonly config: Pick<App['config'], 'index'>
}

/**
 * The store answers within a second, tells our time and takes down who asked; whatever the platform does or how far the index is behind. An index
 * in files answers too, where searches are answered: who only crawls may do so beside the files of another machine. One on servers
 * may be away: archive, live reads and status go on then, and a search says so. But where it says that it is not filled yet
 * while one of another version is, the processes of that version are not to be replaced.
 */
export async function isReady(
  { store, index, clock, config }: Parts,
  hasApi: boolean,
): Promise<boolean> {
  try {
    using late = startDeadline(clock, STORE_MS)
    const isNeeded = hasApi && !isIndexRemote(config.index)
    const asked = abortable(index.state(), late.signal)
    const [skew, state] = await Promise.all([
      abortable(skewOf(store, clock), late.signal),
      isNeeded ? asked : asked.catch(() => null),
      abortable(store.ledger.charge(PROBE), late.signal),
    ])
    if (isTooMuch(skew)) return false
    if (!isNeeded) return state?.isAwaited !== true
    return state !== null && (await abortable(answers(state, store), late.signal))
  } catch {
    return false
  }
}

/** Of a state without posts the store tells whether it should have some. */
async function answers(state: IndexState, { archive, changes }: Store): Promise<boolean> {
  if (state.generation > 0) return state.problem === null
  const [{ posts }, { count }] = await Promise.all([
    archive.totals(),
    changes.pending(indexConsumer(ANALYZER_VERSION), PENDING_BOUND),
  ])
  return lackOf(state, posts, count) === null
}

/** By how much the store's clock is ahead of ours, as far as the time of its answer lets one tell. */
export async function skewOf(store: Pick<Store, 'ping'>, clock: Clock): Promise<number> {
  const askedAt = clock.now()
  const told = await store.ping()
  const answeredAt = clock.now()
  if (told < askedAt) return told - askedAt
  return told > answeredAt ? told - answeredAt : 0
}

/** Leases, quotas and the budget go by the store's clock, windows and dates by ours: they must not be far apart. */
export function isTooMuch(skewMs: number): boolean {
  return Math.abs(skewMs) > MAX_SKEW_MS
}

/** For people. */
export function tellSkew(skewMs: number): string {
  const seconds = Math.round(Math.abs(skewMs) / 1000)
  return `the store’s clock is ${seconds} s ${skewMs > 0 ? 'ahead of' : 'behind'} ours`
}
